import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ApiKeyPair } from "../support/api-client.ts";
import { bitcoinApiVenue } from "../support/served-venue.ts";

const skip = spawnSync("python3", ["--version"]).status === 0 ? false : "there is no python3";

test("a program in Python that has the standard library alone signs both generations", { skip }, async (t) => {
  const venue = await bitcoinApiVenue({ compat: true, strict: true });
  t.after(() => venue.close());
  const { client } = await venue.addUser("python", { USDT: "1000" });
  const { accessId, secret } = client.key as ApiKeyPair;
  const program = fileURLToPath(new URL("sign.py", import.meta.url));
  const given = [program, venue.base, accessId, secret, String(venue.control.timeMs)];
  const { stdout } = await promisify(execFile)("python3", given);
  assert.deepEqual(stdout.trim().split("\n"), [
    "POST /v2/spot/order 0",
    "GET /v2/spot/order-status 0",
    "POST /v2/spot/cancel-batch-order 0",
    "GET /v2/assets/spot/balance 0",
    "POST /v1/order/limit 0",
    "GET /v1/order/pending 0",
    "DELETE /v1/order/pending 0",
    "GET /v1/balance/ 0",
  ]);
});
