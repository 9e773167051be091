import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { vaultFromElsewhere } from "./sealing-key.ts";

test("the key comes from the setting's file, the credential of systemd or the environment, in this order", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-credentials-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const [mine, credential, given] = ["a", "b", "c"].map((digit) => digit.repeat(64)) as [string, string, string];
  const file = join(folder, "mine.key");
  const systemd = join(folder, "bourse-secret-key");
  for (const [path, key] of [
    [file, mine],
    [systemd, credential],
  ] as const) {
    writeFileSync(path, key, { mode: 0o600 });
  }
  const environment = { CREDENTIALS_DIRECTORY: folder, BOURSE_SECRET_KEY: given };
  const opens = (key: string, vault: ReturnType<typeof vaultFromElsewhere>) => {
    const sealed = vaultFromElsewhere(undefined, { BOURSE_SECRET_KEY: key })?.seal("K", "secret") ?? "";
    return vault?.unseal("K", sealed);
  };
  assert.equal(opens(mine, vaultFromElsewhere(file, environment)), "secret");
  assert.equal(opens(credential, vaultFromElsewhere(undefined, environment)), "secret");
  assert.throws(() => opens(given, vaultFromElsewhere(undefined, environment)), "the environment comes last");
  rmSync(systemd);
  assert.equal(opens(given, vaultFromElsewhere(undefined, environment)), "secret");
  assert.equal(vaultFromElsewhere(undefined, {}), undefined);

  writeFileSync(systemd, credential, { mode: 0o600 });
  chmodSync(systemd, 0o644);
  assert.throws(() => vaultFromElsewhere(undefined, environment), /can be read by others/);
  chmodSync(systemd, 0o600);
  writeFileSync(systemd, "no key");
  assert.throws(() => vaultFromElsewhere(undefined, environment), /key/);
  assert.throws(() => vaultFromElsewhere(join(folder, "none"), environment), /cannot be read|missing/);
  assert.throws(() => vaultFromElsewhere(undefined, { BOURSE_SECRET_KEY: "no key" }), /BOURSE_SECRET_KEY/);
});
