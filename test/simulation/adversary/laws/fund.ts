import { CELL } from "../../../../src/engine/ledger/cell.ts";
import type { Court, Law } from "./law.ts";

/** What the fund may lose in a market within an hour, in hundredths. */
const BUDGET = 2n;

/** A1: only a jump of the index costs the insurance fund, and within its budget. Source: domain 4.14. */
export class Fund implements Law {
  private readonly court: Court;
  /** By asset: units it holds, held at most, and has lost in the play, which is shorter than an hour. */
  private readonly funds = new Map<number, { held: bigint; most: bigint; lost: bigint }>();

  constructor(court: Court) {
    this.court = court;
  }

  judge(): string[] {
    const { state } = this.court.stage;
    if (state.rulesVersion < 2) return [];
    return state.assets.flatMap(({ id, ccy }) => {
      const held = state.ledger.heldByVenue(CELL.insurance_futures, id);
      const fund = this.funds.get(id) ?? { held, most: held, lost: 0n };
      if (held < fund.held) fund.lost += fund.held - held;
      fund.held = held;
      if (held > fund.most) fund.most = held;
      this.funds.set(id, fund);
      // Each of the markets that settle in the currency has a budget of its own.
      const markets = BigInt(state.markets.filter(({ futures }) => futures?.settleAssetId === id).length);
      if (fund.lost * 100n <= fund.most * BUDGET * markets) return [];
      return [`A1: the insurance fund in ${ccy} lost ${fund.lost} units of ${fund.most}.`];
    });
  }
}
