/**
 * The venue's desk at one chain: it turns what the chain shows into commands, and what is to be paid into transactions. One round after
 * the other, each of them safe to break off anywhere: whatever a round did is in the log or on the chain, and the next one goes
 * on from there. Nothing here is remembered but how far was read, and the log knows that, too.
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
import type { State } from "../engine/state.ts";
import {
  type Chain,
  ChainTrouble,
  PaymentHeld,
  type PaymentOrder,
  PaymentRefused,
  type PaymentStatus,
  type Point,
} from "./chain.ts";
import { commandsOf, newsIn } from "./news.ts";
import { lastSigned, type PaymentBook } from "./payment-book.ts";
import type { VenueLink } from "./venue-link.ts";

/** Payments that are begun in one round; the next round begins the others. */
const BEGUN_MAX = 50;
/** Payments that are asked after at a time. */
const ASKED_AT_ONCE = 50;
/** Payments of which it is remembered that the process's log heard why they wait; after so many all are told once more. */
const HELD_TOLD_MAX = 10_000;
/** While nobody waits for a chain, the log hears only of every so many of its blocks. */
const QUIET_BLOCKS = 100;

export interface DeskLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface DeskOptions {
  readonly venue: VenueLink;
  readonly chain: Chain;
  readonly book: PaymentBook;
  readonly log: DeskLog;
  /** ms from the end of a round to the next. */
  readonly pollMs: number;
}

export class ChainDesk {
  readonly chain: Chain;
  readonly #options: DeskOptions;
  readonly #state: State;
  /** How far was read; undefined before the first round. */
  #point: Point | undefined;
  #round: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Those who want no round to begin by itself. */
  #holders = 0;
  /** What kept the last round from its end, and withdrawals from going out; empty when nothing did. */
  #trouble = "";
  readonly #waiting = new Set<string>();
  /** Payments that wait for a reason of their own, by their ids. */
  readonly #held = new Map<string, string>();
  /** Of which the log of the process has heard. */
  readonly #toldHeld = new Set<string>();
  /** Whether the last round came to its end: all that its block shows has been told to the log. */
  #isCurrent = false;

