import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type LiabilityProof, verifyProof } from "../../client/liability-proof.ts";
import { bitcoinApiVenue } from "../support/served-venue.ts";
import { bourse } from "./command-line.ts";
import { openAdminVenue } from "./venue.ts";

test("an operator counts what the venue owes, and sees the roots and who published them", async (t) => {
  const venue = await openAdminVenue(t);
  await venue.post("/admin/assets", { ccy: "USDT", scale: 8 });
  await venue.post("/admin/users", { name: "ann" });
  await venue.post("/admin/deposits", { user_id: "ann", ccy: "USDT", amount: "100" });
  const where = ["--admin", venue.url, "--token", venue.token];
  assert.match((await bourse("liability", "count", ...where)).stdout, /^seq +\d+\n$/);
  const shown = async () => (await venue.get("/admin/liabilities")).data;
  while ((await shown()).liabilities.length === 0) await pause(5);
  const { liabilities, pending_seq } = await shown();
  assert.equal(pending_seq, null);
  assert.deepEqual([liabilities[0].currencies[0].ccy, liabilities[0].currencies[0].total], ["USDT", "100.00000000"]);
  const { audit_trail } = (await venue.get("/admin/audit-trail")).data;
  const actions = audit_trail.map(({ actor, action }: Record<string, string>) => `${actor} ${action}`);
  assert.deepEqual(actions.slice(0, 2), ["liabilities publish_liabilities", "root count_liabilities"]);
  assert.match((await venue.post("/admin/liabilities", {})).message, /count again in \d+ s/);
});

test("bourse verify-liability needs the proof and nothing else, and ends with code 3 when it does not hold", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-proof-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const venue = await bitcoinApiVenue();
  const { client, userId } = await venue.addUser("ann", { USDT: "125.5" });
  await venue.addUser("ben", { USDT: "1000" });
  await venue.operate({ kind: "count_liabilities" });
  while ((await venue.anybody.read("/v2/ext/liabilities")).length === 0) await pause(5);
  const proof = (await client.read("/v2/ext/liability-proof")) as unknown as LiabilityProof;
  await venue.close();

  const file = join(folder, "proof.json");
  const verify = (...args: string[]) => bourse("verify-liability", file, ...args);
  writeFileSync(file, JSON.stringify({ code: 0, data: proof, message: "OK" }));
  const { head } = await verifyProof(proof);
  const sound = await verify("--account", String(userId), "--head", head, "--owed", "USDT=125.5");
  assert.equal(sound.code, 0, sound.stderr);
  assert.match(sound.stdout, /USDT +125\.50000000 +1125\.50000000/);
  assert.match(sound.stdout, /The proof holds\./);
  const told = JSON.parse((await verify("--json")).stdout);
  assert.deepEqual(told.owed, [{ ccy: "USDT", amount: "125.50000000", total: "1125.50000000" }]);

  for (const [args, sentence] of [
    [["--account", "999"], /of account \d+, and not of 999/],
    [["--head", "0".repeat(64)], /other totals than others/],
    [["--owed", "USDT=125.50000001"], /You had 125\.50000001 USDT/],
    [["--owed", "BTC=0.1"], /has 0 of yours/],
  ] as const) {
    const refused = await verify(...args);
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, sentence);
  }
  assert.equal((await verify("--owed", "much")).code, 2);

  const lowered = proof.currencies.map((root) => ({ ...root, total: "1125.49999999" }));
  writeFileSync(file, JSON.stringify({ ...proof, currencies: lowered }));
  assert.match((await verify()).stderr, /head is not the hash/);

  const server = createServer((_request, response) => response.end(JSON.stringify(proof)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  assert.equal((await bourse("verify-liability", `http://127.0.0.1:${port}/proof.json`)).code, 0);
  assert.equal((await bourse("verify-liability", "http://127.0.0.1:1/")).code, 1);
});
