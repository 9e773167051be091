import type { DealEvent, DealParty, OrderRecord } from "../../../src/engine/event.ts";
import type { Kept, PlayPart } from "./play-part.ts";
import type { Stage } from "./stage.ts";
import { equityOf, USDT_UNIT, worthOf } from "./worth.ts";

/** What the accounts of one strategy came to, all in the unit of worth, and where it came from. */
export class Funds {
  readonly name: string;
  private readonly stage: Stage;
  private readonly parts: readonly PlayPart[];
  private readonly users: number[] = [];
  /** Put in from outside. */
  private paidIn = 0n;
  /** What the path of the fair prices, honest orders and funding brought. */
  private moved = 0n;
  private offered = 0n;
  private funding = 0n;
  /** Of what was offered, by orders that named no price. */
  private frightened = 0n;
  /** Fees as the rules have them, whatever was taken; and what of them came back, by pools and rebates. */
  private fees = 0n;
  private returned = 0n;

  constructor(stage: Stage, name: string, parts: readonly PlayPart[]) {
    this.stage = stage;
    this.name = name;
    this.parts = parts;
  }

  add(userId: number): void {
    this.users.push(userId);
  }

  payIn(worth: bigint): void {
    this.paidIn += worth;
  }

  equity(): bigint {
    const kept = [...this.kept()].reduce((sum, { equity }) => sum + equity, 0n);
    return this.users.reduce((sum, userId) => sum + equityOf(this.stage, userId), kept);
  }

  /** What its accounts owe beyond what is in them, where a product lends. */
  shortfall(): bigint {
    return [...this.kept()].reduce((sum, { equity, isBacked }) => (equity < 0n && !isBacked ? sum - equity : sum), 0n);
  }

  private *kept(): Generator<Kept> {
    for (const userId of this.users) for (const { accounts } of this.parts) yield* accounts?.(this.stage, userId) ?? [];
  }

  move(worth: bigint): void {
    this.moved += worth;
  }

  /** An honest order gave this, without naming a price if `isFrightened`. */
  take(worth: bigint, isFrightened: boolean): void {
    this.offered += worth;
    if (isFrightened) this.frightened += worth;
  }

  /** Of fees that it paid itself so much came back to it, as the rules have it. */
  getBack(worth: bigint): void {
    this.offered += worth;
    this.returned += worth;
  }

  /**
   * By how much more of the fees for its own volume came back than three quarters; below 0: less. A twentieth is left
   * for what the path of the prices does to a rebate between the deal and midnight.
   */
  get cheapness(): bigint {
    return this.returned - (this.fees * 4n) / 5n;
  }

  fund(worth: bigint): void {
    this.funding += worth;
  }

  /** Fees that somebody else has paid are not its own. */
  forgive(worth: bigint): void {
    this.fees -= worth;
  }

  /**
   * A fee counts as the rules have it: in the deduction currency no less than the discount leaves of it. Gives what
   * counts.
   */
  pay(party: DealParty, deal: DealEvent, order: OrderRecord | undefined, quoteAssetId: number): bigint {
    const { stage } = this;
    const { state } = stage;
    let counts = worthOf(stage, party.feeAssetId, party.fee);
    if (party.deducted) {
      const rate = (party === deal.taker ? order?.takerFeeRateE8 : order?.makerFeeRateE8) ?? 0;
      const kept = BigInt(100_000_000 - state.deduction.discountE8);
      const due = (worthOf(stage, quoteAssetId, deal.value) * BigInt(rate) * kept) / 10n ** 16n;
      // What sources said last may be a minute old.
      const told = (counts * stage.toldCoin()) / stage.fair("coin");
      if (counts < due && told < due) counts = due;
    }
    this.fees += counts;
    return counts;
  }

  /** What nobody offered, fees paid. */
  net(): bigint {
    return this.equity() - this.paidIn - this.moved - this.offered - this.funding;
  }

  /** What nobody offered, fees put back. */
  gross(): bigint {
    return this.net() + this.fees;
  }

  /** In USDT: what nobody offered, what funding brought, and what orders that named no price did. */
  figures(): { readonly net: number; readonly funding: number; readonly frightened: number } {
    return { net: toUsdt(this.net()), funding: toUsdt(this.funding), frightened: toUsdt(this.frightened) };
  }
}

export function toUsdt(worth: bigint): number {
  return Number(worth / USDT_UNIT) / 1e8;
}
