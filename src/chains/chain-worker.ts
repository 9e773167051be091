/**
 * The venue's worker at one chain: it turns what the chain shows into commands, and what is to be paid into
 * transactions. One round after the other, each of them safe to break off anywhere: whatever a round did is in the log
 * or on the chain, and the next one goes on from there. Nothing here is remembered but how far was read, and the log
 * knows that, too.
 */

import type { Payment } from "../engine/chains/chain-book.ts";
import { withdrawalPaymentId } from "../engine/chains/payment-ids.ts";
import { haltOf } from "../engine/chains/withdrawal-halt.ts";
import { withdrawalOf } from "../engine/chains/withdrawal-payments.ts";
import type { JsonCommand } from "../engine/command.ts";
import { formatDecimal } from "../engine/money/decimal.ts";
import { depthOf, termsOn } from "../engine/payments/chain-terms.ts";
import { paymentsDue } from "../engine/payments/pay.ts";
import { headOf, payments } from "../engine/payments/payments.ts";
import type { Withdrawal } from "../engine/payments/withdrawal.ts";
import { isOpen, isWaiting } from "../engine/payments/withdrawal.ts";
import type { Refusal } from "../engine/refusal.ts";
import type { State } from "../engine/state.ts";
import {
  type Chain,
  ChainTrouble,
  PaymentHeld,
  type PaymentOrder,
  PaymentRefused,
  type PaymentStatus,
  type Point,
  type Soon,
} from "./chain.ts";
import { chainEventsIn, commandsOf } from "./chain-events.ts";
import { lastSigned, type PaymentBook } from "./payment-book.ts";
import type { Answered, VenueLink } from "./venue-link.ts";

/**
 * Looks of one round. A chain may grow as fast as it is read: then one round would look for ever, and nothing would be
 * paid. With 32 blocks a look, a round reads 2,048.
 */
const LOOKS_MAX = 64;
/** Payments that are begun in one round; the next round begins the others. */
const BEGUN_MAX = 50;
/** Payments that are looked at in one round: each takes a few calls of the nodes, and deposits wait for them. */
const TRIED_MAX = 500;
/** Payments that are asked after at a time. */
const ASKED_AT_ONCE = 50;
/**
 * Payments of which it is remembered that the process's log heard why they wait; after so many all are told once more.
 */
const HELD_TOLD_MAX = 10_000;
/** A round that takes longer is told as trouble: a node answers slowly, or not at all. */
const LONG_ROUND_MS = 120_000;
/** While nobody waits for a chain, the log hears only of every so many of its blocks. */
const QUIET_BLOCKS = 100;

/**
 * Refusals that nobody has to look at: a user or an operator was quicker, withdrawals were halted meanwhile, or a block
 * is read again of which all was told long ago.
 */
const USUAL_REFUSALS: ReadonlySet<Refusal> = new Set([
  "withdrawal_status",
  "withdrawal_not_found",
  "withdrawals_halted",
  "deposit_buried",
]);

export interface ChainWorkerLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface ChainWorkerOptions {
  readonly venue: VenueLink;
  readonly chain: Chain;
  readonly book: PaymentBook;
  readonly log: ChainWorkerLog;
  /** ms from the end of a round to the next. */
  readonly pollMs: number;
  /** A clock that only measures, ms; that of the process unless given. */
  readonly elapsed?: (() => number) | undefined;
}

export class ChainWorker {
  readonly chain: Chain;
  readonly #options: ChainWorkerOptions;
  readonly #state: State;
  /** How far was read; undefined before the first round. */
  #point: Point | undefined;
  #round: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Those who want no round to begin by itself. */
  #holders = 0;
  /** The trouble that kept the last round from its end, and withdrawals from going out; empty when there was none. */
  #trouble = "";
  /** Why payments wait, as the last round that came to them found. */
  #waits = newWaits();
  /** The same as the round that runs has found so far. */
  #found = newWaits();
  /** When the round that runs began, by the clock that measures. */
  #roundSince: number | undefined;
  /** Whether the chain goes on beyond the last block that was read. */
  #isBehind = false;
  /** Whether a transaction that the venue has not signed was found in the place of one that it has. */
  #isDisplaced = false;
  /** The withdrawal that payments begin with; see `#pay`. */
  #payFrom = 0;
  /** Of which the log of the process has heard. */
  readonly #toldHeld = new Set<string>();
  /** Whether the last round came to its end: all that its block shows has been told to the log. */
  #isCurrent = false;

