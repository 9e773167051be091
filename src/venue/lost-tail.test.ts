import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { testSettings, testWorld } from "../../test/support/world.ts";
import { logPaths } from "../log/data-dir.ts";
import { openNode } from "./assembly/node.ts";
import { openStorage } from "./assembly/storage.ts";

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "bourse-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a venue, makes these users, closes it and removes its snapshots; gives what was said of its history. */
async function visit(data: string, isProduction: boolean, ...names: readonly string[]) {
  const world = testWorld();
  const settings = testSettings({ data, profile: isProduction ? "production" : "dev" });
  const { engine, sequencer, history } = await openNode(settings, await openStorage(settings, world), world);
  for (const name of names) await sequencer.ask({ kind: "create_user", name }, () => {});
  const users = engine.state.users.names.filter((name) => name !== undefined && name !== "");
  await world.opened.disposeAsync();
  for (const file of readdirSync(data)) if (file.startsWith("snapshot-")) rmSync(join(data, file));
  return { users, setAside: history.setAside };
}

test("a log that has lost its end with its commit marker is refused in production, and said to be short of what", async (t) => {
  const data = folderOf(t);
  await visit(data, true, "ann");
  const older = join(folderOf(t), "log.sqlite");
  cpSync(logPaths(data).log, older);
  await visit(data, true, "ben", "cid");
  cpSync(older, logPaths(data).log);
  rmSync(logPaths(data).commitMarker);
  await assert.rejects(
    visit(data, true),
    /its history goes to seq \d+, but the log ends at seq \d+, so commands that were acknowledged are missing\. Put the log back/,
  );
  // Refused again: nothing was set aside, and the log's end may still be put back.
  await assert.rejects(visit(data, true), /commands that were acknowledged are missing/);
  const { users, setAside } = await visit(data, false);
  assert.deepEqual(users, ["ann"]);
  assert.match(setAside ?? "", /^The history goes to seq \d+, but the log ends at seq \d+\. It was set aside as /);
});

test("a log whose history lags, or is gone, has lost nothing", async (t) => {
  const data = folderOf(t);
  await visit(data, true, "ann");
  rmSync(join(data, "history.sqlite"));
  assert.deepEqual(await visit(data, true, "ben"), { users: ["ann", "ben"], setAside: undefined });
});
