/**
 * One venue of the dev profile, and all at once against it: clients that go away in any state, spoilt requests to both
 * generations and the operators, spoilt messages over sockets, and a chain of which one node lies. In the end it must
 * serve, hold no more open than at the start, and be what its log says.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { mainProgram } from "../support/program.ts";
import { runningLimit } from "../support/running-time.ts";
import { IP_RATE, openFilesOf, Scene, severWhile } from "../support/severed.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { BesiegedChain, type ChainReport } from "./besieged-chain.ts";
import { type FuzzReport, play } from "./fuzz-run.ts";
import { World } from "./world.ts";

const MAIN = mainProgram();
/** Connections that go away side by side. */
const SEVERED_AT_ONCE = 8;
/** Generous: a busy machine is slow. */
const SETTLED_MS = 120_000;
const POLL_MS = 100;
/**
 * What the venue may have grown by: what is remembered of requests, and memory that is free again and not given back.
 */
const GROWTH_BYTES_MAX = 256 * 1_048_576;
/** Users, keys, orders and markets that were taken stay, and so does what history has in memory of them. */
const GROWTH_BYTES_PER_CASE = 1_024;

/** Whether each goes on, behind so many connections, cases, messages and rounds. */
export interface SiegeOptions {
  readonly seed: number;
  readonly goOn: (kind: SiegeKind, done: number) => boolean;
  readonly onProgress?: (kind: SiegeKind, done: number) => void;
}

export type SiegeKind = "severed" | "requests" | "messages" | "chain";

export interface SiegeReport {
  readonly severed: number;
  readonly requests: number;
  readonly messages: number;
  readonly chain: ChainReport;
  readonly commands: number;
  readonly openFiles: readonly [start: number, end: number];
  readonly residentBytes: readonly [start: number, end: number];
  readonly stateHash: string;
}

/** Throws at the first thing that must not be. */
export async function siege({ seed, goOn, onProgress }: SiegeOptions): Promise<SiegeReport> {
  const folder = mkdtempSync(join(tmpdir(), "bourse-siege-"));
  const chain = await BesiegedChain.open(seed);
  const options = ["--clock", "virtual", "--makers", "off", "--ip-rate", String(IP_RATE), "--long-limits", "none"];
  const venue = await VenueProcess.start(
    join(folder, "venue"),
    ...[...options, "--compat", "off", "--log-level", "warn", "--admin-port", "0", ...chain.options],
  );
  try {
    // Those to the chain's nodes come and go.
    const filesOf = async () => openFilesOf(venue.pid) - (await chain.connections());
    // SQLite keeps what a backup has opened for the next one.
    await venue.admin("/admin/backups", {});
    const openAtStart = await filesOf();
    const world = await World.over(venue, addressesOf("127.6"));
    await chain.settle(venue, () => world.nowMs);
    const scene = await Scene.over(venue);
    const bytesAtStart = await residentBytes(venue);
    let isOver = false;
    const ask = (kind: SiegeKind) => (done: number) => !isOver && goOn(kind, done);
    const tell = (kind: SiegeKind) => (done: number) => onProgress?.(kind, done);
    const shared = (kind: SiegeKind) => ({ seed, goOn: ask(kind), isAlone: false, onProgress: tell(kind) });
    const all = [
      severWhile(scene, ask("severed"), { seed, atOnce: SEVERED_AT_ONCE, onProgress: tell("severed") }),
      play(world, shared("requests")),
      play(world, { ...shared("messages"), only: "sockets" }),
      chain.play(ask("chain")),
    ] as const;
    // One that fails ends the others.
    for (const one of all) one.catch(() => (isOver = true));
    const ended = await Promise.allSettled(all);
    for (const one of ended) if (one.status === "rejected") throw one.reason;
    const [severed, requests, messages, rounds] = ended.map(
      (one) => (one as PromiseFulfilledResult<unknown>).value,
    ) as [number, FuzzReport, FuzzReport, number];

    // What was credited by spoilt calls is found missing up to a minute later, and halts withdrawals then.
    const chainReport = await chain.compare(rounds, () => liftAll(venue));
    await scene.assertServes();
    const openAtEnd = await settled(filesOf, openAtStart);
    const bytesAtEnd = await residentBytes(venue);
    const cases = severed + requests.cases + messages.cases;
    const grown = bytesAtEnd - bytesAtStart;
    assert.ok(grown <= GROWTH_BYTES_MAX + cases * GROWTH_BYTES_PER_CASE, `memory has grown by ${grown} bytes`);
    const live = await venue.admin("/admin/audit");
    assert.ok(live.ok, `the state is not sound any more: ${JSON.stringify(live.breaches)}`);
    assert.doesNotMatch(venue.complaints(), /failed unexpectedly/);
    chain.stop();
    const { state_hash } = await venue.admin("/admin/status");
    assert.equal(await venue.end("SIGTERM"), 0, venue.complaints());
    const audit = auditOf(venue.data);
    assert.equal(audit.ok, true, JSON.stringify(audit));
    assert.equal(audit.state_hash, state_hash, "the log replays to another state");
    return {
      ...{ severed, requests: requests.cases, messages: messages.cases, chain: chainReport, commands: audit.seq },
      openFiles: [openAtStart, openAtEnd],
      residentBytes: [bytesAtStart, bytesAtEnd],
      stateHash: audit.state_hash,
    };
  } finally {
    chain.stop();
    await venue.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes back what spoilt calls of the operator may have brought about for everybody. */
async function liftAll(venue: VenueProcess): Promise<void> {
  const { cancel_only, withdrawals_halted } = await venue.admin("/admin/status");
  if (cancel_only) await venue.admin("/admin/cancel-only", { cancel_only: false, reason: "siege" });
  if (withdrawals_halted !== null) await venue.admin("/admin/withdrawal-halt", { halted: false, reason: "siege" });
}

/** Waits until no more is open than at the start. */
async function settled(openFiles: () => Promise<number>, atStart: number): Promise<number> {
  const limit = runningLimit(SETTLED_MS);
  while ((await openFiles()) > atStart && !limit.signal.aborted) await pause(POLL_MS);
  limit.end();
  const open = await openFiles();
  assert.ok(open <= atStart, `${open} files are open, ${atStart} at the start`);
  return open;
}

/** The log replayed from its first command: invariants, and the hashes of all snapshots, the last one included. */
function auditOf(data: string): { readonly ok: boolean; readonly seq: number; readonly state_hash: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [MAIN, "audit", "--data", data, "--json"], {
    encoding: "utf8",
    maxBuffer: 64 * 1_048_576,
  });
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout);
}

async function residentBytes(venue: VenueProcess): Promise<number> {
  return Number(/^bourse_memory_bytes\{kind="resident"\} (\S+)$/m.exec(await venue.metrics())?.[1]);
}

/** Addresses of this machine, one after the other; those of a run are as many as there are. */
function addressesOf(network: string): () => string {
  let next = 0;
  return () => {
    const at = next++ % 65_000;
    return `${network}.${at >> 8}.${at & 255}`;
  };
}
