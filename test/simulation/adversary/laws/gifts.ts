import { type DealEvent, type EngineEvent, isMadeByPool, type RareEvent } from "../../../../src/engine/event.ts";
import { positionsOf } from "../../../../src/engine/futures/positions/account-sums.ts";
import type { FuturesSpec } from "../../../../src/engine/futures/positions/contract.ts";
import type { PositionEvent } from "../../../../src/engine/futures/positions/position-event.ts";
import { type Funds, toUsdt } from "../funds.ts";
import { type Holding, holdingsIn, partOf } from "../pools/holders.ts";
import { gains, markBandE8, profitsOf, unitsOf, valueAt, worthOf } from "../worth.ts";
import { type Court, type Law, movesMoney } from "./law.ts";

/** What of a close the insurance fund paid for fees. */
export function feesIn({ covered, fee }: PositionEvent): bigint {
  return covered < fee ? covered : fee;
}

/** What rounding may leave, a hundred units of the dearest currency. */
const SLACK = 100n * 6_000_000n * 10_000n;

/**
 * A1, no gift, and A4, no silence pays: what strategies own is explained by the fair prices, by honest orders and by
 * funding. From the venue they may win the margins of honest people who were let go, what the venue won on them while
 * it sold, and what a price that jumped over a bankruptcy left unpaid; not what was carried off while the index was
 * silent.
 */
export class Gifts implements Law {
  private readonly court: Court;
  private spoils = 0n;
  /** Of it what jumps came to. */
  private gaps = 0n;
  /** By user and market, what was taken out of futures while they had a position whose index was silent. */
  private readonly drained = new Map<number, Map<number, bigint>>();
  /** Shares of pools before the present command. */
  private holdings = new Map<number, Holding>();
  /** Fees of the present command, by user. */
  private readonly feesNow = new Map<number, bigint>();
  /** Deposits over chains that stand credited. */
  private readonly credited = new Set<number>();
  /** Whether the present command changes what anybody is worth. */
  private hasMoved = false;

  constructor(court: Court) {
    this.court = court;
  }

  pricesMove(): () => void {
    const { allFunds, stage } = this.court;
    const before = new Map([...allFunds].map((funds) => [funds, funds.equity()]));
    const short = new Map([...allFunds].map((funds) => [funds, funds.shortfall()]));
    const inventory = profitsOf(stage, 0);
    return () => {
      for (const [funds, equity] of before) funds.move(funds.equity() - equity);
      // What a price leaves unpaid of a loan that was covered is lent money lost, and nobody's gift.
      for (const [funds, owed] of short) this.leaveUnpaid(funds.shortfall() - owed);
      for (const [at, profit] of profitsOf(stage, 0).entries()) {
        const won = worthOf(stage, at, profit - (inventory[at] as bigint));
        if (won > 0n) this.spoils += won;
      }
    };
  }

  look(): void {
    this.hasMoved = false;
    this.feesNow.clear();
    this.holdings = holdingsIn(this.court);
  }

  see(event: EngineEvent): void {
    if (movesMoney(event)) this.hasMoved = true;
    const { court } = this;
    const { stage } = court;
    if (event.kind === "deal") this.deal(event);
    else if (event.kind === "posting" && event.posting === "funding") {
      court.fundsOf(event.userId)?.fund(worthOf(stage, event.assetId, event.available));
    } else if (event.kind === "position" && event.finishedType === "sys") {
      this.leave(event);
    } else if (event.kind === "position" && event.covered > 0n) {
      // Of a close that took all that stood behind it the fund has paid the fee.
      const { futures } = stage.state.markets[event.marketId] as (typeof stage.state.markets)[number];
      const paid = worthOf(stage, (futures as FuturesSpec).settleAssetId, feesIn(event));
      court.fundsOf(event.userId)?.forgive(paid);
    } else if (event.kind === "position" && event.reason === "margin" && event.marginChange < 0n) {
      const terms = stage.state.markets[event.marketId]?.futures as FuturesSpec;
      const worth = worthOf(stage, terms.settleAssetId, -event.marginChange);
      if (court.isSilent(event.marketId)) this.drain(event.userId, event.marketId, worth);
    } else if (event.kind === "json") this.happen(event.event);
  }

