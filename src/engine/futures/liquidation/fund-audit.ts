/**
 * Follows what insurance funds lose to what the venue has taken over, by the events of its positions. Source: domain
 * 4.14.
 */
import type { Audit, Hearing } from "../../audit/audit.ts";
import { cellName } from "../../audit/ledger-audit.ts";
import type { EngineEvent, RareEvent } from "../../event.ts";
import { lostToday } from "../../insurance/budget.ts";
import { futuresFund } from "../../insurance/funds.ts";
import { type BudgetShares, insuranceOf } from "../../insurance/insurance-state.ts";
import { CELL, VENUE } from "../../ledger/cell.ts";
import { IndexAudit } from "../../listing/index-audit.ts";
import type { Market } from "../../listing/market.ts";
import { parseDecimal } from "../../money/decimal.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import type { FuturesSpec } from "../positions/contract.ts";
import { LIQUIDATOR } from "../positions/futures-account.ts";
import type { PositionEvent } from "../positions/position-event.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ONE_E8 = 100_000_000n;

interface Lost {
  readonly atMs: number;
  readonly marketId: number;
  readonly assetId: number;
  readonly units: bigint;
}

export class FundAudit implements Audit {
  private readonly state: State;
  private readonly indexes: IndexAudit;
  private lost: Lost[] = [];
  private budget: BudgetShares;
  /** The first of the two reductions of a netting. */
  private netted: PositionEvent | undefined;

  constructor(state: State) {
    this.state = state;
    this.indexes = new IndexAudit(state);
    this.budget = insuranceOf.of(state).shares;
    const noted = new Map<number, bigint>();
    for (const market of state.markets) {
      if (market.futures === undefined) continue;
      const { settleAssetId: assetId } = market.futures;
      for (const loss of insuranceOf.of(state).hoursOf(futuresFund(market))) {
        this.lost.push({ marketId: market.id, assetId, ...loss });
        if (loss.atMs >= dayOf(state.timeMs)) noted.set(assetId, (noted.get(assetId) ?? 0n) + loss.units);
      }
    }
    for (const { id: assetId } of state.assets) {
      // What was lost earlier today, in whichever market, counts to the day alone.
      const units = lostToday(state, { cellKind: CELL.insurance_futures, assetId }) - (noted.get(assetId) ?? 0n);
      if (units > 0n) this.lost.push({ marketId: -1, assetId, atMs: dayOf(state.timeMs), units });
    }
  }

  take(event: EngineEvent, hearing: Hearing): void {
    if (event.kind === "json") this.happen(event.event);
    else if (event.kind === "position") this.position(event, hearing);
  }

  private happen(rareEvent: RareEvent): void {
    this.indexes.follow(rareEvent);
    if (rareEvent.type !== "fund_budget_set") return;
    const [hourShareE8, dayShareE8] = [rareEvent.hourRate, rareEvent.dayRate].map((rate) =>
      Number(parseDecimal(rate, 8)),
    );
    this.budget = { hourShareE8: hourShareE8 as number, dayShareE8: dayShareE8 as number };
  }

  private position(event: PositionEvent, hearing: Hearing): void {
    const { report } = hearing;
    const mark = this.indexes.mark(event.marketId);
    if (event.userId !== LIQUIDATOR || !holds(this.state, "guardedFund")) return;
    const market = this.state.markets[event.marketId] as Market;
    if (event.reason === "funding" && event.pnl < 0n && holds(this.state, "fundingWithinBudget")) {
      this.lose(market, -event.pnl, hearing);
    }
    if (event.reason !== "reduce") return;
    const isNetting = event.dealId === 0 && event.orderId === 0 && event.finishedType !== "sys";
    if (isNetting && this.netted === undefined) {
      this.netted = event;
      return;
    }
    const result = event.pnl + (isNetting ? (this.netted?.pnl ?? 0n) : 0n);
    this.netted = undefined;
    if (result >= 0n) return;
    // 40: what loses is sold at the mark or better.
    const isWorse = event.isShort ? event.latestPrice > mark : event.latestPrice < mark;
    if (event.orderId > 0 && isWorse) report(`The venue loses ${-result} units in ${market.name} beyond the mark.`);
    this.lose(market, -result, hearing);
  }

  /** 41: a loss is within the budgets of its market and of its currency. */
  private lose(market: Market, units: bigint, { timeMs, available, report }: Hearing): void {
    const { settleAssetId: assetId } = market.futures as FuturesSpec;
    const minuteMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
    this.lost = this.lost.filter(({ atMs }) => timeMs - atMs < DAY_MS);
    this.lost.push({ atMs: minuteMs, marketId: market.id, assetId, units });
    const fund = available(cellName(CELL.insurance_futures, VENUE, 0, assetId));
    const sum = (counts: (lost: Lost) => boolean) =>
      this.lost.reduce((all, lost) => (counts(lost) ? all + lost.units : all), 0n);
    const inHour = sum((lost) => lost.marketId === market.id && timeMs - lost.atMs < HOUR_MS + MINUTE_MS);
    const today = sum((lost) => lost.assetId === assetId && lost.atMs >= dayOf(timeMs));
    const { hourShareE8, dayShareE8 } = this.budget;
    const exceeds = (lost: bigint, shareE8: number) => lost > ((fund + lost) * BigInt(shareE8)) / ONE_E8;
    if (exceeds(inHour, hourShareE8))
      report(`The insurance fund lost ${inHour} units in ${market.name} within an hour.`);
    if (exceeds(today, dayShareE8)) report(`The insurance fund of asset ${assetId} lost ${today} units today.`);
  }

  /** A netting is of two positions. */
  end({ report }: Hearing): void {
    if (this.netted !== undefined) report("The venue netted one position alone.");
    this.netted = undefined;
  }
}

function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS) * DAY_MS;
}
