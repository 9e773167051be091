/** `bourse audit`: replays a log from its first command and checks everything on the way; or asks a running venue. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { sameBytes } from "../log/chain.ts";
import { readCommitMarker } from "../log/commit-marker.ts";
import { logPaths } from "../log/data-dir.ts";
import { LogDamaged } from "../log/errors.ts";
import { type ReplayReport, replay } from "../log/replay.ts";
import { listSnapshots, OLDER_FORM } from "../log/snapshot-file.ts";
import { totalsOf } from "../venue/audit.ts";
import { AdminClient, type VenueOptions, withVenueOptions } from "./admin-client.ts";
import { AuditMachine } from "./audit-machine.ts";
import { CliError, EXIT } from "./exit.ts";
import { dataDirWithLog } from "./log.ts";
import { lines, print, table } from "./output.ts";

interface AuditVerbOptions extends VenueOptions {
  readonly live?: boolean;
  readonly chains?: boolean;
  readonly quick?: boolean;
  /** Archives that come before the log, oldest first. */
  readonly with?: readonly string[];
  readonly every: number;
}

type Totals = Readonly<Record<string, { readonly custody: string; readonly users: string; readonly system: string }>>;

/** The verdict of an audit, in the words of GET /admin/audit. */
interface Verdict {
  readonly seq: number;
  readonly state_hash: string;
  readonly ok: boolean;
  readonly breaches: readonly string[];
  readonly totals: Totals;
}

/** A check of a small state takes less than applying this many commands. */
const EVERY_DEFAULT = 100_000;

export function addAuditVerb(program: Command): void {
  const every = (text: string) => {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError(`Say a whole number from 1 instead of ${text}.`);
    return Number(text);
  };
  const command = program
    .command("audit")
    .summary("check a log, or a running venue, from end to end")
    .description(
      "Replay a log from its first command: verify every group, hold the state against the invariants and against " +
        "every snapshot, check the events of every command, and add up what the venue holds. Changes nothing; a " +
        "venue may be running. Ends with code 3 when something does not hold.",
    )
    .addOption(
      new Option("--every <N>", "check the whole state after so many commands").argParser(every).default(EVERY_DEFAULT),
    )
    .option("--with <DIR...>", "go through these archives first, the oldest first, and hold what remains against them")
    .option("--quick", "leave out the events of every command")
    .option("--live", "ask the running venue about its present state instead")
    .option("--chains", "let the running venue hold what its ledger has in custody against what its chains hold");
  withVenueOptions(command).action((options: AuditVerbOptions) =>
    options.chains === true ? auditChains(options) : options.live === true ? auditLive(options) : auditLog(options),
  );
}

async function auditLive(options: AuditVerbOptions): Promise<void> {
  const verdict = (await AdminClient.of(options).call("GET", "/admin/audit")) as unknown as Verdict;
  conclude(verdict, options, lines({ seq: verdict.seq, "state hash": verdict.state_hash }));
}

async function auditChains(options: AuditVerbOptions): Promise<void> {
  const answer = await AdminClient.of(options).call("GET", "/admin/audit/chains");
  print(answer, options.json);
  const { troubles } = answer as { readonly troubles: readonly string[] };
  if (troubles.length > 0) throw new CliError(troubles.join(" "), { exitCode: EXIT.damaged });
}

