/**
 * The chains of a venue: a worker at each that something moves on, by its listing. Those with terms in the settings are
 * reached over nodes; the dev profile simulates all others.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Chain } from "../chains/chain.ts";
import type { EvmOptions } from "../chains/chain-terms.ts";
import { ChainWorker } from "../chains/chain-worker.ts";
import { openEvmChain } from "../chains/open.ts";
import { PaymentBook } from "../chains/payment-book.ts";
import { type Reconciled, reconcile } from "../chains/reconcile.ts";
import type { VenueLink } from "../chains/venue-link.ts";
import { haltOf, withdrawalHalts } from "../engine/chains/withdrawal-halt.ts";
import { refusalIn } from "../engine/engine.ts";
import { formatDecimal, parseDecimal } from "../engine/money/decimal.ts";
import { divCeil } from "../engine/money/rounding.ts";
import { findSimulatedChain } from "../engine/simulated-chain/ledger.ts";
import type { AdminChains, ChainRow } from "../gateway/admin/backend.ts";
import { seedName } from "../gateway/auth/sealed.ts";
import type { SecretVault } from "../gateway/auth/secret-vault.ts";
import type { ChainAddresses } from "../gateway/backend.ts";
import type { Lab } from "./lab.ts";
import type { Sequencer } from "./sequencer.ts";
import { type WaitingByChain, waitingByChain } from "./waiting-withdrawals.ts";

/** New listings are looked for this often; nothing waits for it but the first block of a new chain. */
const LISTINGS_MS = 1_000;
/** A simulated chain costs nothing to look at. */
const SIMULATED_POLL_MS = 200;
/** Chains are asked what they hold this often. */
const RECONCILE_MS = 60_000;
/** A worker that reads a long stretch of its chain is not waited for longer; what is found then halts nothing. */
const HOLD_MS = 5_000;
/**
 * A round that waits for a node is not waited for longer when the venue stops: wherever it ends, the next start goes
 * on.
 */
const STOP_MS = 2_000;

export interface VenueChainsOptions {
  readonly sequencer: Sequencer;
  readonly state: VenueLink["state"];
  readonly vault: SecretVault;
  /** By name. */
  readonly terms: ReadonlyMap<string, EvmOptions>;
  /** Opens a chain without terms as a simulated one; undefined where none is simulated. */
  readonly openSimulated: Lab["openSimulatedChain"] | undefined;
  /** Of simulated addresses. */
  readonly seed: number;
  /** Amounts that are held outside of all chains, by currency. */
  readonly elsewhere: ReadonlyMap<string, string>;
  /** Whether withdrawals are halted when custody is short of what the ledger says. */
  readonly haltsOnShortfall: boolean;
  /** Whether this node watches chains and pays; others only name addresses. Unless given it does. */
  readonly isOnDuty?: (() => boolean) | undefined;
  readonly log: Logger;
}

export class VenueChains implements AdminChains, ChainAddresses {
  readonly #options: VenueChainsOptions;
  readonly #link: VenueLink;
  readonly #workers = new Map<string, ChainWorker>();
  /** Chains that are being opened. */
  readonly #opening = new Map<string, Promise<void>>();
  /** Why chains could not be opened, by their names. */
  readonly #unopened = new Map<string, string>();
  #timers: readonly NodeJS.Timeout[] = [];
  #isStopped = false;
  /** The result of the last reconciliation; undefined before the first. */
  #reconciled: Reconciled | undefined;

