/**
 * `node test/golden/make.ts [--program DIR]` makes the golden venues of the rules that the program in DIR has, this one
 * unless said otherwise: whatever is released is written down once, by the release itself, and kept from then on. Only
 * what has been there since the first release is asked of the other program: its simulation, its engine and its log.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type GoldenStep, pack, packEvents, venueFolder } from "./golden.ts";

/**
 * Each shows what the others do not: stop orders; auctions with deducted fees; maintenance and settlement; positions
 * that wait in a suspended market; closes at market in thin books; funding out of isolated margin; liquidations with
 * deleveraging.
 */
const VENUES = [
  { world: "spot", seed: 13 },
  { world: "spot", seed: 28 },
  { world: "futures", seed: 2 },
  { world: "futures", seed: 14 },
  { world: "futures", seed: 22 },
  { world: "futures", seed: 28 },
  { world: "futures", seed: 34 },
  // Venues in which much happens to one part of spot: rules version 4 is the first that is kept with them.
  { world: "spot", part: "margin", seed: 3 },
  { world: "spot", part: "margin", seed: 8 },
  { world: "spot", part: "credit", seed: 5 },
  { world: "spot", part: "pools", seed: 6 },
  { world: "spot", part: "referral", seed: 9 },
  { world: "spot", part: "payments", seed: 4 },
] as const;
const COMMANDS = 900;
/** A group is a row of the log; all its commands have one time. */
const GROUP_COMMANDS_MAX = 8;
/** After so many commands a snapshot is taken, and at the end. */
const SNAPSHOT_EVERY = 450;
/** Simulated time starts at 1 s after 1970; a log of a real venue never does. */
const START_MS = 1_750_000_000_000;

const { values } = parseArgs({ options: { program: { type: "string" } } });
const program = resolve(values.program ?? fileURLToPath(new URL("../..", import.meta.url)));

// biome-ignore lint/suspicious/noExplicitAny: another version's modules, checked by what comes of them.
const from = (path: string): Promise<any> => import(pathToFileURL(join(program, path)).href);

const { Engine, refusalIn } = await from("src/engine/engine.ts");
const { encodeCommand } = await from("src/engine/command.ts");
const { decodeEvents } = await from("src/engine/event.ts");
const snapshot = await from("src/engine/snapshot.ts");
const { WordBuffer } = await from("src/engine/words.ts");
const { openDataDir } = await from("src/log/data-dir.ts");
const { openLogWriter } = await from("src/log/log-writer.ts");
const { recover } = await from("src/log/recovery.ts");
const { writeSnapshot } = await from("src/log/snapshot-file.ts");
const { hashOf } = await from("src/venue/machine.ts");
const rules = await from("src/engine/rules-version.ts").catch(() => ({ RULES_VERSION: 1 }));

for (const { world, seed, ...about } of VENUES) {
  const part = "part" in about ? about.part : undefined;
  await make(`${part ?? world}-${seed}`, await sourceOf(world, seed, part));
}

/** Gives the command of each step, and how long after the one before it comes. */
interface Source {
  readonly length: number;
  waitMs(at: number): number;
  // biome-ignore lint/suspicious/noExplicitAny: a command and a state of the other program.
  commandAt(at: number, state: any, timeMs: number): any;
}

async function sourceOf(world: "spot" | "futures", seed: number, part: string | undefined): Promise<Source> {
  if (world === "futures") {
    const { futuresSteps } = await from("test/simulation/futures/generator.ts");
    const { commandNow } = await from("test/simulation/futures/step.ts");
    const steps = futuresSteps(seed, COMMANDS);
    return {
      length: steps.length,
      waitMs: (at) => steps[at].waitMs + (steps[at].passMs ?? 0),
      commandAt: (at, state, timeMs) => commandNow(steps[at], state, timeMs),
    };
  }
  const spot = (path: string) => from(`test/simulation/spot/${path}`).catch(() => from(`test/simulation/${path}`));
  const { stepsOf } = await spot("generator.ts");
  const { settingsOf } = await spot("settings.ts");
  const { commandOf } = await spot("step.ts");
  const { ModelVenue } = await spot("model/venue.ts");
  const steps = stepsOf(settingsOf(seed, part), COMMANDS);
  const model = new ModelVenue();
  return {
    length: steps.length,
    waitMs: (at) => steps[at].waitMs,
    // The model goes along: it is what the spot simulation picks orders from.
    commandAt: (at, _state, timeMs) => {
      const command = commandOf(steps[at], model, timeMs);
      model.apply(command, timeMs);
      return command;
    },
  };
}

