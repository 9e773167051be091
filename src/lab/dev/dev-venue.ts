import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { Engine, refusalIn } from "../../engine/engine.ts";
import { SecretVault } from "../../gateway/auth/secret-vault.ts";
import type { Node } from "../../venue/assembly/node.ts";
import { chanceFor } from "../../venue/fixed-world.ts";
import type { DevAccount, OperatorFiles } from "../../venue/operator-files.ts";
import { type Settings, SettingsError } from "../../venue/settings.ts";
import { devMarkets } from "../market/dev-markets.ts";
import { DEV_ACCOUNTS, devVenueCommands } from "../market/dev-venue.ts";
import { MarketSimulation } from "../market/market-simulation.ts";
import { everyRealMs } from "../market/venue.ts";
import type { InjectedFaults } from "./injected-faults.ts";
import { TimeLapse } from "./time-lapse.ts";

const WAIT_MS = 20;

/** The parts that the dev profile adds to a venue. */
export interface DevVenue {
  /** The sample accounts with their secrets. */
  readonly accounts: readonly DevAccount[];
  /** Moves the market, unless the settings say otherwise. */
  start(): void;
  /** Brings the market up to the venue's time at once, if it moves at all. */
  catchUp(): void;
  /**
   * Does `change` to the clock and settles when the market has lived up to it; undefined while the market does not
   * move.
   */
  readonly pass: ((change: () => void) => Promise<void>) | undefined;
  stop(): void;
  /** Restarts the market at the venue's time, as it would in a venue that comes back in this state. */
  renew(): void;
}

export interface DevVenueOptions {
  readonly node: Node;
  readonly vault: SecretVault;
  readonly files: OperatorFiles;
  readonly settings: Settings;
  /** The faults that are to happen. */
  readonly faults: InjectedFaults | undefined;
  /** Whether somebody else makes the prices of the markets of this name now. */
  readonly isHeld: (market: string) => boolean;
  readonly log: Logger;
}

/** Makes the dev profile's markets and accounts if the log is still empty, and what moves the markets. */
export async function makeDevVenue({
  node,
  vault,
  files,
  settings,
  faults,
  isHeld,
  log,
}: DevVenueOptions): Promise<DevVenue> {
  const { sequencer, engine } = node;
  // Of several nodes the leader makes the venue, and the others wait for it.
  while (node.replicated?.isLeading === false && engine.state.seq <= 1) await pause(WAIT_MS);
  // Of a new log the first command begins its first epoch.
  const isNew = engine.state.seq <= 1;
  if (isNew) await firstStart(node, vault, files, settings);
  else if (node.replicated !== undefined && settings.accounts === "fixed") files.writeDevAccounts(accountsOf(settings));
  const begin = (sinceMs?: number) =>
    new MarketSimulation(
      {
        state: engine.state,
        get isBusy() {
          return sequencer.isBusy;
        },
        now: () => sequencer.now(),
        submit: (command, applied) =>
          // A source that is silent is not waited for.
          (command.kind === "set_index_prices" && faults?.silences(command.market)) ||
          sequencer.submit(command, applied),
      },
      {
        seed: settings.seed,
        markets: devMarkets(settings.markets, settings.listing),
        onFault: (error) => log.error({ err: error }, "the simulated market stopped"),
        every: (intervalMs, run) => everyRealMs(intervalMs, () => lapse.beat(run)),
        sinceMs,
        isHeld,
      },
    );
  let simulation = begin();
  const lapse = new TimeLapse({
    clock: node.clock,
    virtual: node.virtualClock,
    simulation: () => simulation,
    sequencer,
    history: node.history,
  });
  if (isNew && node.clock.isHeld) {
    simulation.begin();
    await lapse.livePast(tellProgress(log));
  }
  return {
    accounts: files.devAccounts(),
    start: () => {
      if (settings.makers) simulation.start();
    },
    catchUp: () => simulation.catchUp(),
    get pass() {
      return simulation.isLiving ? (change: () => void) => lapse.pass(change) : undefined;
    },
    stop: () => simulation.stop(),
    renew: () => {
      simulation.stop();
      simulation = begin(sequencer.now());
      if (settings.makers) simulation.start();
    },
  };
}

/** Notes in the log, in steps of ten percent, how far the past of a new venue has come. */
function tellProgress(log: Logger): (share: number) => void {
  let told = -1;
  return (share) => {
    const percent = Math.floor(share * 10) * 10;
    if (percent > told) log.info({ percent }, "making the past: candles, deals and fundings (--past 0 starts without)");
    told = percent;
  };
}

function accountsOf(settings: Settings): DevAccount[] {
  return DEV_ACCOUNTS.map((name, index) => {
    const { accessId, secret } = SecretVault.keyPair(chanceFor(settings, `the key of ${name}`));
    return { name, user_id: index + 1, access_id: accessId, secret_key: secret };
  });
}

/** Tries the listing on an empty engine, so that nothing of one that breaks a rule is logged. Throws SettingsError. */
function tryListing({ listing, markets }: Settings): void {
  if (listing === undefined) return;
  const engine = new Engine();
  const keys = { alice: { accessId: "1", secretCipher: "" }, bob: { accessId: "2", secretCipher: "" } };
  for (const [at, command] of devVenueCommands(keys, markets, listing).entries()) {
    const outcome = engine.execute(command, { seq: at + 1, timeMs: TRIAL_MS });
    if (refusalIn(outcome) === undefined) continue;
    const { market = "", ccy = "" } = command as { market?: string; ccy?: string };
    throw new SettingsError(
      `The listing ${listing.name} breaks a rule at ${market || ccy || command.kind}: ` +
        `${outcome.detail ?? refusalIn(outcome)}`,
    );
  }
}

/** When the trial takes place does not matter. */
const TRIAL_MS = 1;

async function firstStart(
  { sequencer }: Node,
  vault: SecretVault,
  files: OperatorFiles,
  settings: Settings,
): Promise<void> {
  const accounts = accountsOf(settings);
  tryListing(settings);
  // Written first: once the log holds the keys, their secrets must not be lost to a crash.
  files.writeDevAccounts(accounts);
  const keys = Object.fromEntries(
    accounts.map(({ name, access_id: accessId, secret_key: secret }) => [
      name,
      { accessId, secretCipher: vault.seal(accessId, secret) },
    ]),
  ) as Parameters<typeof devVenueCommands>[0];
  // Submitted in one go they share a group: the log has all of them or none.
  const refusals = await Promise.all(
    devVenueCommands(keys, settings.markets, settings.listing).map((command) =>
      sequencer.ask(command, (outcome) => [command, refusalIn(outcome), outcome.detail]),
    ),
  );
  const refused = refusals.find(([, refusal]) => refusal !== undefined);
  if (refused !== undefined) throw new Error(`The dev profile's venue could not be made: ${JSON.stringify(refused)}`);
}
