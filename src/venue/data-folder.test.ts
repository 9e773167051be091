import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openDataDir } from "../log/data-dir.ts";
import { claimFolder, DataFolderError } from "./data-folder.ts";

function folderOf(t: TestContext, ...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "bourse-folder-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(folder, name), "", { mode: 0o600 });
  return folder;
}

test("a directory with other things in it is no place for a venue, and stays as it is", (t) => {
  const folder = folderOf(t, "thesis.tex", "a", "b", "c", "d");
  chmodSync(folder, 0o755);
  const sentence = /holds no venue, but other things: a, b, c and 2 more\. Name an empty one, .* with --data\.$/;
  assert.throws(() => claimFolder(folder, "dev", undefined), sentence);
  assert.equal(statSync(folder).mode & 0o777, 0o755);
});

test("an empty directory is one, also with a token put there by hand, the start's own file, or what a disk begins with", (t) => {
  const folder = folderOf(t, "admin-token", "bourse.json");
  mkdirSync(join(folder, "lost+found"));
  assert.deepEqual(claimFolder(folder, "production", join(folder, "bourse.json")).notes, []);
  assert.throws(() => claimFolder(folder, "production", undefined), DataFolderError);
});

test("a log that is gone is not replaced by a new one in production, whatever of it is left", (t) => {
  for (const left of [
    "acknowledged",
    "snapshot-0000000000000009.bourse",
    "secret.key",
    "history.sqlite",
    "log.sqlite-wal",
  ]) {
    const folder = folderOf(t, left, "lock.sqlite");
    assert.throws(
      () => claimFolder(folder, "production", undefined),
      new RegExp(`is gone: ${left} is there, log\\.sqlite is not\\. Put the log back, or restore a backup`),
    );
    claimFolder(folder, "dev", undefined);
  }
  claimFolder(folderOf(t, "lock.sqlite", "admin-token"), "production", undefined);
});

test("what others could read is made private, and said so", { skip: process.platform === "win32" }, (t) => {
  const folder = folderOf(t, "log.sqlite", "history.sqlite");
  chmodSync(folder, 0o755);
  chmodSync(join(folder, "history.sqlite"), 0o644);
  const { notes } = claimFolder(folder, "production", undefined);
  assert.equal(notes.length, 2);
  assert.match(notes[0] as string, /could be used by others \(mode 755\); it is private now \(700\)\.$/);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, "history.sqlite")).mode & 0o777, 0o600);
  assert.deepEqual(claimFolder(folder, "production", undefined).notes, []);
});

test("a start that is taken back leaves no directory it made, and of one that was there what was in it", (t) => {
  const folder = folderOf(t, "admin-token");
  const begin = (dir: string) => {
    const claim = claimFolder(dir, "dev", undefined);
    openDataDir(dir).release();
    writeFileSync(join(dir, "log.sqlite"), "");
    mkdirSync(join(dir, "backups"));
    return claim;
  };
  begin(folder).undo();
  assert.deepEqual(readdirSync(folder), ["admin-token"]);
  begin(join(folder, "a", "b")).undo();
  assert.deepEqual(readdirSync(folder), ["admin-token"]);
});

test("what another start has taken meanwhile, and what was a venue before, is not taken back", (t) => {
  const folder = join(folderOf(t), "venue");
  const claim = claimFolder(folder, "dev", undefined);
  const theirs = openDataDir(folder);
  writeFileSync(join(folder, "log.sqlite"), "");
  claim.undo();
  assert.ok(existsSync(join(folder, "log.sqlite")));
  theirs.release();
  claimFolder(folder, "dev", undefined).undo();
  assert.ok(existsSync(join(folder, "log.sqlite")));
});
