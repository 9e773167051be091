import { AMM_CELL } from "../amm/codes.ts";
import type { Audit, Hearing } from "../audit/audit.ts";
import { cellName, spotCellName } from "../audit/ledger-audit.ts";
import { type DealParty, type EngineEvent, isMadeByPool, type RareEvent } from "../event.ts";
import { CELL, VENUE } from "../ledger/cell.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { assetOf, KIND, kindOf, referralOf } from "./referral-state.ts";

interface Rates {
  readonly userId: number;
  readonly referrer: bigint;
  readonly referee: bigint;
}

/**
 * Follows the fees of invited users by deals alone, and gives the reason for what is paid of them. Source: domain 6.7.
 */
export class ReferralAudit implements Audit {
  private readonly state: State;
  private readonly codes = new Map<string, Rates>();
  private readonly invitedBy = new Map<number, Rates>();
  private readonly agents = new Map<number, { readonly ofUserId: number; readonly rate: bigint }>();
  /** Fees that nothing was paid for yet, by user, asset and product. */
  private readonly due = new Map<string, bigint>();
  /** Of the fees of the deal that is told next, what went to providers of a pool, by asset. */
  private readonly given = new Map<number, bigint>();

  constructor(state: State) {
    this.state = state;
    const { codes, referees, agents, today, closing } = referralOf(state);
    for (const { code, userId, referrerRateE8, refereeRateE8 } of codes.values()) {
      this.codes.set(code, { userId, referrer: BigInt(referrerRateE8), referee: BigInt(refereeRateE8) });
    }
    for (const [userId, { code }] of referees) this.invitedBy.set(userId, this.codes.get(code) as Rates);
    for (const [userId, { ofUserId, rateE8 }] of agents) this.agents.set(userId, { ofUserId, rate: BigInt(rateE8) });
    for (const [userId, { units }] of [...today, ...closing]) {
      for (const [key, amount] of units) {
        const kind = kindOf(key);
        if (kind === KIND.spotDue || kind === KIND.futuresDue)
          this.owe(userId, assetOf(key), kind === KIND.futuresDue, amount);
      }
    }
  }

  take(event: EngineEvent, hearing: Hearing): void {
    if (event.kind === "posting") {
      if (event.posting === "fee" && event.cellKind === AMM_CELL.amm_pot)
        this.given.set(event.assetId, event.available);
    } else if (event.kind === "deal") {
      const isOfOld = !holds(this.state, "rebatesOnFeesKept");
      for (const party of [event.taker, event.maker]) {
        if (!isOfOld) this.charge(party, this.given.get(party.feeAssetId) ?? 0n);
        else if (!isMadeByPool(event)) this.charge(party, 0n);
      }
      this.given.clear();
    } else if (event.kind === "json") this.hear(event.event, hearing);
  }

  private charge({ userId, account, feeAssetId, fee }: DealParty, given: bigint): void {
    if (this.invitedBy.has(userId)) this.owe(userId, feeAssetId, account === "futures", fee - given);
  }

  private hear(told: RareEvent, hearing: Hearing): void {
    if (told.type === "refer_code_created") {
      const { code, userId, referrerRateE8, refereeRateE8 } = told;
      this.codes.set(code, { userId, referrer: BigInt(referrerRateE8), referee: BigInt(refereeRateE8) });
    } else if (told.type === "referee_bound") {
      const rates = this.codes.get(told.code);
      if (rates === undefined || this.invitedBy.has(told.userId))
        hearing.report(`User ${told.userId} is invited otherwise.`);
      else this.invitedBy.set(told.userId, rates);
    } else if (told.type === "agent_set") {
      if (told.rateE8 === null) this.agents.delete(told.userId);
      else this.agents.set(told.userId, { ofUserId: told.ofUserId, rate: BigInt(told.rateE8) });
    } else if (told.type === "rebates_paid") this.pay(told, hearing);
  }

  private pay({ refereeId, paid }: Extract<RareEvent, { type: "rebates_paid" }>, { explain, report }: Hearing): void {
    const rates = this.invitedBy.get(refereeId);
    if (rates === undefined) {
      report(`A rebate is paid for user ${refereeId}, whom nobody invited.`);
      return;
    }
    const agent = this.agents.get(rates.userId);
    for (const { ccy, isFutures, fees, referrer, referee, upline } of paid) {
      const assetId = this.state.assetByCcy.get(ccy)?.id as number;
      const key = `${refereeId} ${assetId} ${isFutures}`;
      const all = this.due.get(key) ?? 0n;
      if (all.toString() !== fees)
        report(`User ${refereeId} paid ${all} of fees in ${ccy}, and ${fees} bear a rebate.`);
      this.due.delete(key);
      let sum = 0n;
      for (const [userId, rate, units] of [
        [rates.userId, rates.referrer, referrer],
        [refereeId, rates.referee, referee],
        [agent?.ofUserId ?? 0, agent?.rate ?? 0n, upline],
      ] as const) {
        const share = (all * rate) / 100_000_000n;
        if (share.toString() !== units)
          report(`User ${userId} gets ${units} of ${all} in ${ccy} and should get ${share}.`);
        if (share > 0n) explain(spotCellName(userId, assetId), share);
        sum += share;
      }
      explain(cellName(CELL.fee, VENUE, 0, assetId), -sum);
    }
  }

  private owe(userId: number, assetId: number, isFutures: boolean, fee: bigint): void {
    const key = `${userId} ${assetId} ${isFutures}`;
    if (fee > 0n) this.due.set(key, (this.due.get(key) ?? 0n) + fee);
  }
}
