import type { Audit, Hearing } from "../audit/audit.ts";
import type { Report } from "../audit/ledger-audit.ts";
import type { EngineEvent } from "../event.ts";
import type { State } from "../state.ts";
import { chainBooks } from "./chain-book.ts";

/** A signed payment, by events alone. */
interface Told {
  readonly fromAddress: string;
  readonly nonce: number;
  readonly txIds: Set<string>;
}

/**
 * Follows payments by their events: whatever is signed for one has the sender and the nonce of the first, no two have
 * the same, and what is settled was signed.
 */
export class PaymentAudit implements Audit {
  private readonly state: State;
  /** Of payments that are out, by chain and id. */
  private readonly out = new Map<string, Told>();
  /** By chain and sender: the highest nonce so far. */
  private readonly nonces = new Map<string, number>();

  constructor(state: State) {
    this.state = state;
    for (const [chain, { nonces, payments }] of chainBooks.of(state)) {
      for (const [from, next] of nonces) this.nonces.set(`${chain} ${from}`, next - 1);
      for (const { id, fromAddress, nonce, signed } of payments.values()) {
        this.out.set(`${chain} ${id}`, { fromAddress, nonce, txIds: new Set(signed.map(({ txId }) => txId)) });
      }
    }
  }

  take(event: EngineEvent, { report }: Hearing): void {
    if (event.kind !== "json") return;
    const rareEvent = event.event;
    if (rareEvent.type === "payment_signed") {
      const { chain, paymentId, fromAddress, nonce, txId } = rareEvent;
      const told = this.out.get(`${chain} ${paymentId}`);
      if (told === undefined) this.open(chain, paymentId, { fromAddress, nonce, txIds: new Set([txId]) }, report);
      else if (told.fromAddress !== fromAddress || told.nonce !== nonce) {
        report(`${paymentId} on ${chain} was signed with nonces ${told.nonce} and ${nonce}: it could be paid twice.`);
      } else told.txIds.add(txId);
    } else if (rareEvent.type === "payment_settled") {
      const { chain, paymentId, txId } = rareEvent;
      const told = this.out.get(`${chain} ${paymentId}`);
      if (told?.txIds.has(txId) !== true)
        report(`${paymentId} on ${chain} was settled by ${txId}, which nobody signed.`);
      this.out.delete(`${chain} ${paymentId}`);
    }
  }

  compare(report: Report): void {
    let stored = 0;
    for (const [chain, { payments }] of chainBooks.of(this.state)) {
      stored += payments.size;
      for (const { id, nonce, signed } of payments.values()) {
        const told = this.out.get(`${chain} ${id}`);
        const isSame = told?.nonce === nonce && told.txIds.size === signed.length;
        if (!isSame) report(`Events tell of ${id} on ${chain} otherwise than the state.`);
      }
    }
    if (stored !== this.out.size) report(`Events leave ${this.out.size} payments out, the state has ${stored}.`);
  }

  private open(chain: string, paymentId: string, told: Told, report: Report): void {
    const sender = `${chain} ${told.fromAddress}`;
    if (told.nonce <= (this.nonces.get(sender) ?? -1)) {
      report(`${paymentId} on ${chain} was signed with nonce ${told.nonce}, which is another payment's.`);
    }
    this.nonces.set(sender, told.nonce);
    this.out.set(`${chain} ${paymentId}`, told);
  }
}