  judge(): string[] {
    if (!this.hasMoved) return [];
    for (const funds of this.court.allFunds) {
      if (funds.cheapness > SLACK)
        return [`A1: volume of ${funds.name} with itself cost less than a quarter of its fees.`];
    }
    let gift = 0n;
    for (const funds of this.court.allFunds) gift += funds.gross();
    if (gift <= this.spoils + SLACK) return [];
    const names = [...this.court.allFunds].filter((funds) => funds.gross() > 0n).map(({ name }) => name);
    return [`A1: ${names.join(" and ")} got ${toUsdt(gift - this.spoils).toFixed(4)} USDT that nobody offered.`];
  }

  *figures(): Generator<readonly [string, number]> {
    const across = this.gaps > 0n ? " across a gap" : "";
    for (const funds of this.court.allFunds) {
      const { net, funding, frightened } = funds.figures();
      yield [`${funds.name}${across}`, net];
      if (funding > 0) yield [`${funds.name} by funding`, funding];
      if (frightened > 0) yield [`${funds.name} by orders without a price`, frightened];
    }
  }

  private happen(event: RareEvent): void {
    const { court } = this;
    const { stage } = court;
    const worth = ({ ccy, amount }: { readonly ccy: string; readonly amount: string }) => {
      const asset = stage.state.assetByCcy.get(ccy);
      return asset === undefined ? 0n : worthOf(stage, asset.id, unitsOf(amount, asset.scale));
    };
    switch (event.type) {
      case "deposited":
        court.fundsOf(event.userId ?? 0)?.payIn(worth(event));
        return;
      case "adjusted": {
        const isLess = event.amount.startsWith("-");
        const units = worth({ ccy: event.ccy, amount: isLess ? event.amount.slice(1) : event.amount });
        court.fundsOf(event.userId)?.payIn(isLess ? -units : units);
        return;
      }
      case "deposit_moved":
        if (event.method !== "on_chain" || event.status !== "finished" || this.credited.has(event.depositId)) return;
        this.credited.add(event.depositId);
        court.fundsOf(event.userId ?? 0)?.payIn(worth({ ccy: event.ccy, amount: event.actualAmount }));
        return;
      case "deposit_taken_back":
        this.credited.delete(event.depositId);
        court
          .fundsOf(event.userId)
          ?.payIn(-worth({ ccy: event.ccy, amount: event.taken }) - worth({ ccy: event.ccy, amount: event.owed }));
        return;
      case "withdrawal_moved":
        if (event.method !== "on_chain" || event.status !== "finished") return;
        court.fundsOf(event.userId)?.payIn(-worth({ ccy: event.ccy, amount: event.actualAmount }));
        return;
      case "rebates_paid":
        this.giveBack(event);
        return;
      case "transferred":
        if (event.from === "FUTURES") this.drainAll(event.userId, event.ccy, worth(event));
        return;
      case "sub_transferred":
        if (event.from === "FUTURES") this.drainAll(event.fromUserId, event.ccy, worth(event));
        return;
      case "account_lifted":
        this.lift(event.userId, worth(event));
        return;
      case "loan_paid":
        if (event.payer === "fund") this.changeAtIndex(event, event.principal, 1n);
        return;
      case "margin_taken":
        if (event.why === "remainder") this.changeAtIndex(event, event.amount, -1n);
        return;
      case "liquidated": {
        const carried = this.carriedBy(event);
        // Sources that have said nothing of the last step are not silent yet: what the account owed by then is all that
        // the venue could know.
        const told = stage.asTold(() => this.carriedBy(event));
        const least = told < carried ? told : carried;
        if (least < 0n) this.gap(event, -least);
        else if (court.isHonest(event.userId)) this.spoils += carried;
      }
    }
  }

  /** What a position was worth to its user when it was taken over, less what he was given for it. */
  private carriedBy({ marketId, lots, isShort, value }: Extract<RareEvent, { type: "liquidated" }>): bigint {
    const { stage } = this.court;
    const terms = stage.state.markets[marketId]?.futures as FuturesSpec;
    const worth = valueAt(terms, stage.fair(stage.keyOf(marketId)), BigInt(lots));
    return worthOf(stage, terms.settleAssetId, gains(terms, isShort) * (worth - BigInt(value)));
  }

