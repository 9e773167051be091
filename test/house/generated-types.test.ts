import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { TYPES_FILE, typesText } from "../../scripts/generate-types.ts";
import { loadContract } from "../../src/gateway/current/contract.ts";

test("the types are those of the contract", () => {
  const message = "The contract has changed: run node scripts/generate-types.ts.";
  assert.ok(readFileSync(TYPES_FILE, "utf8") === typesText(loadContract()), message);
});
