/** Plays many cases against a venue of its own and watches it: answers, state, memory and life. */
import { loadContract } from "../../src/gateway/current/contract.ts";
import { AdminSource } from "./admin-source.ts";
import { Chance } from "./chance.ts";
import { EndpointSource } from "./endpoint-source.ts";
import { currentGeneration } from "./http-source.ts";
import { currentAnswers, HttpJudge, legacyAnswers } from "./judge.ts";
import { legacyGeneration } from "./legacy-source.ts";
import { SocketSource } from "./socket-source.ts";
import type { FuzzCase, FuzzSource, Verdict } from "./source.ts";
import { World } from "./world.ts";

export const FUZZ_KINDS = ["current", "legacy", "sockets", "admin"] as const;
export type FuzzKind = (typeof FUZZ_KINDS)[number];

export interface FuzzOptions extends PlayOptions {
  readonly requests: number;
}

export interface PlayOptions {
  readonly seed: number;
  /** Of these alone; undefined: of everything. */
  readonly only?: FuzzKind | undefined;
  readonly onProgress?: ((played: number) => void) | undefined;
}

/** Of a run that shares its venue with others. */
export interface SharedOptions extends PlayOptions {
  /** Whether a further case is played behind so many. */
  readonly goOn: (played: number) => boolean;
  /** Nobody else changes the state: whether refused cases do is looked at by its hash, and so is the memory. */
  readonly isAlone: boolean;
}

export interface FuzzReport {
  readonly cases: number;
  /** How often each code was answered. */
  readonly codes: ReadonlyMap<number, number>;
  /** How many cases each endpoint, or way in, had. */
  readonly names: ReadonlyMap<string, number>;
  /** Refused cases before and after which the state was hashed. */
  readonly hashed: number;
  readonly residentGrowthBytes: number;
}

/** A failure is a sentence about what went wrong, with the seed, and a command that sends the case again. */
export class FuzzFailure extends Error {
  readonly code = "FUZZ";
}

/** One case in so many is played between two looks at the hash of the state. */
const HASHED_EVERY = 20;
const ADVANCED_EVERY = 250;
/** Longer than a stop order waits, shorter than a window of the rate of candles. */
const ADVANCE_MS_MAX = 90_000;
const LOOKED_EVERY = 2_000;
/** The memory of a warm venue may grow by this, and by what the log in memory keeps of each case. */
const GROWTH_BYTES = 256 * 1_048_576;
const GROWTH_BYTES_PER_CASE = 4_096;

/** Plays so many cases against a venue of their own. */
export async function fuzz({ requests, ...options }: FuzzOptions): Promise<FuzzReport> {
  const world = await World.open();
  try {
    const report = await play(world, { ...options, goOn: (played) => played < requests, isAlone: true });
    await audit(world, options.seed);
    return report;
  } finally {
    await world.venue.end("SIGTERM");
  }
}

/** Plays cases against a venue. */
export async function play(
  world: World,
  { seed, only, goOn, isAlone, onProgress }: SharedOptions,
): Promise<FuzzReport> {
  const chance = new Chance(seed);
  const contract = loadContract();
  const [current, legacy] = [currentAnswers(contract), legacyAnswers()];
  const anyJudge = new HttpJudge(current, legacy);
  const stage = { world, chance, anyJudge };
  const http = new EndpointSource(currentGeneration(contract, world, chance), {
    ...stage,
    judge: new HttpJudge(current),
  });
  const legacyOnes = (["spot", "futures"] as const).map(
    (area) => new EndpointSource(legacyGeneration(area, world, chance), { ...stage, judge: new HttpJudge(legacy) }),
  );
  // Requests change things, and there are many more of them: they come oftener.
  const sockets = new SocketSource(world, chance, "spot");
  const admin = new AdminSource(contract, world, chance);
  const byKind: Readonly<Record<FuzzKind, readonly FuzzSource[]>> = {
    current: [http, http, http],
    legacy: legacyOnes,
    sockets: [sockets],
    admin: [admin],
  };
  const sources = only === undefined ? Object.values(byKind).flat() : byKind[only];
  const codes = new Map<number, number>();
  const names = new Map<string, number>();
  let played = 0;
  let hashed = 0;
  let hasEnded = false;
  let warmBytes = 0;
  let growth = 0;
  try {
    for (; goOn(played); played++) {
      const each = chance.pick(sources).next();
      // The end of a connection may cancel orders, now or while the next case is played.
      const looks = isAlone && played % HASHED_EVERY === 0 && !hasEnded;
      const before = looks ? await world.stateHash() : "";
      const { breaches, refused, codes: answered, endsConnection = false } = await playOf(each);
      hasEnded = endsConnection;
      const complaints = [...breaches];
      if (looks && refused && !hasEnded && breaches.length === 0) {
        hashed++;
        if ((await world.stateHash()) !== before) complaints.push("It was refused, and yet it changed the state.");
      }
      if (complaints.length > 0) fail(each, played, seed, complaints);
      for (const code of answered) count(codes, code);
      count(names, each.name);
      if (played % ADVANCED_EVERY === ADVANCED_EVERY - 1) await world.advance(1 + chance.below(ADVANCE_MS_MAX));
      if (played % LOOKED_EVERY === 0 && isAlone) {
        const bytes = await residentBytes(world);
        if (played <= LOOKED_EVERY) warmBytes = bytes;
        growth = bytes - warmBytes;
        if (growth > GROWTH_BYTES + played * GROWTH_BYTES_PER_CASE) {
          throw new FuzzFailure(`Seed ${seed}: memory has grown by ${growth} bytes after ${played} cases.`);
        }
      }
      if (played % LOOKED_EVERY === 0) onProgress?.(played);
    }
    return { cases: played, codes, names, hashed, residentGrowthBytes: growth };
  } finally {
    for (const source of sources) source.close();
  }
}

async function playOf(each: FuzzCase): Promise<Verdict> {
  try {
    return await each.play();
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    const why = cause === undefined ? error : `${error}: ${cause}`;
    return { breaches: [`The case could not be played: ${why}`], refused: false, codes: [] };
  }
}

function fail(each: FuzzCase, played: number, seed: number, complaints: readonly string[]): never {
  const text = [
    `Case ${played + 1} of seed ${seed} (${each.name}):`,
    ...complaints.map((complaint) => `  ${complaint}`),
    `Again: npm run tool fuzz -- --seed ${seed} --requests ${played + 1}`,
    `Alone: ${each.reproduction()}`,
  ];
  throw new FuzzFailure(text.join("\n"));
}

async function audit(world: World, seed: number): Promise<void> {
  const { ok, breaches } = await world.venue.admin("/admin/audit");
  if (!ok) throw new FuzzFailure(`Seed ${seed}: the state is not sound any more: ${JSON.stringify(breaches)}`);
  const failures = world.venue.complaints().match(/.*"a request failed unexpectedly".*/g) ?? [];
  if (failures.length > 0) throw new FuzzFailure(`Seed ${seed}: the venue logged ${failures.join("\n")}`);
}

async function residentBytes(world: World): Promise<number> {
  const figure = /^bourse_memory_bytes\{kind="resident"\} (\S+)$/m.exec(await world.venue.metrics())?.[1];
  if (figure === undefined) throw new FuzzFailure("The venue shows no figure of its memory.");
  return Number(figure);
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
