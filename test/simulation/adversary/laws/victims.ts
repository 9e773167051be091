import type { DealEvent, EngineEvent, RareEvent } from "../../../../src/engine/event.ts";
import type { FuturesSpec } from "../../../../src/engine/futures/positions/contract.ts";
import { toUsdt } from "../funds.ts";
import { gains, isSafe, unitsOf, valueAt, worthOf } from "../worth.ts";
import type { Court, Law } from "./law.ts";

/**
 * A2: no honest position is let go at a fair price at which its own margin suffices, at any mark that may belong to it.
 */
export class Victims implements Law {
  private readonly court: Court;
  private safe = new Set<number>();
  private found: string[] = [];
  /** What honest people lost against the fair price when they were deleveraged. */
  private deleveraged = 0n;

  constructor(court: Court) {
    this.court = court;
  }

  look(): void {
    const { stage } = this.court;
    const { users } = stage.state;
    this.found = [];
    this.safe.clear();
    for (let userId = 1; userId < users.count; userId++) {
      if (this.court.isHonest(userId) && isSafe(stage, userId)) this.safe.add(userId);
    }
  }

  see(event: EngineEvent): void {
    if (event.kind === "json") this.happen(event.event);
    else if (event.kind === "deal") this.sold(event);
  }

  judge(): string[] {
    return this.found;
  }

  *figures(): Generator<readonly [string, number]> {
    if (this.deleveraged > 0n) yield ["honest people deleveraged off the fair price", toUsdt(this.deleveraged)];
  }

  private happen(event: RareEvent): void {
    const { court } = this;
    const { stage } = court;
    if (event.type === "liquidated" && this.safe.has(event.userId)) this.report("taken over", event.marketId);
    if (event.type !== "deleveraged" || !court.isHonest(event.userId)) return;
    const terms = stage.state.markets[event.marketId]?.futures as FuturesSpec;
    const fair = valueAt(terms, stage.fair(stage.keyOf(event.marketId)), BigInt(event.lots));
    const lost = worthOf(stage, terms.settleAssetId, gains(terms, event.isShort) * (fair - unitsOf(event.value, 0)));
    if (lost > 0n) this.deleveraged += lost;
  }

  /** A position that is reduced on the book for its owner. */
  private sold({ taker, marketId }: DealEvent): void {
    const order = this.court.order(taker.orderId);
    if (order?.aim === "liquidation" && this.safe.has(order.userId)) this.report("sold", marketId);
  }

  private report(what: string, marketId: number): void {
    const { stage } = this.court;
    const mark = stage.state.futures.live.mark(marketId);
    const fair = stage.fair(stage.keyOf(marketId));
    this.found.push(
      `A2: an honest position is ${what} at mark ${mark}, fair ${fair}: its margin bears any mark near that.`,
    );
  }
}
