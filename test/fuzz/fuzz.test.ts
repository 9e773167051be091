import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointName, loadContract } from "../../src/gateway/current/contract.ts";
import { legacyName, loadLegacyContract } from "../../src/gateway/legacy/contract.ts";
import { ADMIN_CALLS } from "../../src/gateway/parts.ts";
import { fuzz } from "./fuzz-run.ts";

test("a venue takes thousands of spoilt requests to every endpoint, method and call of the operator without falling, hanging or changing what it refused", async () => {
  const report = await fuzz({ requests: 4_000, seed: 20_261_120 });
  assert.ok((report.codes.get(0) ?? 0) > 100, "hardly anything was accepted: the grammar makes nothing sound any more");
  assert.ok((report.codes.get(3639) ?? 0) > 100, "hardly anything was refused: the grammar spoils nothing any more");
  assert.ok(report.hashed > 50, `only ${report.hashed} refusals were looked at`);
  for (const endpoint of loadContract().endpoints) {
    assert.ok(report.names.has(endpointName(endpoint)), `${endpointName(endpoint)} was never called`);
  }
  for (const area of ["spot", "futures"] as const) {
    for (const endpoint of loadLegacyContract(area, loadContract()).endpoints) {
      assert.ok(report.names.has(legacyName(endpoint)), `${legacyName(endpoint)} was never called`);
    }
  }
  for (const { method, path } of ADMIN_CALLS) {
    assert.ok(report.names.has(`${method} ${path}`), `the operator's ${method} ${path} was never called`);
  }
});