async function auditLog(options: AuditVerbOptions): Promise<void> {
  const dir = dataDirWithLog(options.data);
  // Read before the log: what was acknowledged by now must be in it, whatever a running venue adds.
  const acknowledged = readCommitMarker(dir);
  const dirs = [...(options.with ?? []).map((archive) => dataDirWithLog(archive)), dir];
  const at = new Set(dirs.flatMap((each) => listSnapshots(each).heads.map(({ seq }) => seq)));
  const machine = new AuditMachine({ every: options.every, at, events: options.quick !== true });
  const report = await replayAll(dirs, machine);
  if (acknowledged !== undefined && acknowledged.lastSeq > report.end.lastSeq) {
    const what =
      `commands up to seq ${acknowledged.lastSeq} were ` +
      `acknowledged, but the log ends at seq ${report.end.lastSeq}`;
    throw new LogDamaged(what, { file: logPaths(dir).log, lastSoundSeq: report.end.lastSeq });
  }
  machine.check();
  const totals = totalsOf(machine.engine.state);
  const breaches = [
    ...machine.findings.map(({ seq, breach }) => `At seq ${seq}: ${breach}`),
    ...report.unsoundSnapshots
      .filter(({ reason }) => reason !== OLDER_FORM)
      .map(({ file, reason }) => `The snapshot ${file} is unsound: ${reason}.`),
  ];
  const verdict: Verdict = {
    seq: machine.seq,
    state_hash: machine.stateHash(),
    ok: breaches.length === 0,
    breaches,
    totals: Object.fromEntries(totals.map(({ ccy, custody, users, system }) => [ccy, { custody, users, system }])),
  };
  conclude(verdict, options, reportText(dir, machine, report));
}

/** Replays archives and the log that goes on with them; the chain of each must join that of the one before. */
async function replayAll(dirs: readonly string[], machine: AuditMachine): Promise<ReplayReport> {
  let before: ReplayReport | undefined;
  for (const dir of dirs) {
    const report: ReplayReport = await replay(dir, machine, { from: before === undefined ? "start" : "machine" });
    if (before !== undefined) {
      const joins = report.venueId === before.venueId && sameBytes(report.start.lastHash, before.end.lastHash);
      if (!joins)
        throw new LogDamaged("its first group does not follow what is before it", { file: logPaths(dir).log });
    }
    before = {
      ...report,
      snapshot: before === undefined ? report.snapshot : before.snapshot,
      replayedCommands: report.replayedCommands + (before?.replayedCommands ?? 0),
      replayMs: report.replayMs + (before?.replayMs ?? 0),
      confirmedSnapshots: [...(before?.confirmedSnapshots ?? []), ...report.confirmedSnapshots],
      unsoundSnapshots: [...(before?.unsoundSnapshots ?? []), ...report.unsoundSnapshots],
    };
  }
  return before as ReplayReport;
}

function reportText(dir: string, machine: AuditMachine, report: ReplayReport): string {
  const { replayedCommands: commands, replayMs, confirmedSnapshots } = report;
  const rate = Math.round(commands / Math.max(replayMs / 1_000, 0.001));
  const time = (ms: number) => (ms === 0 ? "-" : new Date(ms).toISOString());
  const snapshots = confirmedSnapshots.map(({ seq }) => seq);
  return lines({
    log: dir,
    commands: count(commands),
    "begins after": report.snapshot === undefined ? "nothing" : `seq ${report.snapshot.seq}, with a snapshot`,
    first: time(machine.firstTimeMs),
    last: time(machine.engine.state.timeMs),
    "replayed in": `${(replayMs / 1_000).toFixed(1)} s, ${count(rate)} commands a second`,
    "whole state checked": `${count(machine.checks)} times`,
    "snapshots met again": snapshots.length === 0 ? "none" : `at seq ${snapshots.join(", ")}`,
    "state hash": machine.stateHash(),
  });
}

/** Prints what was found; what does not hold ends the call with its own code. */
function conclude(verdict: Verdict, options: AuditVerbOptions, figures: string): void {
  if (options.json === true) process.stdout.write(`${JSON.stringify(verdict)}\n`);
  else process.stdout.write(`${figures}\n${totalsText(verdict.totals)}\n`);
  if (verdict.ok) {
    if (options.json !== true) process.stdout.write("Everything holds.\n");
    return;
  }
  const { length } = verdict.breaches;
  const begin = length === 1 ? "One thing does not hold" : `${length} things do not hold`;
  const sentence = `${begin}:\n  ${verdict.breaches.join("\n  ")}`;
  throw new CliError(sentence, { exitCode: EXIT.damaged });
}

function totalsText(totals: Totals): string {
  const rows = Object.entries(totals).map(([ccy, { custody, users, system }]) => [ccy, custody, users, system]);
  return table(["asset", "custody", "users", "system"], rows);
}

function count(number: number): string {
  return number.toLocaleString("en");
}
