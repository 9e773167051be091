import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, encodeCommand } from "../engine/command.ts";
import { POSTING } from "../engine/ledger/posting.ts";
import { WordBuffer } from "../engine/words.ts";
import { AuditMachine } from "./audit-machine.ts";

function applied(machine: AuditMachine, commands: readonly Command[]): void {
  const records = new WordBuffer(64);
  for (const command of commands) encodeCommand(records, command);
  machine.applyGroup({ firstSeq: machine.seq + 1, count: commands.length, timeMs: 1_000, payload: records.copy() });
}

const START: readonly Command[] = [
  { kind: "list_asset", ccy: "USDT", scale: 8 },
  { kind: "create_user", name: "alice" },
  { kind: "deposit", userId: 1, ccy: "USDT", amount: "5", note: "" },
];

test("a sound log leaves no finding, and the state is checked where it was asked for", () => {
  const machine = new AuditMachine({ every: 100, at: new Set([3]), events: true });
  applied(machine, START);
  applied(machine, [{ kind: "tick" }]);
  assert.deepEqual([machine.findings, machine.checks, machine.firstTimeMs], [[], 1, 1_000]);
});

test("a balance out of nothing is found by the state's own check and by the events", () => {
  const machine = new AuditMachine({ every: 100, at: new Set(), events: true });
  applied(machine, START);
  const { ledger } = machine.engine.state;
  ledger.post(new WordBuffer(8), ledger.findSpotCell(1, 0), 1n, 0n, POSTING.adjust, 0);
  machine.check();
  assert.deepEqual(machine.findings, [{ seq: 3, breach: "All cells of USDT sum to 1 units and not to 0." }]);
  applied(machine, [{ kind: "deposit", userId: 1, ccy: "USDT", amount: "5", note: "" }]);
  assert.match(machine.findings[1]?.breach ?? "", /^A posting to user 1's spot cell .* does not continue/);
});
