import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { OperatorFiles, readAdminAccess } from "./operator-files.ts";

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "bourse-operator-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const ACCOUNT = { name: "alice", user_id: 1, access_id: "A", secret_key: "S" };

test("the token is made once, is private and stays the same over restarts", (t) => {
  const folder = folderOf(t);
  const token = new OperatorFiles(folder).adminToken();
  assert.match(token, /^[0-9a-f]{64}$/);
  assert.equal(statSync(join(folder, "admin-token")).mode & 0o777, 0o600);
  assert.equal(new OperatorFiles(folder).adminToken(), token);
});

test("a token that can be read by others or guessed is refused with a sentence", (t) => {
  const folder = folderOf(t);
  const path = join(folder, "admin-token");
  for (const weak of ["", "secret", "a".repeat(64), "0123456789abcdef with a space in it and more"]) {
    writeFileSync(path, weak, { mode: 0o600 });
    assert.throws(
      () => new OperatorFiles(folder).adminToken(),
      /^Error: The token in .* can be guessed; remove the file/,
    );
  }
  writeFileSync(path, "0123456789abcdef0123456789abcdef");
  chmodSync(path, 0o644);
  assert.throws(
    () => new OperatorFiles(folder).adminToken(),
    /can be read by others; make it private with chmod 600\.$/,
  );
});

test("the command line finds a running venue by its folder, and no stopped one", (t) => {
  const folder = folderOf(t);
  assert.equal(readAdminAccess(folder), undefined);
  const files = new OperatorFiles(folder);
  const token = files.adminToken();
  files.writeAdminUrl("http://127.0.0.1:1");
  assert.deepEqual(readAdminAccess(folder), { url: "http://127.0.0.1:1", token });
  files.close();
  assert.equal(readAdminAccess(folder), undefined);
  assert.deepEqual(readdirSync(folder), ["admin-token"], "nothing half-written is left");
});

test("a venue that keeps nothing has a private folder that goes with it", () => {
  const files = new OperatorFiles(":memory:");
  assert.equal(statSync(files.folder).mode & 0o777, 0o700);
  files.adminToken();
  files.close();
  assert.equal(existsSync(files.folder), false);
});

test("the sample accounts of a dev venue are kept, private, and keep the production profile away", (t) => {
  const files = new OperatorFiles(folderOf(t));
  assert.deepEqual(files.devAccounts(), []);
  files.refuseSampleSecrets("production");
  files.writeDevAccounts([ACCOUNT]);
  assert.deepEqual(files.devAccounts(), [ACCOUNT]);
  assert.equal(statSync(join(files.folder, "dev-accounts.json")).mode & 0o777, 0o600);
  files.refuseSampleSecrets("dev");
  assert.throws(
    () => files.refuseSampleSecrets("production"),
    /^Error: The production profile does not start on a venue of the dev profile: .* holds the secrets of its sample/,
  );
});

test("sample accounts that cannot be read are refused with a sentence", (t) => {
  const folder = folderOf(t);
  writeFileSync(join(folder, "dev-accounts.json"), "{");
  assert.throws(
    () => new OperatorFiles(folder).devAccounts(),
    /^OperatorFilesError|^Error: The file .* no longer holds the sample accounts; /,
  );
});
