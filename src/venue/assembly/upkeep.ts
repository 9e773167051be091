import type { JsonCommand } from "../../engine/command.ts";
import { SeededChance } from "../../gateway/auth/chance.ts";
import { SetUpAuthority } from "../authority.ts";
import { InvariantMonitor } from "../invariant-monitor.ts";
import type { DevVenue, InjectedFaults, Lab } from "../lab.ts";
import type { Settings } from "../settings.ts";
import type { WatchedNode } from "./watch.ts";
import type { World } from "./world.ts";

/** Time passes in the engine at least this often, no matter who is quiet. */
const TICK_MS = 1_000;
/** A command's text has a bound; the whole list of breaches is in the log file of the process. */
const REASON_CHARS_MAX = 1_000;

/** The work that a venue does by itself. */
export interface Upkeep {
  /** Faults that happen on purpose; undefined outside the dev profile, as is `dev`. */
  readonly faults: InjectedFaults | undefined;
  readonly dev: DevVenue | undefined;
  readonly invariantMonitor: InvariantMonitor;
  /** Advances time, watches chains and moves markets; resolves when the settings are in the log. */
  start(): Promise<void>;
}

/**
 * Makes the dev profile's markets where they are missing, opens chains and lets the guards look. `isHeld`: see
 * DevVenueOptions.
 */
export async function openUpkeep(
  settings: Settings,
  node: WatchedNode,
  isHeld: (market: string) => boolean,
  { log, opened }: World,
): Promise<Upkeep> {
  const { vault, files, chains, disk, store, lab } = node;
  const faults = lab && faultsOf(lab, settings, node);
  opened.defer(() => faults?.close());
  const dev = await lab?.makeDevVenue({ node, vault, files, settings, faults, isHeld, log });
  opened.defer(() => chains.stop());
  await chains.start();
  for (const guard of [disk, store]) {
    opened.defer(() => guard?.stop());
    guard?.start();
  }
  const invariantMonitor = invariantMonitorOf(node, log);
  return {
    faults,
    dev,
    invariantMonitor,
    start: () => start(settings, node, { dev, invariantMonitor }, { log, opened }),
  };
}

function faultsOf(lab: Lab, { seed }: Settings, { sequencer }: WatchedNode): InjectedFaults {
  return new lab.InjectedFaults({
    chanceOf: (faultId) => new SeededChance(seed, `fault ${faultId}`),
    note: (text) => void sequencer.submit({ kind: "note", actor: "faults", text }),
    now: () => sequencer.now(),
  });
}

function invariantMonitorOf({ engine, figures, submitAction }: WatchedNode, log: World["log"]): InvariantMonitor {
  return new InvariantMonitor({
    state: engine.state,
    onChecked: (breaches, heldUpMs) => figures.checked(breaches.length, heldUpMs),
    onFailed: (error) =>
      log.error({ reason: error.message }, "a copy of the state could not be held against the invariants"),
    onBreach: (breaches) => {
      log.fatal({ breaches }, "an invariant is broken: from now on the venue takes cancels only");
      const reason = breaches.join(" ").slice(0, REASON_CHARS_MAX);
      submitAction({ kind: "set_cancel_only", actor: "guardian", cancelOnly: true, reason });
    },
  });
}

async function start(
  settings: Settings,
  node: WatchedNode,
  { dev, invariantMonitor }: Pick<Upkeep, "dev" | "invariantMonitor">,
  { log, opened }: Pick<World, "log" | "opened">,
): Promise<void> {
  const { sequencer, engine, clock, disk, duties, chains, monitor, liabilities, isOnDuty, submitAction } = node;
  const { state } = engine;
  const authority = new SetUpAuthority({
    ...{ state, settings, log },
    submit: (command: JsonCommand) =>
      new Promise((resolve) => {
        if (!submitAction(command, () => resolve())) resolve();
      }),
  });
  // Where time stands, nothing falls due, and nothing needs to stand in the log.
  const ticking = setInterval(() => {
    // Several nodes begin new rules only when all of them have those.
    if (isOnDuty()) void authority.keep();
    // What lives through a stretch of time brings its own commands.
    if (disk?.level === "full") return;
    if (isOnDuty() && !clock.isHeld && sequencer.now() > state.timeMs) sequencer.submit({ kind: "tick" });
  }, TICK_MS);
  invariantMonitor.start();
  monitor.start();
  liabilities.start();
  opened.defer(() => monitor.stop());
  if (duties === undefined) dev?.start();
  // Of several nodes the leader alone does it.
  else duties.start(ownWork(dev, chains));
  // The first who asks finds the market that everybody finds.
  await sequencer.ask({ kind: "tick" }, () => {});
  opened.defer(() => {
    clearInterval(ticking);
    invariantMonitor.stop();
    dev?.stop();
  });
  await authority.keep();
}

function ownWork(dev: DevVenue | undefined, chains: WatchedNode["chains"]) {
  return {
    begin: async () => {
      dev?.renew();
      await chains.pause();
      await chains.start();
    },
    end: async () => {
      dev?.stop();
      await chains.pause();
    },
  };
}
