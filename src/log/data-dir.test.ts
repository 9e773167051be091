import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDir } from "../../test/support/small-log.ts";
import { logPaths, openDataDir } from "./data-dir.ts";
import { DataDirLocked, LogDamaged } from "./errors.ts";

const LOCK_AND_WAIT = `
  import { openDataDir } from ${JSON.stringify(new URL("./data-dir.ts", import.meta.url).href)};
  globalThis.held = openDataDir(process.argv[1]);
  process.stdout.write("held");
  setInterval(() => undefined, 1000);
`;

test("a second process is turned away, and told who holds the data directory", async (t) => {
  const dir = temporaryDir(t);
  const holder = await startHolder(dir);
  t.after(() => holder.kill("SIGKILL"));
  assert.throws(
    () => openDataDir(dir),
    (error) => {
      assert.ok(error instanceof DataDirLocked);
      assert.match(error.message, new RegExp(`in use by the process with id ${holder.pid}\\.`));
      return true;
    },
  );
});

test("a killed holder leaves no lock behind", async (t) => {
  const dir = temporaryDir(t);
  for (let round = 0; round < 3; round++) {
    const holder = await startHolder(dir);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    openDataDir(dir).release();
  }
});

test("the same process cannot open a data directory twice, and can again after the release", (t) => {
  const dir = temporaryDir(t);
  const first = openDataDir(dir);
  assert.throws(() => openDataDir(dir), DataDirLocked);
  assert.throws(() => openDataDir(dir), DataDirLocked);
  first.release();
  openDataDir(dir).release();
});

test("a data directory is made with all its parents, for its owner alone; one that exists keeps its mode", (t) => {
  const dir = temporaryDir(t);
  openDataDir(join(dir, "a", "b")).release();
  assert.equal(statSync(join(dir, "a", "b")).mode & 0o777, 0o700);
  mkdirSync(join(dir, "shared"));
  chmodSync(join(dir, "shared"), 0o750);
  openDataDir(join(dir, "shared")).release();
  assert.equal(statSync(join(dir, "shared")).mode & 0o777, 0o750);
});

test("where nothing can be made that is said, and a file is no data directory", (t) => {
  const dir = temporaryDir(t);
  writeFileSync(join(dir, "file"), "");
  for (const path of [join(dir, "file"), join(dir, "file", "below")])
    assert.throws(() => openDataDir(path), {
      code: "DIRECTORY_REFUSED",
      message: /file is no directory .* with --data\.$/,
    });
});

async function startHolder(dir: string): Promise<ChildProcess> {
  const holder = spawn(process.execPath, ["--input-type=module", "-e", LOCK_AND_WAIT, dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  return holder;
}

test("a lock file that is no database is not taken for a lock", (t) => {
  const dir = temporaryDir(t);
  writeFileSync(logPaths(dir).lock, "no database at all, and long enough to be looked at".repeat(40));
  assert.throws(() => openDataDir(dir), LogDamaged);
  assert.throws(() => openDataDir(dir), /remove it if no venue uses this directory/);
});