  constructor(options: VenueChainsOptions) {
    const { sequencer, state } = options;
    this.#options = options;
    this.#link = {
      state,
      now: () => sequencer.now(),
      enter: (commands) =>
        Promise.all(
          commands.map((command) =>
            sequencer.ask(command, (outcome) => ({ refusal: refusalIn(outcome), detail: outcome.detail })),
          ),
        ),
    };
  }

  /** Opens what is listed, and goes on looking. */
  async start(): Promise<void> {
    this.#isStopped = false;
    await this.#openListed();
    const listings = setInterval(() => void this.#openListed(), LISTINGS_MS);
    const audits = setInterval(() => void this.reconcile().catch(() => undefined), RECONCILE_MS);
    this.#timers = [listings.unref(), audits.unref()];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    const rounds = Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
    let late: NodeJS.Timeout | undefined;
    await Promise.race([rounds, new Promise((resolve) => (late = setTimeout(resolve, STOP_MS)))]);
    clearTimeout(late);
  }

  /**
   * As `stop`, of a venue that goes back: what the workers know is forgotten, and `start` begins with what is listed
   * then.
   */
  async pause(): Promise<void> {
    await this.stop();
    await Promise.all(this.#opening.values());
    this.#workers.clear();
    this.#unopened.clear();
    this.#reconciled = undefined;
  }

  async caughtUp(chain?: string): Promise<void> {
    await this.#openListed();
    const workers = chain === undefined ? this.#simulated() : [this.#workers.get(chain)];
    await Promise.all(workers.map((worker) => worker?.caughtUp()));
  }

  async hold(): Promise<() => void> {
    const workers = this.#simulated();
    await Promise.all(workers.map((worker) => worker.hold()));
    return () => {
      for (const worker of workers) worker.letGo();
    };
  }

  async opened(chain: string): Promise<boolean> {
    if (!this.#workers.has(chain)) await this.#openListed();
    return this.#workers.has(chain);
  }

  async addressOf(chain: string, userId: number, renewals: number): Promise<string | undefined> {
    await this.opened(chain);
    try {
      return await this.#workers.get(chain)?.chain.address(userId, renewals);
    } catch (error) {
      this.#options.log.warn({ chain, err: error }, "the chain gave no address");
      return undefined;
    }
  }

  normalized(chain: string, address: string): string | undefined {
    return this.#workers.get(chain)?.chain.normalized(address);
  }

  list(waiting: WaitingByChain = waitingByChain(this.#options.state)): readonly ChainRow[] {
    const served = [...this.#workers.values()].map((worker): ChainRow => {
      const { chain, height, trouble } = worker;
      const book = new PaymentBook(this.#link, chain.name);
      return {
        chain: chain.name,
        kind: chain.kind,
        height,
        payments: book.all().length,
        unswept: book.known?.unswept.size ?? 0,
        hotAddress: chain.hotAddress,
        trouble,
      };
    });
    return [...served, ...this.#unserved(waiting)];
  }

  /** Chains that have no worker, and over which somebody waits to be paid or that are to be opened. */
  #unserved(waiting: WaitingByChain): ChainRow[] {
    const { terms } = this.#options;
    const chains = new Set([...this.#unopened.keys(), ...waiting.keys()]);
    const unserved = [...chains].filter((chain) => !this.#workers.has(chain));
    return unserved.map((chain): ChainRow => {
      const trouble = `${this.#whyUnserved(chain)} ${waiting.get(chain)?.count ?? 0} withdrawals wait.`;
      const book = new PaymentBook(this.#link, chain);
      const { height = 0, unswept } = book.known ?? {};
      const kind = terms.has(chain) ? "evm" : "none";
      return {
        ...{ chain, kind, height, payments: book.all().length },
        ...{ unswept: unswept?.size ?? 0, hotAddress: "", trouble },
      };
    });
  }

  #whyUnserved(chain: string): string {
    const { terms, openSimulated } = this.#options;
    const why = this.#unopened.get(chain);
    if (why !== undefined) return `${chain} could not be opened, and is tried again: ${why}`;
    return openSimulated !== undefined || terms.has(chain)
      ? `${chain} is being opened.`
      : `The setting chains has no terms of ${chain}.`;
  }

  async reconcile(): Promise<Reconciled> {
    const workers = [...this.#workers.values()];
    // Between two rounds the log knows all that the chains showed: what one of them has paid out is not taken for
    // missing.
    const areStill = await Promise.race([
      Promise.all(workers.map((worker) => this.#still(worker))).then(() => true),
      pause(HOLD_MS, false, { ref: false }),
    ]);
    try {
      const { state, elsewhere } = this.#options;
      const chains = workers.map(({ chain }) => chain);
      const found = await reconcile(state, chains, elsewhere);
      this.#reconciled = found;
      if (areStill && found.isWhole && workers.every(({ isCurrent }) => isCurrent)) await this.#noteShortfalls(found);
      return found;
    } finally {
      for (const worker of workers) worker.letGo();
    }
  }

  /**
   * Settles when no round runs. A worker that has not looked since it was opened, or whose last look failed, looks
   * first.
   */
  async #still(worker: ChainWorker): Promise<void> {
    await worker.hold();
    if (!worker.isCurrent && this.#options.isOnDuty?.() !== false) await worker.caughtUp();
  }

  /** Tells the log when something else is missing than it knows; the engine decides whether withdrawals go on. */
  async #noteShortfalls({ currencies }: Reconciled): Promise<void> {
    const { state, haltsOnShortfall, isOnDuty, log } = this.#options;
    if (!haltsOnShortfall || isOnDuty?.() === false) return;
    const shortfalls = currencies.flatMap(({ ccy, missing }) => (/[1-9]/.test(missing) ? [{ ccy, missing }] : []));
    const known = withdrawalHalts.of(state).missing;
    const isKnown =
      shortfalls.length === known.size &&
      shortfalls.every(({ ccy, missing }) => {
        const asset = state.assetByCcy.get(ccy);
        return asset !== undefined && known.get(ccy) === parseDecimal(missing, asset.scale);
      });
    if (isKnown) return;
    const before = haltOf(state);
    await this.#link.enter([{ kind: "note_shortfalls", shortfalls }]);
    const after = haltOf(state);
    if (before === undefined && after !== undefined) {
      log.error({ reason: after.reason }, "withdrawals over chains are halted until an operator resumes them");
    }
  }

  /** Of the last reconciliation; empty before the first. */
  get held(): Reconciled["currencies"] {
    return this.#reconciled?.currencies ?? [];
  }

  #simulated(): ChainWorker[] {
    return [...this.#workers.values()].filter(({ chain }) => chain.kind === "simulated");
  }

  async #openListed(): Promise<void> {
    const { state, terms, openSimulated } = this.#options;
    const listed = new Set(state.assets.flatMap(({ chains }) => chains.map(({ chain }) => chain)));
    const wanted = [...listed].filter(
      (name) => !this.#workers.has(name) && (openSimulated !== undefined || terms.has(name)),
    );
    await Promise.all(wanted.map((name) => this.#opened(name)));
  }

  #opened(name: string): Promise<void> {
    const known = this.#opening.get(name);
    if (known !== undefined) return known;
    const opening = this.#open(name)
      .then(() => void this.#unopened.delete(name))
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        const isNew = this.#unopened.get(name) !== why;
        this.#unopened.set(name, why);
        // It is tried again each second: once is enough.
        if (isNew && !this.#isStopped) {
          this.#options.log.error({ chain: name, err: error }, "the chain could not be opened, and is tried again");
        }
      })
      .finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  async #open(name: string): Promise<void> {
    const { terms: all, openSimulated, log, vault, seed } = this.#options;
    const venue = this.#link;
    const book = new PaymentBook(venue, name);
    const terms = all.get(name);
    const isNew = findSimulatedChain(venue.state, name) === undefined;
    const safe = {
      seal: (chain: string, words: string) => vault.seal(seedName(chain), words),
      unseal: (chain: string, sealed: string) => vault.unseal(seedName(chain), sealed),
    };
    const chain =
      terms === undefined
        ? await openSimulated?.({ venue, book, log }, seed)
        : await openEvmChain({ venue, book, log }, terms, safe);
    if (chain === undefined || this.#isStopped) return;
    if (terms === undefined && isNew && this.#options.isOnDuty?.() !== false) await this.#endow(chain);
    const worker = new ChainWorker({ venue, chain, book, log, pollMs: terms?.pollMs ?? SIMULATED_POLL_MS });
    this.#workers.set(name, worker);
    if (this.#options.isOnDuty?.() !== false) worker.start();
  }

  /** The world of a new simulated chain begins with its share of what the venue's ledger has in custody. */
  async #endow(chain: Chain): Promise<void> {
    const { state } = this.#options;
    const toAddress = chain.hotAddress;
    const commands = state.assets.flatMap(({ id, ccy, scale, chains }) => {
      const custody = state.ledger.custody(id);
      if (custody <= 0n || chains.every((settings) => settings.chain !== chain.name)) return [];
      const amount = formatDecimal(divCeil(custody, BigInt(chains.length)), scale);
      return [{ kind: "simulate_transaction", actor: "venue", chain: chain.name, ccy, toAddress, amount } as const];
    });
    await this.#link.enter(commands);
  }
}
