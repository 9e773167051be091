import assert from "node:assert/strict";
import { test } from "node:test";
import { type SiegeKind, siege } from "./siege-run.ts";

const AMOUNTS: Readonly<Record<SiegeKind, number>> = { severed: 300, requests: 300, messages: 150, chain: 40 };

test("a venue lives through clients that go away, spoilt requests and messages and a lying node at once, and is what its log says", async () => {
  const report = await siege({ seed: 20_261_126, goOn: (kind, done) => done < AMOUNTS[kind] });
  assert.ok(report.severed >= AMOUNTS.severed, `${report.severed} connections ended`);
  assert.deepEqual([report.requests, report.messages, report.chain.rounds], [300, 150, 40]);
  assert.ok(
    report.chain.lies > 20 && report.chain.deposits > 0 && report.chain.withdrawals > 0,
    JSON.stringify(report),
  );
  assert.ok(report.commands > 100);
});