async function make(name: string, source: Source): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "bourse-golden-"));
  const data = join(work, "data");
  const dataDir = openDataDir(data);
  const idle = { seq: 0, form: 0, restore: () => {}, applyGroup: () => {}, stateHash: () => "" };
  const { end } = await recover(dataDir, idle);
  let durable = () => {};
  const writer = await openLogWriter(dataDir, end, {
    onDurable: () => durable(),
    onFault: (fault: Error) => {
      throw fault;
    },
  });

  const engine = new Engine();
  const steps: GoldenStep[] = [];
  const snapshots: string[] = [];
  const records = new WordBuffer(1024);
  let timeMs = START_MS;
  let firstSeq = 1;
  let sinceSnapshot = 0;
  if (rules.RULES_VERSION > 1) {
    const mark = { hash: "00".repeat(32), form: 0 };
    tell({ kind: "begin_epoch", rulesVersion: rules.RULES_VERSION, before: mark, after: mark });
    await closeGroup();
  }
  for (let at = 0; at < source.length; at++) {
    const waitMs = source.waitMs(at);
    if (waitMs > 0 || steps.length - firstSeq + 1 >= GROUP_COMMANDS_MAX) await closeGroup();
    timeMs += waitMs;
    tell(source.commandAt(at, engine.state, timeMs));
    if (at === source.length - 1) await closeGroup();
  }
  await writer.close();
  dataDir.release();

  const folder = venueFolder(rules.RULES_VERSION, name);
  for (const file of snapshots) renameSync(file, join(data, file.slice(file.lastIndexOf("/") + 1)));
  pack(data, folder);
  writeFileSync(join(folder, "events.br"), packEvents(steps));
  const figures = { rules_version: rules.RULES_VERSION, commands: steps.length, state_hash: hashOf(engine) };
  writeFileSync(join(folder, "golden.json"), `${JSON.stringify(figures, null, 2)}\n`);
  rmSync(work, { recursive: true, force: true });

  function tell(command: unknown): void {
    encodeCommand(records, command);
    engine.events.clear();
    const outcome = engine.execute(command, { seq: steps.length + 1, timeMs });
    const events = [...decodeEvents(engine.events, outcome.from, outcome.to)];
    steps.push({ refusal: refusalIn(outcome) ?? "", events });
  }

  async function closeGroup(): Promise<void> {
    const count = steps.length - firstSeq + 1;
    if (count === 0) return;
    const done = new Promise<void>((resolve) => {
      durable = resolve;
    });
    writer.append({ firstSeq, count, timeMs, payload: records.copy() });
    await done;
    records.clear();
    firstSeq += count;
    sinceSnapshot += count;
    if (sinceSnapshot < SNAPSHOT_EVERY && steps.length < source.length) return;
    sinceSnapshot = 0;
    const { state } = engine;
    const form = snapshot.SNAPSHOT_FORM;
    const meta = { seq: state.seq, timeMs: state.timeMs, form, rulesVersion: state.rulesVersion };
    const { file } = writeSnapshot(data, { ...meta, chunks: snapshot.takeSnapshot(state) });
    // Only the newest two would be kept.
    const kept = join(work, file.slice(file.lastIndexOf("/") + 1));
    renameSync(file, kept);
    snapshots.push(kept);
  }
}