  constructor(options: DeskOptions) {
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

  get trouble(): string {
    if (this.#trouble !== "") return this.#trouble;
    if (this.#waiting.size > 0) {
      const list = [...this.#waiting].join(", ");
      return `The hot wallet has too little ${list}: withdrawals wait until ${this.chain.hotAddress} is filled.`;
    }
    const [first] = this.#held;
    const halt = haltOf(this.#state);
    if (halt !== undefined) return `Withdrawals are halted until an operator resumes them: ${halt.reason}`;
    if (first === undefined) return "";
    const more = this.#held.size === 1 ? "" : ` ${this.#held.size - 1} more payments wait.`;
    return `${first[0]} waits: ${first[1]}${more}`;
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
    const round = this.#work().then(
      () => {
        this.#isCurrent = true;
        this.#tell("");
      },
      (error: unknown) => this.#tell(error instanceof Error ? error.message : String(error), error),
    );
    this.#round = round.then(() => {
      this.#round = undefined;
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
    else log.error({ chain: chain.name, err: cause }, "the desk of the chain failed, and tries again");
  }

  async #work(): Promise<void> {
    this.#isCurrent = false;
    while (await this.#look()) if (this.#isStopped) return;
    await this.#pay();
    await this.#follow();
    await this.chain.keepHouse();
  }

  /** Reads what is new on the chain and enters it; whether there is more. */
  async #look(): Promise<boolean> {
    const { venue, chain, book } = this.#options;
    const known = book.known;
    const point = this.#point ?? (known === undefined || known.hash === "" ? undefined : known);
    const news = await newsIn(this.#state, chain, point);
    const { to, more } = news.sighting;
    this.#point = to;
    const told = this.#state.slots.size === 0 ? 0 : headOf(this.#state, chain.name);
    const isNew = to.hash !== book.known?.hash;
    const isWaitedFor = news.commands.length > 0 || isAnybodyWaiting(this.#state, chain.name);
    if (isNew && (isWaitedFor || Math.abs(to.height - told) >= QUIET_BLOCKS)) {
      await venue.enter([...news.commands, ...commandsOf(chain.name, to)]);
    }
    return more;
  }

  /** Begins what is to be paid, and ends what is to be stopped. */
  async #pay(): Promise<void> {
    const { chain } = this.#options;
    let begun = 0;
    this.#waiting.clear();
    this.#held.clear();
    for (const due of paymentsDue(this.#state, chain.name)) {
      if (begun >= BEGUN_MAX || this.#isStopped) return;
      try {
        if (await this.#payOne(due)) begun++;
      } catch (error) {
        // One receiver that cannot be paid must not keep the others waiting.
        if (!(error instanceof PaymentHeld)) throw error;
        this.#hold(withdrawalPaymentId(due.withdrawId), error.message);
      }
    }
  }

  #hold(paymentId: string, why: string): void {
    this.#held.set(paymentId, why);
    if (this.#toldHeld.has(paymentId)) return;
    if (this.#toldHeld.size >= HELD_TOLD_MAX) this.#toldHeld.clear();
    this.#toldHeld.add(paymentId);
    this.#options.log.warn({ chain: this.chain.name, payment: paymentId, why }, "a payment waits");
  }

  /** Whether something new was handed to the chain. */
  async #payOne(one: Withdrawal): Promise<boolean> {
    const { venue, chain, book } = this.#options;
    const { withdrawId } = one;
    const order = orderOf(this.#state, one);
    const signed = book.find(order.id);
    if (signed !== undefined) {
      const isOnItsWay = one.status === "processing" || one.status === "confirming";
      if (one.stopAsked && isOnItsWay) await venue.enter([{ kind: "withdrawal_unstoppable", withdrawId }]);
      if (one.status === "processing") await this.#handOver(order, withdrawId);
      return false;
    }
    if (one.stopAsked && one.status === "processing") {
      await venue.enter([
        { kind: "withdrawal_failed", withdrawId, reason: "Stopped by an operator before it was signed." },
      ]);
      return false;
    }
    // It begins when an operator resumes withdrawals; what is signed goes on above.
    if (haltOf(this.#state) !== undefined) return false;
    if (!(await chain.covers(order))) {
      this.#waiting.add(order.ccy);
      return false;
    }
    if (one.status === "audited") {
      const [started] = await venue.enter([{ kind: "withdrawal_started", withdrawId }]);
      // Its user was quicker, or an operator has to look at it first.
      if (started?.refusal !== undefined || isWaiting(one)) return false;
    }
    return await this.#handOver(order, withdrawId);
  }

  async #handOver(order: PaymentOrder, withdrawId: number): Promise<boolean> {
    const { venue, chain, book } = this.#options;
    try {
      await chain.send(order);
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      await venue.enter([{ kind: "withdrawal_failed", withdrawId, reason: error.message }]);
      return false;
    }
    const payment = book.find(order.id);
    if (payment !== undefined) {
      await venue.enter([{ kind: "withdrawal_broadcast", withdrawId, txId: lastSigned(payment).txId }]);
    }
    return true;
  }

  /** Asks what became of all that is signed. */
  async #follow(): Promise<void> {
    const { chain, book } = this.#options;
    const out = book.all();
    for (let at = 0; at < out.length; at += ASKED_AT_ONCE) {
      const some = out.slice(at, at + ASKED_AT_ONCE);
      const statuses = await Promise.all(some.map(({ id }) => chain.status(id)));
      for (const [index, payment] of some.entries()) await this.#note(payment, statuses[index] as PaymentStatus);
    }
  }

  async #note(payment: Payment, status: PaymentStatus): Promise<void> {
    const { chain, venue } = this.#options;
    if (status.state === "displaced") {
      const text = `${payment.id} cannot be paid any more: nonce ${payment.nonce} of ${payment.fromAddress} was used by a transaction`;
      throw new ChainTrouble(
        `${text} that this venue has not signed. Somebody else has its keys, or two venues run on them.`,
      );
    }
    const withdrawal = withdrawalOf(this.#state, payment);
    if (status.state === "pending") {
      if (withdrawal !== undefined && withdrawal.height > 0) {
        await venue.enter([{ kind: "withdrawal_gone", withdrawId: withdrawal.withdrawId }]);
      }
      // After its end it is an incident: a person decides.
      const isOver = payment.purpose === "withdrawal" && (withdrawal === undefined || !isOpen(withdrawal));
      if (!isOver && payment.purpose === "withdrawal") await chain.send(orderOf(this.#state, withdrawal as Withdrawal));
      return;
    }
    if (status.state === "failed" && withdrawal !== undefined && isOpen(withdrawal) && !chain.isAttested) {
      this.#hold(
        payment.id,
        `a single node says that ${status.txId} failed. Nothing is given back until a second node of the chain, in the term rpc, says the same.`,
      );
      return;
    }
    const commands = this.#commandsOn(payment, status, withdrawal);
    if (commands.length > 0) await venue.enter(commands);
  }

  /** What the log is told of a payment that stands in a block. */
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