  /**
   * The margin fund pays a loan and takes for it what it is worth by the index. While its sources are not silent yet,
   * or an operator says that they go on as they stood, their word is all that the venue can know: by how much the fair
   * price has left it is no gift.
   */
  private changeAtIndex(
    { userId, marketId, ccy }: { readonly userId: number; readonly marketId: number; readonly ccy: string },
    amount: string,
    sign: bigint,
  ): void {
    const { court } = this;
    const { stage } = court;
    const asset = stage.state.assetByCcy.get(ccy);
    if (asset === undefined || court.isSilent(marketId)) return;
    const worth = () => worthOf(stage, asset.id, unitsOf(amount, asset.scale));
    court.fundsOf(userId)?.take(sign * (worth() - stage.asTold(worth)), false);
  }

  /** Rebates are a share of fees that their receiver paid himself, if he owns who was invited. */
  private giveBack({ refereeId, referrerId, uplineId, paid }: Extract<RareEvent, { type: "rebates_paid" }>): void {
    const { court } = this;
    const payer = court.fundsOf(refereeId);
    for (const { ccy, referrer, referee, upline } of paid) {
      const assetId = court.stage.state.assetByCcy.get(ccy)?.id ?? 0;
      for (const [userId, units] of [
        [referrerId, referrer],
        [refereeId, referee],
        [uplineId ?? 0, upline],
      ] as const) {
        const funds = court.fundsOf(userId);
        const worth = worthOf(court.stage, assetId, BigInt(units));
        if (funds !== undefined && funds === payer) funds.getBack(worth);
        else funds?.take(worth, false);
      }
    }
  }

  /** A market that leaves closes positions at its mark, which the premiums and their law explain; not at an old one. */
  private leave({ userId, marketId, lots, value, isShort }: PositionEvent): void {
    const { stage } = this.court;
    if (this.court.isSilent(marketId)) return;
    const terms = stage.state.markets[marketId]?.futures as FuturesSpec;
    const fair = valueAt(terms, stage.fair(stage.keyOf(marketId)), lots);
    this.court
      .fundsOf(userId)
      ?.take(worthOf(stage, terms.settleAssetId, gains(terms, isShort) * (value - fair)), false);
  }

  /** Of a lifted account the fund has paid fees first. */
  private lift(userId: number, lifted: bigint): void {
    const paid = this.feesNow.get(userId) ?? 0n;
    this.court.fundsOf(userId)?.forgive(lifted < paid ? lifted : paid);
  }

  private leaveUnpaid(worth: bigint): void {
    if (worth <= 0n) return;
    this.gaps += worth;
    this.spoils += worth;
  }

  private gap({ userId, marketId }: { readonly userId: number; readonly marketId: number }, missing: bigint): void {
    const drained = this.drained.get(userId)?.get(marketId) ?? 0n;
    const lawful = missing > drained ? missing - drained : 0n;
    this.leaveUnpaid(lawful);
  }

  /** What leaves a position while its index is silent is missed by the one who pays for the gap. */
  private drain(userId: number, marketId: number, worth: bigint): void {
    const ofUser = this.drained.get(userId) ?? new Map<number, bigint>();
    this.drained.set(userId, ofUser.set(marketId, (ofUser.get(marketId) ?? 0n) + worth));
  }

  /**
   * What an account loses to another of its owner, farther from the fair price than a mark may lie and a close may go
   * while the index of another market is silent, is missed by the one who pays for the gap there.
   */
  private loseAside(userId: number, otherId: number, deal: DealEvent, loss: bigint): void {
    const { stage } = this.court;
    const funds = this.court.fundsOf(userId);
    if (loss <= 0n || funds === undefined || this.court.fundsOf(otherId) !== funds || userId === otherId) return;
    const terms = stage.state.markets[deal.marketId]?.futures as FuturesSpec;
    const leastE8 = BigInt(terms.levels[0]?.maintenanceRateE8 ?? 0) + 2n * markBandE8(terms);
    const beyond = loss - (worthOf(stage, terms.settleAssetId, deal.value) * leastE8) / 100_000_000n;
    const { ccy } = stage.state.assets[terms.settleAssetId] as { readonly ccy: string };
    if (beyond > 0n) this.drainAll(userId, ccy, beyond, deal.marketId);
  }

