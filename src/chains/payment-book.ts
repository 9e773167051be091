/**
 * The payments of one chain as the log has them: what a chain signs is written down here before anybody else sees it.
 */
import { type ChainBook, findChainBook, type Payment, type Signed } from "../engine/chains/chain-book.ts";
import type { SettlePayment, SignPayment } from "../engine/chains/command-schemas.ts";
import { type VenueLink, VenueRefused } from "./venue-link.ts";

export type Terms = Omit<SignPayment, "kind" | "chain" | "actor" | "txId" | "raw">;

export class PaymentBook {
  readonly chain: string;
  readonly #venue: VenueLink;

  constructor(venue: VenueLink, chain: string) {
    this.#venue = venue;
    this.chain = chain;
  }

  get known(): ChainBook | undefined {
    return findChainBook(this.#venue.state, this.chain);
  }

  /** A payment that is signed and does not stand for good yet. */
  find(paymentId: string): Payment | undefined {
    return this.known?.payments.get(paymentId);
  }

  /** All of them, in the order of their first signature. */
  all(): readonly Payment[] {
    return [...(this.known?.payments.values() ?? [])];
  }

  /** The first nonce of a sender that the venue has signed nothing with. */
  nextNonce(fromAddress: string): number {
    return this.known?.nonces.get(fromAddress) ?? 0;
  }

  /** Settles when the signature is durable: only then may it leave the venue. Throws VenueRefused. */
  async sign(terms: Terms, { txId, raw }: Signed): Promise<Payment> {
    await this.#enter({ kind: "sign_payment", chain: this.chain, ...terms, txId, raw });
    return this.find(terms.paymentId) as Payment;
  }

  async settle(paymentId: string, txId: string, failed: boolean): Promise<void> {
    await this.#enter({ kind: "settle_payment", chain: this.chain, paymentId, txId, failed });
  }

  async forgetUnswept(address: string, ccy: string, height: number): Promise<void> {
    await this.#venue.enter([{ kind: "forget_unswept", chain: this.chain, address, ccy, height }]);
  }

  async #enter(command: SignPayment | SettlePayment): Promise<void> {
    const [answered] = await this.#venue.enter([command]);
    if (answered?.refusal !== undefined) {
      throw new VenueRefused(`The log does not take ${command.paymentId} on ${this.chain}: ${answered.detail}`);
    }
  }
}

/** The transaction of a payment that is in force. */
export function lastSigned({ signed }: Payment): Signed {
  return signed[signed.length - 1] as Signed;
}
