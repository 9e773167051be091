/**
 * Writes contract/legacy/examples.json: what a venue in which something of everything has happened answers to the
 * examples of the walk. The description of the legacy generation shows them. Run it after a change of what is answered:
 * `node test/conformance/legacy-answers.ts`.
 */
import { writeFileSync } from "node:fs";
import { loadContract } from "../../src/gateway/current/contract.ts";
import { legacyName, loadLegacyContract } from "../../src/gateway/legacy/contract.ts";
import type { LegacyName } from "../../src/gateway/legacy/types.generated.ts";
import { LegacyClient } from "../legacy/client.ts";
import { openStage } from "./examples.ts";
import { LEGACY_EXAMPLES } from "./legacy-examples.ts";

/** Rows and members that say all there is to say. */
const SHOWN = 2;

/** The key of the computed signatures in contract/legacy/README.md, in place of one that is made at random. */
const KEYS: Readonly<Record<string, string>> = {
  access_id: "0A1B2C3D4E5F60718293A4B5C6D7E8F9",
  secret_key: "F9E8D7C6B5A4938271605F4E3D2C1B0A0123456789ABCDEF",
};

const stage = await openStage();
const caller = new LegacyClient(stage.venue, stage.caller.client);
const answers: Record<string, unknown> = {};
for (const area of ["spot", "futures"] as const) {
  for (const endpoint of loadLegacyContract(area, loadContract()).endpoints) {
    const name = legacyName(endpoint) as LegacyName;
    const params = { ...(await LEGACY_EXAMPLES[name]?.(stage)) };
    const inPath = endpoint.params.filter((param) => param.in === "path").map((param) => param.name);
    const path = inPath.reduce((text, each) => text.replace(`{${each}}`, String(params[each])), endpoint.path);
    for (const each of inPath) delete (params as Record<string, unknown>)[each];
    const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
    const { code, message, data } = await caller.signed(endpoint.method, path, given);
    if (code === 0) answers[name] = { code, message, data: shortened(data) };
  }
}
await stage.venue.close();
writeFileSync(new URL("../../contract/legacy/examples.json", import.meta.url), `${JSON.stringify(answers, null, 1)}\n`);

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return (isTuple(value) ? value : value.slice(0, SHOWN)).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, KEYS[name] ?? shortened(each)]));
}

/** Levels and candles are whole or nothing. */
function isTuple(value: readonly unknown[]): boolean {
  return value.every((each) => typeof each !== "object");
}