  /** Cash may have stood behind each position of its currency; where an index speaks its mark has said how much. */
  private drainAll(userId: number, ccy: string, worth: bigint, besides = -1): void {
    const { state } = this.court.stage;
    const { accounts, positions } = state.futures;
    const account = accounts.find(userId, state.assetByCcy.get(ccy)?.id ?? -1);
    if (account < 0) return;
    const markets = new Set([...positionsOf(state, account)].map((slot) => positions.marketId(slot)));
    for (const id of markets) if (id !== besides && this.court.isSilent(id)) this.drain(userId, id, worth);
  }

  private deal(deal: DealEvent): void {
    const { court } = this;
    const market = court.stage.state.markets[deal.marketId] as (typeof court.stage.state.markets)[number];
    const buyer = deal.side === "buy" ? deal.taker : deal.maker;
    const seller = deal.side === "buy" ? deal.maker : deal.taker;
    const isFrightened = court.order(deal.taker.orderId)?.type === "market";
    // What one strategy takes from another is no gift either.
    const offer = (funds: Funds | undefined, other: number, edge: bigint) => {
      if (funds === undefined || other <= 0 || court.fundsOf(other) === funds) return;
      funds.take(edge, isFrightened && court.isHonest(other) && other === deal.taker.userId);
    };
    const edge = this.edgeOf(deal);
    if (market.futures !== undefined) {
      this.loseAside(buyer.userId, seller.userId, deal, -edge);
      this.loseAside(seller.userId, buyer.userId, deal, edge);
    }
    this.shareInPool(deal, deal.side === "buy" ? edge : -edge);
    offer(court.fundsOf(buyer.userId), seller.userId, edge);
    offer(court.fundsOf(seller.userId), buyer.userId, -edge);
    for (const party of [deal.taker, deal.maker]) {
      const paid = court.fundsOf(party.userId)?.pay(party, deal, court.order(party.orderId), market.quoteAssetId) ?? 0n;
      if (!party.deducted) this.feesNow.set(party.userId, (this.feesNow.get(party.userId) ?? 0n) + paid);
    }
  }

  /**
   * A pool offers what its providers have put into it: what a taker gains by its price, they lose by their shares; and
   * of every fee in its market half is theirs.
   */
  private shareInPool(deal: DealEvent, takersEdge: bigint): void {
    const { court } = this;
    const holding = this.holdings.get(deal.marketId);
    if (holding === undefined || holding.all === 0n) return;
    for (const funds of court.allFunds) {
      if (isMadeByPool(deal)) {
        const isTaker = court.fundsOf(deal.taker.userId) === funds;
        funds.take((isTaker ? takersEdge : 0n) - partOf(holding, funds, takersEdge), false);
      }
      for (const { userId, fee, feeAssetId } of [deal.taker, deal.maker]) {
        const part = partOf(holding, funds, worthOf(court.stage, feeAssetId, fee / 2n));
        if (court.fundsOf(userId) === funds) funds.getBack(part);
        else funds.take(part, false);
      }
    }
  }

  /** What the buyer gains by the price of a deal, and the seller loses. */
  private edgeOf(deal: DealEvent): bigint {
    const { stage } = this.court;
    const market = stage.state.markets[deal.marketId] as (typeof stage.state.markets)[number];
    const terms = market.futures;
    if (terms === undefined) {
      const got = worthOf(stage, market.baseAssetId, deal.lots * market.unitsPerLot);
      return got - worthOf(stage, market.quoteAssetId, deal.value);
    }
    const fair = valueAt(terms, stage.fair(stage.keyOf(deal.marketId)), deal.lots);
    return worthOf(stage, terms.settleAssetId, gains(terms, false) * (fair - deal.value));
  }
}
