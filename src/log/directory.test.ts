import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { checkDirectory, DirectoryRefused, makeDirectory, makeTemporaryDirectory } from "./directory.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "bourse-directory-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function refusal(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    assert.ok(error instanceof DirectoryRefused, String(error));
    return error.message;
  }
  assert.fail("it was not refused");
}

/** Root may write everywhere: for a moment the system takes the process for another user's. */
function asNobody<T>(act: () => T): T {
  if (!isRoot) return act();
  process.seteuid?.(NOBODY);
  try {
    return act();
  } finally {
    process.seteuid?.(0);
  }
}

test("a directory is made with its parents, for this user alone, and made again without harm", (t) => {
  const path = join(folderOf(t), "a", "b");
  for (let times = 0; times < 2; times++) makeDirectory(path, "--data");
  if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o700);
});

test("a refusal says what is in the way and which setting moves the directory", (t) => {
  const folder = folderOf(t);
  const file = join(folder, "file");
  writeFileSync(file, "");
  assert.equal(
    refusal(() => makeDirectory(join(file, "a", "b"), "--data")),
    `The directory ${join(file, "a", "b")} cannot be made: ${file} is no directory (ENOTDIR). ` +
      "Move it away, or name another directory with --data.",
  );
  assert.equal(
    refusal(() => makeDirectory(file, "the setting backups")),
    `The directory ${file} cannot be used: ${file} is no directory (EEXIST). ` +
      "Move it away, or name another directory with the setting backups.",
  );
});

test("a link to itself is refused with what the system says", { skip: process.platform === "win32" }, (t) => {
  const link = join(folderOf(t), "link");
  symlinkSync(link, link);
  assert.match(
    refusal(() => checkDirectory(link, "--to")),
    /^The directory \S+link cannot be used: .+\. Name another directory with --to\.$/,
  );
});

test("a place in which the system makes nothing is refused", { skip: process.platform !== "linux" }, () => {
  assert.equal(
    refusal(() => makeDirectory("/proc/absent/a", "--to")),
    "The directory /proc/absent/a cannot be made: the system makes no directory in /proc (ENOENT). Name another " +
      "directory with --to.",
  );
});

test("a directory of another user is refused", { skip: process.getuid === undefined }, (t) => {
  const folder = folderOf(t);
  chmodSync(folder, 0o755);
  const locked = join(folder, "locked");
  mkdirSync(locked);
  chmodSync(locked, 0o555);
  const path = join(locked, "a");
  assert.equal(
    refusal(() => asNobody(() => makeDirectory(path, "--data"))),
    `The directory ${path} cannot be made: this user may not write to ${locked} (EACCES). ` +
      `Give ${locked} to the user who runs bourse, or name another directory with --data.`,
  );
  // Root may write to it all the same.
  if (!isRoot)
    assert.match(
      refusal(() => checkDirectory(locked, "--to")),
      /cannot be used: this user may not write to .* or name another directory with --to\.$/,
    );
});

test("a directory for temporary files that is not there names the variable", (t) => {
  const before = process.env["TMPDIR"];
  const folder = folderOf(t);
  process.env["TMPDIR"] = join(folder, "absent");
  try {
    assert.match(
      refusal(() => makeTemporaryDirectory("bourse-")),
      /^No directory for temporary files can be made in \S+absent: .* with the environment variable TMPDIR\.$/,
    );
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});
