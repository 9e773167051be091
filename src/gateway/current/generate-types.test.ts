import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadContract } from "../contract.ts";
import { TYPES_FILE, typesText } from "./generate-types.ts";

test("the types are those of the contract", () => {
  const message = "The contract has changed: run node src/gateway/current/generate-types.ts.";
  assert.ok(readFileSync(TYPES_FILE, "utf8") === typesText(loadContract()), message);
});
