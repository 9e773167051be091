import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { SeededChance } from "./chance.ts";
import type { ApiKey } from "./key-directory.ts";
import { KeyRing } from "./key-ring.ts";
import { SecretVault, SecretVaultError } from "./secret-vault.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bourse-vault-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a sealed secret opens again, in this process and in the next", () => {
  const sealed = SecretVault.open(folder, true).seal("ID", "the secret");
  assert.equal(SecretVault.open(folder, true).unseal("ID", sealed), "the secret");
  assert.doesNotMatch(Buffer.from(sealed, "base64").toString("latin1"), /secret/);
});

test("the same secret never looks the same twice", () => {
  const vault = SecretVault.inMemory();
  assert.notEqual(vault.seal("ID", "the secret"), vault.seal("ID", "the secret"));
});

test("a sealed secret opens for no other access id, not altered, not cut, and not with another key file", () => {
  const vault = SecretVault.inMemory();
  const sealed = vault.seal("ID", "the secret");
  const altered = Buffer.from(sealed, "base64");
  altered[14] = (altered[14] as number) ^ 1;
  const attempts: readonly (() => string)[] = [
    () => vault.unseal("ID2", sealed),
    () => vault.unseal("ID", altered.toString("base64")),
    () => vault.unseal("ID", sealed.slice(0, -4)),
    () => vault.unseal("ID", ""),
    () => vault.unseal("ID", "no base64 at all"),
    () => SecretVault.inMemory().unseal("ID", sealed),
  ];
  for (const attempt of attempts) assert.throws(attempt, SecretVaultError);
});

test("the key file is private, and one that others can read is refused", { skip: process.platform === "win32" }, () => {
  SecretVault.open(folder, true);
  const path = join(folder, "secret.key");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.match(readFileSync(path, "utf8"), /^[0-9a-f]{64}\n$/);
  for (const mode of [0o640, 0o604, 0o660, 0o610]) {
    chmodSync(path, mode);
    assert.throws(() => SecretVault.open(folder, true), /can be read by others/);
  }
});

test("a key file without a key is refused, and so is a folder that is not there", () => {
  writeFileSync(join(folder, "secret.key"), "", { mode: 0o600 });
  assert.throws(() => SecretVault.open(folder, true), /does not hold a key/);
  assert.throws(() => SecretVault.open(join(folder, "nowhere"), true), SecretVaultError);
});

test("a key file that is missing beside sealed secrets is not made anew", () => {
  assert.throws(() => SecretVault.open(folder, false), /secret\.key is missing; .* Put it back/);
  assert.deepEqual(readdirSync(folder), []);
  const sealed = { accessId: "ID", secretCipher: SecretVault.open(folder, true).seal("ID", "the secret") };
  assert.ok(SecretVault.open(folder, false).opens(sealed));
  assert.ok(!SecretVault.inMemory().opens(sealed));
});

test("new access ids and secrets are of full length and never the same", () => {
  const vault = SecretVault.inMemory();
  const [one, other] = [vault.newKey(), vault.newKey()];
  assert.match(one.accessId, /^[0-9A-F]{32}$/);
  assert.match(one.secret, /^[0-9A-F]{48}$/);
  assert.equal(vault.unseal(one.accessId, one.secretCipher), one.secret);
  assert.notEqual(one.accessId, other.accessId);
  assert.notEqual(one.secret, other.secret);
  assert.match(vault.newToken(), /^[0-9a-f]{64}$/);
  assert.notEqual(vault.newToken(), vault.newToken());
});

test("in a fixed world keys, tokens and what is sealed follow from the seed", () => {
  const made = (seed: number) => {
    const vault = SecretVault.inMemory(new SeededChance(seed, "vault"));
    return [vault.newKey(), vault.newToken(), vault.seal("ID", "the secret")];
  };
  assert.deepEqual(made(7), made(7));
  assert.notDeepEqual(made(7), made(8));
});

test("the key ring unseals once, follows a renewed key and forgets what is not used", () => {
  const vault = SecretVault.inMemory();
  const ring = new KeyRing(vault, 2);
  const keyOf = (accessId: string, secret: string): ApiKey => ({
    accessId,
    userId: 1,
    secretCipher: vault.seal(accessId, secret),
    permissions: [],
    ipWhitelist: [],
    expiredAt: 0,
  });
  const first = keyOf("A", "one");
  assert.equal(ring.signingKeyOf(first), ring.signingKeyOf(first));
  const renewed = keyOf("A", "two");
  assert.equal(Buffer.from(ring.signingKeyOf(renewed).secret).toString(), "two");
  for (let count = 0; count < 20; count++) {
    ring.signingKeyOf(keyOf(`K${count}`, "s"));
    assert.equal(ring.signingKeyOf(renewed), ring.signingKeyOf(renewed), "a key in use stays");
    assert.ok(ring.size <= 4);
  }
});
