/** A venue's engine with a worker at one chain, worked by hand: a round happens when a test says so. */

import type { Chain } from "../../src/chains/chain.ts";
import { ChainWorker } from "../../src/chains/chain-worker.ts";
import { PaymentBook } from "../../src/chains/payment-book.ts";
import type { Answered, VenueLink } from "../../src/chains/venue-link.ts";
import type { JsonCommand } from "../../src/engine/command.ts";
import { termsOn } from "../../src/engine/payments/chain-terms.ts";
import { payments } from "../../src/engine/payments/payments.ts";
import type { PaymentsVenue } from "../support/payments-venue.ts";

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

export class ChainWorkerVenue {
  readonly venue: PaymentsVenue;
  readonly chain: string;
  readonly link: VenueLink;
  readonly book: PaymentBook;
  /** What the process would have written to its log. */
  readonly complaints: string[] = [];
  /** Called before commands enter the log, and after; what it throws is where the process dies. */
  onEnter: (commands: readonly JsonCommand[], when: "before" | "after") => void = () => {};
  #worker: ChainWorker | undefined;

  constructor(venue: PaymentsVenue, chain: string) {
    this.venue = venue;
    this.chain = chain;
    this.link = {
      state: venue.state,
      now: () => venue.timeMs,
      enter: (commands) =>
        new Promise((resolve) => {
          this.onEnter(commands, "before");
          const answers = commands.map((command): Answered => venue.execute(command));
          this.onEnter(commands, "after");
          resolve(answers);
        }),
    };
    this.book = new PaymentBook(this.link, chain);
  }

  safeConfirmations(ccy: string): number {
    const asset = this.venue.state.assetByCcy.get(ccy);
    return (asset && termsOn(asset, this.chain)?.safe) ?? 1;
  }

  /** A worker that knows nothing but what the log does: as after a start. */
  begin(chain: Chain, elapsed?: () => number): void {
    const note = (details: object, message: string) => this.complaints.push(`${message} ${JSON.stringify(details)}`);
    const error = (details: object, message: string) => {
      const { err } = details as { err?: Error };
      this.complaints.push(`${message} ${err?.stack ?? JSON.stringify(details)}`);
    };
    const log = { ...SILENT, warn: note, error };
    this.#worker = new ChainWorker({ venue: this.link, chain, book: this.book, log, pollMs: 1_000_000, elapsed });
  }

  get worker(): ChainWorker {
    if (this.#worker === undefined) throw new Error("The worker has not begun.");
    return this.#worker;
  }

  async round(): Promise<void> {
    await this.worker.caughtUp();
  }

  /** Gives a user his first address. */
  async address(userId: number): Promise<string> {
    const address = await this.worker.chain.address(userId, 0);
    this.venue.accept({ kind: "assign_address", userId, chain: this.chain, renewals: 0, address, memo: "" });
    return address;
  }

  /** Deposits that are remembered, as `amount status confirmations`. */
  deposits(): string[] {
    const { assets } = this.venue.state;
    return [...payments.of(this.venue.state).deposits.values()].map(
      ({ status, assetId, amount }) => `${amount} ${assets[assetId]?.ccy} ${status}`,
    );
  }

  /** Lets a user's keys withdraw to an address, and withdraws. */
  withdraw(userId: number, ccy: string, amount: string, toAddress: string): number {
    const { chain } = this;
    this.venue.execute({ kind: "allow_withdraw_address", userId, chain, address: toAddress, memo: "", remark: "" });
    const terms = { method: "on_chain", chain, toAddress, memo: "", remark: "", needsReview: false };
    const done = this.venue.accept({ kind: "withdraw", userId, ccy, amount, ...terms });
    return (done.result as { withdrawId: number }).withdrawId;
  }

  /** Of the block that a withdrawal stands in; 0 while it is in none. */
  height(withdrawId: number): number | undefined {
    return payments.of(this.venue.state).withdrawals.get(withdrawId)?.height;
  }

  status(withdrawId: number): string | undefined {
    return payments.of(this.venue.state).withdrawals.get(withdrawId)?.status;
  }
}
