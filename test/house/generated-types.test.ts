import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { LEGACY_TYPES_FILE, legacyTypesText } from "../../scripts/generate-legacy-types.ts";
import { TYPES_FILE, typesText } from "../../scripts/generate-types.ts";
import { loadContract } from "../../src/gateway/current/contract.ts";
import { loadLegacyContract } from "../../src/gateway/legacy/contract.ts";

test("the types of the legacy generation are those of its contract", () => {
  const current = loadContract();
  const contracts = [loadLegacyContract("spot", current), loadLegacyContract("futures", current)];
  const message = "The contract has changed: run node scripts/generate-legacy-types.ts.";
  assert.ok(readFileSync(LEGACY_TYPES_FILE, "utf8") === legacyTypesText(contracts), message);
});

test("the types are those of the contract", () => {
  const message = "The contract has changed: run node scripts/generate-types.ts.";
  assert.ok(readFileSync(TYPES_FILE, "utf8") === typesText(loadContract()), message);
});