  constructor(options: ChainWorkerOptions) {
    this.#options = options;
    this.chain = options.chain;
    this.#state = options.venue.state;
  }

  start(): void {
    this.#beat();
  }

  /** Settles when the round that runs has ended; none begins any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#next;
    await this.#round;
  }

  /** Settles when a round that has not begun yet is over. */
  caughtUp(): Promise<void> {
    if (this.#round === undefined) return this.#run();
    this.#next ??= this.#round.then(() => {
      this.#next = undefined;
      return this.#run();
    });
    return this.#next;
  }

  /** Settles when no round runs; until as many `letGo` have come none begins by itself. */
  async hold(): Promise<void> {
    this.#holders++;
    await this.#next;
    await this.#round;
  }

  letGo(): void {
    this.#holders--;
  }

  /** All that payments or deposits wait for, as sentences; empty when nothing does. */
  get trouble(): string {
    const { name, hotAddress } = this.chain;
    const sentences: string[] = [];
    const halt = haltOf(this.#state);
    if (halt !== undefined) sentences.push(`Withdrawals are halted until an operator resumes them: ${halt.reason}`);
    if (this.#trouble !== "") sentences.push(this.#trouble);
    const roundMs = this.#roundSince === undefined ? 0 : this.#elapsed() - this.#roundSince;
    if (roundMs > LONG_ROUND_MS) {
      const seconds = Math.round(roundMs / 1_000);
      sentences.push(`${name} has been asked for ${seconds} s without an end: a node answers slowly, or not at all.`);
    }
    if (this.#isBehind) sentences.push(`${name} is read up to block ${this.height}, and goes on behind it.`);
    if (this.#waits.lacking.size > 0) {
      const list = [...this.#waits.lacking].join(", ");
      sentences.push(`The hot wallet has too little ${list}: withdrawals wait until ${hotAddress} is filled.`);
    }
    const { held } = this.#waits;
    const [first] = held;
    if (first !== undefined) {
      const more = held.size === 1 ? "" : ` ${held.size - 1} more payments wait.`;
      sentences.push(`${first[0]} waits: ${first[1]}${more}`);
    }
    return sentences.join(" ");
  }

  /** Whether what the log knows is all that the chain showed at the last look. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  #beat(): void {
    this.#timer = setTimeout(() => {
      const round = this.#holders > 0 ? Promise.resolve() : this.caughtUp();
      void round.then(() => this.#isStopped || this.#beat());
    }, this.#options.pollMs);
    this.#timer.unref();
  }

  /** Of the round that ended last; for reading. */
  get height(): number {
    return this.#point?.height ?? this.#options.book.known?.height ?? 0;
  }

  /** Never rejects: what troubles a chain is told, and tried again. */
  #run(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    this.#roundSince = this.#elapsed();
    const round = this.#work().then(
      () => {
        this.#isCurrent = !this.#isBehind;
        this.#tell("");
      },
      (error: unknown) => this.#tell(error instanceof Error ? error.message : String(error), error),
    );
    this.#round = round.then(() => {
      this.#round = undefined;
      this.#roundSince = undefined;
    });
    return this.#round;
  }

  #tell(trouble: string, cause?: unknown): void {
    const { log, chain } = this.#options;
    const before = this.#trouble;
    this.#trouble = trouble;
    if (trouble === before || this.#isStopped) return;
    if (trouble === "") log.info({ chain: chain.name }, "the chain can be used again");
    else if (cause instanceof ChainTrouble)
      log.warn({ chain: chain.name, trouble }, "the chain cannot be used at present");
    else log.error({ chain: chain.name, err: cause }, "the worker of the chain failed, and tries again");
  }

  #elapsed(): number {
    return (this.#options.elapsed ?? performance.now.bind(performance))();
  }

  async #work(): Promise<void> {
    this.#isCurrent = false;
    await this.#readOn();
    if (this.#isStopped) return;
    this.#found = newWaits();
    // What one of them waits for keeps the others from nothing.
    const pay = [() => this.#pay(), () => this.#follow(), () => this.#showWaits(), () => this.chain.keepTreasury()];
    // Whose keys somebody else has pays nothing until a person has looked.
    const steps = this.#isDisplaced ? [() => this.#follow()] : pay;
    const [trouble] = await troublesOf(steps, (step) => (this.#isStopped ? undefined : step()));
    if (trouble !== undefined) throw trouble;
  }

  /** At once: between two rounds nobody reads that nothing waits. */
  #showWaits(): void {
    this.#waits = this.#found;
  }

  /**
   * Reads to the chain's end, or as far as one round reads; but at least all that was known before, which may stand in
   * other blocks now.
   */
  async #readOn(): Promise<void> {
    const before = this.height;
    for (let looks = 1; !this.#isStopped; looks++) {
      this.#isBehind = await this.#look();
      if (!this.#isBehind || (looks >= LOOKS_MAX && this.height >= before)) return;
    }
  }

  /** Reads what is new on the chain and enters it; whether there is more. */
  async #look(): Promise<boolean> {
    const { chain, book } = this.#options;
    const known = book.known;
    const point = this.#point ?? (known === undefined || known.hash === "" ? undefined : known);
    const events = await chainEventsIn(this.#state, chain, point);
    const { to, more } = events.sighting;
    const told = this.#state.slots.size === 0 ? 0 : headOf(this.#state, chain.name);
    const isNew = to.hash !== book.known?.hash;
    const isWaitedFor = events.commands.length > 0 || isAnybodyWaiting(this.#state, chain.name);
    if (isNew && (isWaitedFor || Math.abs(to.height - told) >= QUIET_BLOCKS)) {
      await this.#enter([...events.commands, ...commandsOf(chain.name, to)]);
    }
    // Only now: what the log did not take is read again.
    this.#point = to;
    return more;
  }

  /** Enters commands. What is refused is told to the process's log, with the command, so that a person can look. */
  async #enter(commands: readonly JsonCommand[]): Promise<readonly Answered[]> {
    const { venue, chain, log } = this.#options;
    const answers = await venue.enter(commands);
    for (const [index, { refusal, detail }] of answers.entries()) {
      if (refusal === undefined || USUAL_REFUSALS.has(refusal)) continue;
      const { kind } = commands[index] as JsonCommand;
      log.error({ chain: chain.name, command: commands[index], refusal, detail }, `the venue refused ${kind}`);
    }
    return answers;
  }

  /**
   * Begins what is to be paid, and ends what is to be stopped. The next round begins where this one was broken off,
   * also where the chain could not be asked about one payment: none keeps those behind it waiting for ever.
   */
  async #pay(): Promise<void> {
    const all = paymentsDue(this.#state, this.chain.name);
    const first = all.findIndex(({ withdrawId }) => withdrawId >= this.#payFrom);
    let begun = 0;
    let tried = 0;
    for (const due of first < 0 ? all : [...all.slice(first), ...all.slice(0, first)]) {
      if (begun >= BEGUN_MAX || tried++ >= TRIED_MAX || this.#isStopped) return;
      this.#payFrom = due.withdrawId + 1;
      try {
        if (await this.#payOne(due)) begun++;
      } catch (error) {
        // One receiver that cannot be paid must not keep the others waiting.
        if (!(error instanceof PaymentHeld)) throw error;
        this.#hold(withdrawalPaymentId(due.withdrawId), error.message);
      }
    }
    this.#payFrom = 0;
  }

  #hold(paymentId: string, why: string): void {
    this.#found.held.set(paymentId, why);
    if (this.#toldHeld.has(paymentId)) return;
    if (this.#toldHeld.size >= HELD_TOLD_MAX) this.#toldHeld.clear();
    this.#toldHeld.add(paymentId);
    this.#options.log.warn({ chain: this.chain.name, payment: paymentId, why }, "a payment waits");
  }

  /** Whether something new was handed to the chain. */
  async #payOne(one: Withdrawal): Promise<boolean> {
    const { chain, book } = this.#options;
    const { withdrawId } = one;
    const order = orderOf(this.#state, one);
    const signed = book.find(order.id);
    if (signed !== undefined) {
      const isOnItsWay = one.status === "processing" || one.status === "confirming";
      if (one.stopAsked && isOnItsWay) await this.#enter([{ kind: "withdrawal_unstoppable", withdrawId }]);
      if (one.status === "processing") await this.#handOver(order, withdrawId);
      return false;
    }
    if (one.stopAsked && one.status === "processing") {
      await this.#enter([
        { kind: "withdrawal_failed", withdrawId, reason: "Stopped by an operator before it was signed." },
      ]);
      return false;
    }
    // It begins when an operator resumes withdrawals; what is signed goes on above.
    if (haltOf(this.#state) !== undefined) return false;
    const lacking = await chain.lacks(order);
    if (lacking !== undefined) {
      this.#found.lacking.add(lacking);
      return false;
    }
    if (one.status === "audited") {
      const [started] = await this.#enter([{ kind: "withdrawal_started", withdrawId }]);
      if (started?.refusal !== undefined && one.status === "audited")
        throw new PaymentHeld(`the venue refuses it: ${started.detail}`);
      // Its user was quicker, or an operator has to look at it first.
      if (started?.refusal !== undefined || isWaiting(one)) return false;
    }
    return await this.#handOver(order, withdrawId);
  }

  async #handOver(order: PaymentOrder, withdrawId: number): Promise<boolean> {
    const { chain, book } = this.#options;
    try {
      await chain.send(order);
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      await this.#enter([{ kind: "withdrawal_failed", withdrawId, reason: error.message }]);
      return false;
    }
    const payment = book.find(order.id);
    if (payment !== undefined) {
      await this.#enter([{ kind: "withdrawal_broadcast", withdrawId, txId: lastSigned(payment).txId }]);
    }
    return true;
  }

  /** Asks what became of all that is signed; of the others, too, where one cannot be asked about. */
  async #follow(): Promise<void> {
    const { chain, book } = this.#options;
    const out = book.all();
    const troubles: unknown[] = [];
    this.#isDisplaced = false;
    for (let at = 0; at < out.length; at += ASKED_AT_ONCE) {
      const some = out.slice(at, at + ASKED_AT_ONCE);
      const statuses = some.map(async ({ id }) => await chain.status(id));
      await Promise.allSettled(statuses);
      const found = await troublesOf(some, async (payment, index) => {
        await this.#note(payment, await (statuses[index] as Promise<PaymentStatus>));
      });
      troubles.push(...found);
      // A chain that tells nothing of so many tells nothing of the others.
      if (found.length === some.length) break;
    }
    if (troubles.length > 0) throw troubles[0];
  }

  async #note(payment: Payment, status: PaymentStatus): Promise<void> {
    const { chain } = this.#options;
    if (status.state === "displaced") {
      this.#isDisplaced = true;
      const text =
        `${payment.id} cannot be paid any more: nonce ${payment.nonce} of ${payment.fromAddress} was used by a ` +
        "transaction";
      throw new ChainTrouble(
        `${text} that this venue has not signed. Somebody else has its keys, or two venues run on them.`,
      );
    }
    const withdrawal = withdrawalOf(this.#state, payment);
    if (status.state === "pending") {
      if (withdrawal !== undefined && withdrawal.height > 0) {
        await this.#enter([{ kind: "withdrawal_gone", withdrawId: withdrawal.withdrawId }]);
      }
      // After its end it is an incident: a person decides.
      const isOver = payment.purpose === "withdrawal" && (withdrawal === undefined || !isOpen(withdrawal));
      if (!isOver && payment.purpose === "withdrawal") await chain.send(orderOf(this.#state, withdrawal as Withdrawal));
      return;
    }
    if (status.state === "failed" && withdrawal !== undefined && isOpen(withdrawal) && !chain.isAttested) {
      this.#hold(
        payment.id,
        `a single node says that ${status.txId} failed. Nothing is given back until a second node of the chain, ` +
          "in the term rpc, says the same.",
      );
      return;
    }
    const commands = this.#commandsOn(payment, status, withdrawal);
    if (commands.length > 0) await this.#enter(commands);
  }

  /** The commands that tell the log of a payment that stands in a block. */
  #commandsOn(
    { id: paymentId, ccy }: Payment,
    { state: found, txId, height, feeCcy, fee }: Extract<PaymentStatus, { readonly state: "paid" | "failed" }>,
    withdrawal: Withdrawal | undefined,
  ): JsonCommand[] {
    const { name: chain } = this.chain;
    const confirmations = (this.#point?.height ?? 0) - height + 1;
    const asset = this.#state.assetByCcy.get(ccy);
    const safe = asset === undefined ? undefined : termsOn(asset, chain)?.safe;
    const settled = (failed: boolean): JsonCommand => ({ kind: "settle_payment", chain, paymentId, txId, failed });
    const cost: JsonCommand = { kind: "network_paid", chain, ccy: feeCcy, amount: fee, reference: txId };
    const costs = /[1-9]/.test(fee) ? [cost] : [];
    if (found === "failed") {
      if (confirmations < (safe ?? depthOf(this.#state, chain))) return [];
      if (withdrawal === undefined || !isOpen(withdrawal)) return [settled(true), ...costs];
      const reason = `The transaction ${txId} stands in the chain and moved nothing.`;
      return [settled(true), { kind: "withdrawal_failed", withdrawId: withdrawal.withdrawId, reason }, ...costs];
    }
    const isDeep = confirmations >= depthOf(this.#state, chain);
    if (!paymentId.startsWith("withdrawal")) return isDeep ? [settled(false), ...costs] : [];
    if (withdrawal !== undefined && (withdrawal.height !== height || withdrawal.txId !== txId)) {
      const { withdrawId } = withdrawal;
      return [{ kind: "withdrawal_mined", withdrawId, txId, height, networkFeeCcy: feeCcy, networkFee: fee }];
    }
    return isDeep && (withdrawal === undefined || !isOpen(withdrawal)) ? [settled(false)] : [];
  }
}

interface Waits {
  /** Currencies that the hot wallet has too little of. */
  readonly lacking: Set<string>;
  /** Payments that wait for a reason of their own, by their ids. */
  readonly held: Map<string, string>;
}

function newWaits(): Waits {
  return { lacking: new Set(), held: new Map() };
}

/** Acts on each, one after the other, also behind one that fails; gives what went wrong. */
async function troublesOf<One>(
  all: readonly One[],
  act: (one: One, index: number) => Soon<void>,
): Promise<readonly unknown[]> {
  const troubles: unknown[] = [];
  for (const [index, one] of all.entries()) {
    try {
      await act(one, index);
    } catch (error) {
      troubles.push(error);
    }
  }
  return troubles;
}

/** Whether a deposit or a withdrawal waits for blocks. */
function isAnybodyWaiting(state: State, chain: string): boolean {
  const { deposits, withdrawals } = payments.of(state);
  for (const one of deposits.values()) if (one.chain === chain) return true;
  for (const one of withdrawals.values()) if (one.chain === chain) return true;
  return false;
}

function orderOf(state: State, one: Withdrawal): PaymentOrder {
  const { withdrawId, toAddress, memo, assetId, actualAmount } = one;
  const { ccy, scale } = state.assets[assetId] as State["assets"][number];
  return { id: withdrawalPaymentId(withdrawId), ccy, toAddress, memo, amount: formatDecimal(actualAmount, scale) };
}
