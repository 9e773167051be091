/** Replays what releases have left with the program as it is now, and says in sentences what comes out differently. */
import { rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { decodeCommand } from "../../src/engine/command.ts";
import { refusalIn } from "../../src/engine/engine.ts";
import { decodeEvents } from "../../src/engine/event.ts";
import { recordWords, WordBuffer } from "../../src/engine/words.ts";
import type { LogGroup } from "../../src/log/chain.ts";
import { LogReader } from "../../src/log/reader.ts";
import { listSnapshots, readSnapshot, type Snapshot } from "../../src/log/snapshot-file.ts";
import { EngineMachine } from "../../src/venue/machine.ts";
import { checkScratch } from "../support/checked-scratch.ts";
import { changedForms } from "./forms.ts";
import { asKept, type GoldenStep, type GoldenVenue, unpack, unpackEvents } from "./golden.ts";

/** After so many one knows enough. */
const DIFFERENCES_MAX = 10;

/**
 * Every command must come to the same refusal and the same events; each snapshot, migrated, must be the state that the
 * replay has there, and lead to the same end.
 */
export function differencesOf(venue: GoldenVenue): string[] {
  const data = unpack(venue);
  try {
    const whole = new EngineMachine();
    checkScratch(whole.engine);
    const found = differencesIn(data, whole, unpackEvents(venue));
    if (found.length === 0) found.push(...changedForms(`${venue.rulesVersion}/${venue.name}`, whole.engine.state));
    return found.map((difference) => `rules ${venue.rulesVersion}, ${venue.name}: ${difference}`);
  } finally {
    rmSync(data, { recursive: true });
  }
}

/** A machine that has applied the whole log of the venue. */
export function replayed(venue: GoldenVenue): EngineMachine {
  const data = unpack(venue);
  const machine = new EngineMachine();
  const reader = new LogReader(data);
  for (const group of reader.groups()) machine.applyGroup(group);
  reader.close();
  rmSync(data, { recursive: true });
  return machine;
}

function differencesIn(data: string, whole: EngineMachine, steps: readonly GoldenStep[]): string[] {
  const snapshots = new Map(listSnapshots(data).heads.map(({ seq, file }) => [seq, readSnapshot(file)]));
  const found: string[] = [];
  const followers: EngineMachine[] = [];
  const reader = new LogReader(data);
  try {
    for (const group of reader.groups()) {
      for (const machine of followers) machine.applyGroup(group);
      found.push(...[...applied(whole, group, steps)].filter((difference) => difference !== undefined));
      if (found.length > DIFFERENCES_MAX) break;
      const snapshot = snapshots.get(whole.seq);
      if (snapshot === undefined) continue;
      const restored = new EngineMachine();
      found.push(...differenceAt(whole, restored, snapshot));
      followers.push(restored);
    }
  } finally {
    reader.close();
  }
  if (found.length === 0 && whole.seq !== steps.length) found.push(`The log ends at seq ${whole.seq}.`);
  const end = whole.stateHash();
  for (const machine of followers) {
    if (machine.stateHash() !== end)
      found.push("A snapshot and the rest of the log lead to another state than the whole log.");
  }
  return found;
}

/**
 * As `differencesOf`, without snapshots, of several venues in one process whose commands take turns: each must come to
 * what it comes to alone.
 */
export function differencesTogether(venues: readonly GoldenVenue[]): string[] {
  const found: string[] = [];
  let running = venues.map((venue) => ({ venue, steps: stepsOf(venue) }));
  while (running.length > 0 && found.length <= DIFFERENCES_MAX) {
    running = running.filter(({ venue, steps }) => {
      const { value, done } = steps.next();
      if (value !== undefined) found.push(`rules ${venue.rulesVersion}, ${venue.name}: ${value}`);
      return done !== true;
    });
  }
  // Closes the logs and takes the folders away, of those that did not come to their ends.
  for (const { steps } of running) steps.return(undefined);
  return found;
}

/** For each command of a venue, what it comes to otherwise than it did. */
function* stepsOf(venue: GoldenVenue): Generator<string | undefined, undefined> {
  const data = unpack(venue);
  const steps = unpackEvents(venue);
  const machine = new EngineMachine();
  checkScratch(machine.engine);
  const reader = new LogReader(data);
  try {
    for (const group of reader.groups()) yield* applied(machine, group, steps);
  } finally {
    reader.close();
    rmSync(data, { recursive: true });
  }
}

/** Applies a group; for each command, what it comes to otherwise than it did. */
function* applied({ engine }: EngineMachine, { firstSeq, timeMs, payload }: LogGroup, steps: readonly GoldenStep[]) {
  const records = WordBuffer.over(payload);
  let seq = firstSeq;
  for (let at = 0; at < records.length; at += recordWords(records, at), seq++) {
    engine.events.clear();
    const outcome = engine.apply(records, at, seq, timeMs);
    const events = [...decodeEvents(engine.events, outcome.from, outcome.to)];
    const now = asKept({ refusal: refusalIn(outcome) ?? "", events });
    const difference = differenceIn(steps[seq - 1] as GoldenStep, now);
    yield difference && `seq ${seq}, ${decodeCommand(records, at).kind}: ${difference}`;
  }
  engine.events.clear();
}

/** What was kept must be there still, field by field; an event may say more than it did. */
function differenceIn(kept: GoldenStep, now: GoldenStep): string | undefined {
  if (kept.refusal !== now.refusal) return `"${now.refusal}" instead of "${kept.refusal}".`;
  for (const [at, event] of kept.events.entries()) {
    const today = now.events[at] as Record<string, unknown> | undefined;
    if (today === undefined) return `there is no event ${JSON.stringify(event)}.`;
    if (!says(today, event)) return `the event ${JSON.stringify(today)} instead of ${JSON.stringify(event)}.`;
  }
  const more = now.events[kept.events.length];
  return more === undefined ? undefined : `the event ${JSON.stringify(more)} as well.`;
}

/** Whether all that `kept` says is in `now`. */
function says(now: unknown, kept: unknown): boolean {
  if (typeof kept !== "object" || kept === null || Array.isArray(kept)) return isDeepStrictEqual(now, kept);
  if (typeof now !== "object" || now === null) return false;
  return Object.entries(kept).every(([name, value]) => says((now as Record<string, unknown>)[name], value));
}

function differenceAt(whole: EngineMachine, restored: EngineMachine, snapshot: Snapshot | string): string[] {
  if (typeof snapshot === "string") return [`The snapshot at seq ${whole.seq} cannot be read: ${snapshot}.`];
  const at = `The snapshot at seq ${snapshot.seq}, of form ${snapshot.form},`;
  try {
    restored.restore(snapshot, snapshot.chunks);
  } catch (error) {
    return [`${at} cannot be taken over: ${(error as Error).message}`];
  }
  const hash = restored.stateHash();
  if (hash !== whole.stateHash()) return [`${at} is another state than the log comes to there.`];
  return snapshot.form === restored.form && hash !== snapshot.stateHash
    ? [`${at} has another hash than it states.`]
    : [];
}
