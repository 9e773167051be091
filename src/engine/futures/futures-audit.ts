import type { Audit, Hearing } from "../audit/audit.ts";
import { add, cellName, type Report, spotCellName } from "../audit/ledger-audit.ts";
import type { DealEvent, DealParty, EngineEvent, RareEvent } from "../event.ts";
import { CELL, VENUE } from "../ledger/cell.ts";
import type { Market } from "../listing/market.ts";
import { parseDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import { marginOf, positionsIn } from "./positions/account-sums.ts";
import { type FuturesSpec, signOf } from "./positions/contract.ts";
import { NO_CHANGE } from "./positions/emit-position.ts";
import { LIQUIDATOR } from "./positions/futures-account.ts";
import type { PositionEvent } from "./positions/position-event.ts";

/** Hears what an event says should have moved. */
type Explain = (cell: string, units: bigint) => void;

/** The figures of a position that its events must explain. */
type Holdings = Pick<PositionEvent, "amount" | "entryCost" | "settleCost" | "margin" | "realized">;

const NOTHING: Holdings = { amount: 0n, entryCost: 0n, settleCost: 0n, margin: 0n, realized: 0n };
const FOR_LIFE = ["userId", "marketId", "isShort", "isIsolated", "createdAt"] as const;

/**
 * Follows every position by its events alone: each change must follow from the last one and from its deal by the rules
 * of fills, and gives the reason for the money that moves. Source: domain 4.6, and 10 numbers 12-15 and 22.
 */
export class FuturesAudit implements Audit {
  private readonly state: State;
  private readonly open = new Map<number, PositionEvent>();
  private lastPositionId: number;
  /** Of the present command. */
  private readonly deals: DealEvent[] = [];
  private readonly told: PositionEvent[] = [];
  /** Per market: longs less shorts, and what its clearing and its positions come to; both must be 0. */
  private readonly balance = new Map<number, bigint>();
  private readonly cleared = new Map<number, bigint>();
  /** Collections of funding that have begun and not yet ended, by market. */
  private readonly collections = new Map<number, { paid: bigint; received: bigint }>();

  constructor(state: State) {
    this.state = state;
    this.lastPositionId = state.nextPositionId - 1;
    for (const position of storedPositions(state)) this.open.set(position.positionId, position);
  }

  take(event: EngineEvent, { timeMs, explain, report }: Hearing): void {
    if (event.kind === "deal") {
      if (event.taker.account === "futures") this.deal(event);
    } else if (event.kind === "position") this.position(event, timeMs, explain, report);
    else if (event.kind === "json") this.happen(event.event, explain, report);
  }

  /** Of a futures market; it is judged at the end of the command. */
  private deal(deal: DealEvent): void {
    this.deals.push(deal);
  }

  private position(event: PositionEvent, timeMs: number, explain: Explain, report: Report): void {
    const before = this.open.get(event.positionId);
    const wrong = (what: string) => report(`Position ${event.positionId}, told by ${event.reason}, ${what}.`);
    if (before === undefined) this.checkNew(event, timeMs, wrong);
    else for (const field of FOR_LIFE) if (before[field] !== event[field]) wrong(`has changed its ${field}`);
    const expected = this.after(before ?? NOTHING, event, wrong);
    for (const field of Object.keys(expected) as (keyof Holdings)[]) {
      if (expected[field] !== event[field])
        wrong(`has ${event[field]} as its ${field} and should have ${expected[field]}`);
    }
    if (event.updatedAt !== timeMs) wrong("was not updated now");
    if (event.topAmount !== largest(before?.topAmount, event.amount)) wrong("was never so large");
    if (event.topCost !== largest(before?.topCost, event.entryCost)) wrong("never cost so much");
    if (event.topMargin < largest(before?.topMargin, event.margin)) wrong("forgets the margin that it had");
    if (event.firstPrice !== (before ?? { firstPrice: event.latestPrice }).firstPrice)
      wrong("was first traded elsewhere");
    if (before !== undefined && event.lots === 0n && event.latestPrice !== before.latestPrice) wrong("was not traded");
    if (event.reason === "reduce" && event.entered !== (before?.entryCost ?? 0n) - event.entryCost)
      wrong("cost otherwise");
    if ((event.amount === 0n) !== (event.finishedType !== "")) wrong("is closed or open in word only");
    this.explainMoney(event, explain);
    this.count(before ?? { ...event, ...NOTHING }, -1n);
    this.count(event, 1n);
    if (event.reason !== "funding") add(this.cleared, event.marketId, -event.pnl);
    this.told.push(event);
    if (event.amount === 0n) this.open.delete(event.positionId);
    else this.open.set(event.positionId, event);
  }

  private checkNew(event: PositionEvent, timeMs: number, wrong: (what: string) => void): void {
    if (event.reason !== "increase") wrong("was not open");
    if (event.positionId !== this.lastPositionId + 1) wrong(`follows position ${this.lastPositionId}`);
    if (event.createdAt !== timeMs) wrong("was not opened now");
    this.lastPositionId = event.positionId;
    for (const other of this.open.values()) {
      const isTwin =
        other.userId === event.userId && other.marketId === event.marketId && other.isShort === event.isShort;
      if (isTwin) wrong(`is a second one beside position ${other.positionId}`);
    }
  }

  /** Returns the figures that a position must have after a change. */
  private after(before: Holdings, event: PositionEvent, wrong: (what: string) => void): Holdings {
    const { lots, value, fee, marginChange } = event;
    const margin = before.margin + marginChange;
    if (event.reason === "increase") {
      const most = event.isIsolated ? value / BigInt(event.leverage) : 0n;
      if (lots <= 0n || fee < 0n) wrong("is increased by nothing");
      if (marginChange < 0n || marginChange > most) wrong(`takes a margin of ${marginChange} for ${value}`);
      if (event.pnl !== 0n || event.covered !== 0n) wrong("gains or loses by being increased");
      return {
        amount: before.amount + lots,
        entryCost: before.entryCost + value,
        settleCost: before.settleCost + value,
        margin,
        realized: before.realized - fee,
      };
    }
    if (event.reason === "funding" || event.reason === "settle") return this.afterBooking(before, event, wrong);
    if (event.reason !== "reduce") {
      if (lots !== 0n || fee !== 0n || event.pnl !== 0n || event.covered !== 0n) wrong("trades without a trade");
      const { amount, entryCost, settleCost, realized } = before;
      return { amount, entryCost, settleCost, margin, realized };
    }
    if (lots <= 0n || lots > before.amount) wrong(`is reduced by ${lots} of ${before.amount} lots`);
    const share = (whole: bigint) => (lots === before.amount ? whole : (whole * lots) / before.amount);
    const settled = share(before.settleCost);
    const pnl = signOf(this.termsOf(event), event.isShort) * (value - settled);
    if (event.pnl !== pnl) wrong(`realizes ${event.pnl} and should realize ${pnl}`);
    this.checkRelease(before, event, share(before.margin), wrong);
    return {
      amount: before.amount - lots,
      entryCost: before.entryCost - share(before.entryCost),
      settleCost: before.settleCost - settled,
      margin,
      realized: before.realized + pnl - fee,
    };
  }

  /** Funding changes what is realized, and a settlement renews the cost from which profit counts; neither trades. */
  private afterBooking(before: Holdings, event: PositionEvent, wrong: (what: string) => void): Holdings {
    const { lots, value, fee, pnl, covered, marginChange } = event;
    if (lots !== 0n || fee !== 0n || covered !== 0n) wrong("trades without a trade");
    const margin = before.margin + marginChange;
    const settles = event.reason === "settle";
    const sign = signOf(this.termsOf(event), event.isShort);
    if (settles && pnl !== sign * (value - before.settleCost)) wrong(`settles ${pnl}, which is not its profit`);
    if (settles && event.isIsolated && marginChange !== pnl) wrong("does not settle into its margin");
    // 25: what stands behind the position besides its settle cost, O - σX of domain 4.7, stays.
    const backed = (cost: bigint, backing: bigint) => cost - sign * backing;
    if (settles && backed(event.settleCost, pnl) !== before.settleCost) wrong("is liquidated elsewhere than before");
    if (!settles && (marginChange > 0n || (pnl > 0n && marginChange !== 0n))) wrong("receives funding as margin");
    if (!settles) this.fund(event);
    const { amount, entryCost, settleCost, realized } = before;
    return { amount, entryCost, settleCost: settles ? value : settleCost, margin, realized: realized + pnl };
  }

  /** Adds a payment to the collection under way. */
  private fund({ marketId, pnl }: PositionEvent): void {
    const collection = this.collections.get(marketId) ?? { paid: 0n, received: 0n };
    this.collections.set(marketId, collection);
    if (pnl < 0n) collection.paid -= pnl;
    else collection.received += pnl;
  }

  /** 24: what the payers of a collection paid is what the receivers and the insurance fund got. */
  private endCollection(
    rareEvent: Extract<RareEvent, { type: "funding_collected" }>,
    explain: Explain,
    report: Report,
  ): void {
    const { paid, received } = this.collections.get(rareEvent.marketId) ?? { paid: 0n, received: 0n };
    this.collections.delete(rareEvent.marketId);
    const residue = BigInt(rareEvent.residue);
    const wrong = (what: string) => report(`The funding collected in market ${rareEvent.marketId} ${what}.`);
    if (paid !== BigInt(rareEvent.paid) || paid !== received + residue) {
      wrong(`took ${paid} units, paid ${received} and left ${residue}`);
    }
    if (residue < 0n || residue >= BigInt(Math.max(1, rareEvent.receivers))) wrong(`left ${residue} units over`);
    const { settleAssetId } = this.termsOf(rareEvent);
    explain(cellName(CELL.insurance_futures, VENUE, 0, settleAssetId), residue);
  }

  /** Checks the isolated margin that a reduction takes: its share, and more where that does not pay the loss. */
  private checkRelease(before: Holdings, event: PositionEvent, share: bigint, wrong: (what: string) => void): void {
    const gained = (event.isIsolated ? share : 0n) + event.pnl - event.fee;
    const short = event.isIsolated && gained < 0n ? -gained : 0n;
    const more = short < before.margin - share ? short : before.margin - share;
    const released = event.isIsolated ? share + more : 0n;
    if (event.marginChange !== -released) wrong(`releases a margin of ${-event.marginChange} and should ${released}`);
    if (event.covered < 0n || event.covered > short - more)
      wrong(`is covered with ${event.covered} of ${short - more}`);
  }

  private explainMoney(event: PositionEvent, explain: Explain): void {
    const { settleAssetId } = this.termsOf(event);
    const { pnl, fee, marginChange, covered, marketId, userId } = event;
    const cleared = event.reason === "funding" ? 0n : pnl;
    const kind = event.isShort ? CELL.isolated_short : CELL.isolated_long;
    explain(cashName(userId, settleAssetId), pnl - fee - marginChange + covered);
    if (event.isIsolated) explain(cellName(kind, userId, marketId, settleAssetId), marginChange);
    explain(cellName(CELL.clearing, VENUE, marketId, settleAssetId), -cleared);
    explain(cellName(CELL.fee, VENUE, 0, settleAssetId), fee);
    explain(cellName(CELL.insurance_futures, VENUE, 0, settleAssetId), -covered);
  }

  private count(event: Pick<PositionEvent, "marketId" | "isShort" | "amount" | "settleCost">, sign: bigint): void {
    const { marketId, isShort, amount, settleCost } = event;
    add(this.balance, marketId, sign * (isShort ? -amount : amount));
    add(this.cleared, marketId, sign * signOf(this.termsOf(event), isShort) * settleCost);
  }

  /** Transfers, collections of funding, and what the insurance fund lifts. */
  private happen(rareEvent: RareEvent, explain: Explain, report: Report): void {
    if (rareEvent.type === "funding_collected") {
      this.endCollection(rareEvent, explain, report);
      return;
    }
    if (rareEvent.type === "clearing_closed") {
      const { settleAssetId } = this.termsOf(rareEvent);
      const residue = BigInt(rareEvent.residue);
      if (residue <= 0n) report(`The clearing of market ${rareEvent.marketId} leaves ${residue} units.`);
      explain(cellName(CELL.clearing, VENUE, rareEvent.marketId, settleAssetId), -residue);
      explain(cellName(CELL.insurance_futures, VENUE, 0, settleAssetId), residue);
      add(this.cleared, rareEvent.marketId, -residue);
      return;
    }
    if (rareEvent.type !== "transferred" && rareEvent.type !== "account_lifted") return;
    if (rareEvent.type === "transferred" && rareEvent.from !== "FUTURES" && rareEvent.to !== "FUTURES") return;
    const asset = this.state.assetByCcy.get(rareEvent.ccy);
    const units = asset === undefined ? undefined : parseDecimal(rareEvent.amount, asset.scale);
    if (asset === undefined || units === undefined) return;
    const cash = cashName(rareEvent.userId, asset.id);
    if (rareEvent.type === "account_lifted") {
      explain(cellName(CELL.insurance_futures, VENUE, 0, asset.id), -units);
      explain(cash, units);
      return;
    }
    const into = rareEvent.to === "FUTURES" ? units : -units;
    explain(spotCellName(rareEvent.userId, asset.id), -into);
    explain(cash, into);
  }

  /** 12 and 13, and that each deal is all in positions. */
  end({ report }: Hearing): void {
    for (const deal of this.deals) {
      const takerSells = deal.side === "sell";
      this.judge(deal, deal.taker, takerSells, report);
      this.judge(deal, deal.maker, !takerSells, report);
    }
    for (const [marketId, lots] of this.balance) {
      if (lots !== 0n) report(`The positions of market ${marketId} hold ${lots} more lots long than short.`);
    }
    for (const [marketId, units] of this.cleared) {
      if (units !== 0n) report(`Clearing and positions of market ${marketId} come to ${units} units and not to 0.`);
    }
    for (const marketId of this.collections.keys()) report(`Funding moved in market ${marketId} without a collection.`);
    this.collections.clear();
    this.balance.clear();
    this.cleared.clear();
    this.deals.length = 0;
    this.told.length = 0;
  }

  private judge(deal: DealEvent, party: DealParty, sells: boolean, report: Report): void {
    const own = this.told.filter(({ dealId, orderId }) => dealId === deal.dealId && orderId === party.orderId);
    const sum = (figure: (event: PositionEvent) => bigint) => own.reduce((total, event) => total + figure(event), 0n);
    const wrong = (what: string) => report(`Deal ${deal.dealId} of order ${party.orderId} ${what}.`);
    if (sum(({ lots }) => lots) !== deal.lots) wrong("does not change positions by its lots");
    if (sum(({ value }) => value) !== deal.value) wrong("does not change positions by its value");
    if (sum(({ fee }) => fee) !== party.fee) wrong("does not charge positions with its fee");
    for (const { reason, isShort, userId, latestPrice } of own) {
      if (latestPrice !== deal.price) wrong("is at another price in its positions");
      if (userId !== party.userId) wrong("changes a foreign position");
      if ((reason === "increase") !== (isShort === sells)) wrong("changes a position the wrong way");
    }
  }

  /** Whether the events told everything. */
  compare(report: Report): void {
    const { state } = this;
    let stored = 0;
    for (const position of storedPositions(state)) {
      stored++;
      const told = this.open.get(position.positionId);
      if (told === undefined) report(`Position ${position.positionId} is open and no event told of it.`);
      else if (!isSame(told, position)) report(`Events do not tell how position ${position.positionId} stands.`);
    }
    if (stored !== this.open.size) report(`Events tell of ${this.open.size} positions of ${stored}.`);
  }

  private termsOf({ marketId }: { readonly marketId: number }): FuturesSpec {
    return (this.state.markets[marketId] as Market).futures as FuturesSpec;
  }
}

/** The cell of a futures account's cash. */
function cashName(userId: number, assetId: number): string {
  return userId === LIQUIDATOR
    ? cellName(CELL.insurance_futures, VENUE, 0, assetId)
    : cellName(CELL.futures, userId, 0, assetId);
}

const STANDING = [
  ...FOR_LIFE,
  ...["leverage", "amount", "entryCost", "settleCost", "margin", "realized"],
  ...["topAmount", "topCost", "topMargin", "updatedAt", "firstPrice", "latestPrice"],
] as const;

function isSame(left: PositionEvent, right: PositionEvent): boolean {
  return STANDING.every((field) => left[field] === right[field]);
}

function* storedPositions(state: State): Generator<PositionEvent> {
  const { positions, seats } = state.futures;
  for (const market of state.markets) {
    if (market.futures === undefined) continue;
    for (const slot of positionsIn(state, market.id)) {
      yield {
        kind: "position",
        reason: "increase",
        positionId: positions.positionId(slot),
        userId: positions.userId(slot),
        marketId: positions.marketId(slot),
        isShort: positions.isShort(slot),
        isIsolated: positions.isIsolated(slot),
        leverage: seats.leverage(positions.seat(slot)),
        amount: positions.amount(slot),
        entryCost: positions.entryCost(slot),
        settleCost: positions.settleCost(slot),
        margin: marginOf(state, slot),
        realized: positions.realized(slot),
        topAmount: positions.topAmount(slot),
        topCost: positions.topCost(slot),
        topMargin: positions.topMargin(slot),
        firstPrice: positions.firstPrice(slot),
        latestPrice: positions.latestPrice(slot),
        createdAt: positions.createdAt(slot),
        updatedAt: positions.updatedAt(slot),
        ...NO_STEP,
      };
    }
  }
}

const NO_STEP = { ...NO_CHANGE, liqPrice: 0n, bkrPrice: 0n } as const;

function largest(first: bigint | undefined, second: bigint): bigint {
  return first !== undefined && first > second ? first : second;
}
