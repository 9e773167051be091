import type { EngineEvent } from "../../../../src/engine/event.ts";
import { CELL } from "../../../../src/engine/ledger/cell.ts";
import { feesIn } from "./gifts.ts";
import type { Court, Law } from "./law.ts";

/** What the fund may lose in a market within an hour, in hundredths. */
const BUDGET = 2n;

/** A1: only a jump of the index costs the insurance fund, and within its budget. Source: domain 4.14. */
export class Fund implements Law {
  private readonly court: Court;
  /**
   * By asset: units it holds, would have held at most without its losses, and has lost in the play, which is shorter
   * than an hour.
   */
  private readonly funds = new Map<number, { held: bigint; most: bigint; lost: bigint }>();

  /** By asset, what the command under way took for fees. */
  private readonly fees = new Map<number, bigint>();

  constructor(court: Court) {
    this.court = court;
  }

  /**
   * The fee of a close that took all that stood behind it is no jump's: it goes from the fund into the venue's fees.
   */
  see(event: EngineEvent): void {
    if (event.kind !== "position" || event.covered === 0n) return;
    const { futures } = this.court.stage.state.markets[event.marketId] ?? {};
    if (futures !== undefined)
      this.fees.set(futures.settleAssetId, (this.fees.get(futures.settleAssetId) ?? 0n) + feesIn(event));
  }

  judge(): string[] {
    const { state } = this.court.stage;
    if (state.rulesVersion < 2) return [];
    return state.assets.flatMap(({ id, ccy }) => {
      const held = state.ledger.heldByVenue(CELL.insurance_futures, id);
      const fund = this.funds.get(id) ?? { held, most: held, lost: 0n };
      const fees = this.fees.get(id) ?? 0n;
      this.fees.delete(id);
      if (held + fees < fund.held) fund.lost += fund.held - held - fees;
      fund.held = held;
      // A share of what it gains may be lost again.
      if (held + fund.lost > fund.most) fund.most = held + fund.lost;
      this.funds.set(id, fund);
      // Each of the markets that settle in the currency has a budget of its own.
      const markets = BigInt(state.markets.filter(({ futures }) => futures?.settleAssetId === id).length);
      if (fund.lost * 100n <= fund.most * BUDGET * markets) return [];
      return [`A1: the insurance fund in ${ccy} lost ${fund.lost} units of ${fund.most}.`];
    });
  }
}
