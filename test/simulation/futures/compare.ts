/** Holds the engine's futures accounts against those kept by hand, and its figures against their definitions. */
import { USER_FLAG } from "../../../src/engine/accounts/user.ts";
import { mayLiquidate } from "../../../src/engine/futures/liquidation/may-liquidate.ts";
import { isReducing } from "../../../src/engine/futures/orders/held-order.ts";
import {
  accountSumsOf,
  atMark,
  backingOf,
  factsOf,
  marginOf,
  positionsIn,
  termsOf,
} from "../../../src/engine/futures/positions/account-sums.ts";
import * as figures from "../../../src/engine/futures/positions/figures.ts";
import { isHedge } from "../../../src/engine/futures/positions/futures-seat.ts";
import { CELL, cellKey, VENUE } from "../../../src/engine/ledger/cell.ts";
import type { Market } from "../../../src/engine/listing/market.ts";
import { mayTrade } from "../../../src/engine/listing/status.ts";
import type { State } from "../../../src/engine/state.ts";
import { NONE } from "../../../src/engine/trading/order.ts";
import { protections } from "../../../src/engine/trading/protections.ts";
import { transferable } from "../../../src/engine/wallet/transfer.ts";
import { courseFrom } from "./plain/accounts.ts";
import { type AccountView, accountView, positionView } from "./plain/figures.ts";
import type { QuoteLimits } from "./plain/minutes.ts";
import { most, ratio, up } from "./plain/rational.ts";
import { feeOf, type PlainMarket, type PlainPosition, traded } from "./plain/records.ts";
import type { PlainFutures } from "./plain/venue.ts";
import { allResting } from "./step.ts";

/** Lets the plain venue learn the facts that it does not work out: terms, rates, modes, what rests. */
export function learn(plain: PlainFutures, state: State): void {
  plain.learnTerms = () => learnTerms(plain, state);
  plain.learnTerms();
  const left = new Set(state.markets.filter(({ delisted }) => delisted).map(({ id }) => id));
  plain.isLeaving = (marketId) => (state.markets[marketId]?.delisted ?? false) && !left.has(marketId);
  plain.isWaiting = (marketId) => !mayLiquidate(state, state.markets[marketId] as Market);
  plain.isListed = (marketId) => state.markets[marketId]?.delisted === false;
  plain.isAtRisk = (marketId) => {
    const market = state.markets[marketId] as Market;
    return market.status === "online" && mayTrade(state, market);
  };
  plain.protectionsOf = (marketId) => quoteLimits(state, marketId);
  const rates = new Map<number, number>();
  for (let userId = 0; userId < state.users.count; userId++) rates.set(userId, state.users.takerFeeRateE8(userId));
  plain.rates = (userId, marketId) => {
    const own = rates.get(userId) ?? -1;
    return own < 0 ? plain.market(marketId).takerRateE8 : own;
  };
  const hedgers = new Set([...rates.keys()].filter((userId) => state.users.has(userId) && isHedge(state, userId)));
  plain.isHedge = (userId) => hedgers.has(userId);
  const unsettled = new Set([...rates.keys()].filter((id) => (state.users.flags(id) & USER_FLAG.settleOff) !== 0));
  plain.settles = (userId) => !unsettled.has(userId);
  plain.assetNamed = (ccy) => state.assetByCcy.get(ccy);
  plain.frozen = freezes(plain, state);
}

/** The limits that users have set for their quotes in a market. */
export function quoteLimits(state: State, marketId: number): QuoteLimits[] {
  const all = protections.of(state).in(marketId)?.values() ?? [];
  return Array.from(all, ({ userId, terms: { fills, amount, delta } }) => ({ userId, fills, amount, delta }));
}

function learnTerms(plain: PlainFutures, state: State): void {
  for (const { id, futures, ...market } of state.markets) {
    if (futures === undefined) continue;
    const isInverse = futures.contractType === "inverse";
    const settles = isInverse ? market.baseAssetId : market.quoteAssetId;
    const levels = futures.levels.map(({ amount, maintenanceRateE8, minInitialRateE8 }) => ({
      amount,
      rateE8: maintenanceRateE8,
      initialE8: minInitialRateE8,
    }));
    plain.markets.set(id, {
      id,
      name: market.name,
      isInverse,
      settles,
      scale: state.assets[settles]?.scale ?? 0,
      amountPrecision: market.amountPrecision,
      pricePrecision: market.pricePrecision,
      tickSize: futures.tickSize,
      maxPrice: market.maxPrice,
      levels,
      takerRateE8: market.takerFeeRateE8,
      bandE8: Math.min(500_000, Math.floor((levels[0]?.rateE8 ?? 0) / 2)),
    });
    if (!plain.courses.has(id)) plain.courses.set(id, courseFrom(state.timeMs));
  }
}

/** F of each account from its resting orders. Source: domain 4.4. */
function freezes(plain: PlainFutures, state: State): Map<string, bigint> {
  const { orders, seats, futures } = state;
  const sides = new Map<string, { lots: bigint; value: bigint; fees: bigint; reducing: bigint }>();
  for (const slot of allResting(state)) {
    const seat = orders.seat(slot);
    const market = plain.markets.get(seats.marketId(seat));
    if (market === undefined) continue;
    const key = `${seats.userId(seat)} ${market.id} ${orders.side(slot)}`;
    const sum = sides.get(key) ?? { lots: 0n, value: 0n, fees: 0n, reducing: 0n };
    sides.set(key, sum);
    const lots = orders.left(slot);
    if (isReducing(orders.flags(slot))) {
      sum.reducing += lots;
      continue;
    }
    const value = traded(market, futures.held.freezePrice(slot), lots);
    sum.lots += lots;
    sum.value += value;
    sum.fees += feeOf(value, orders.takerFeeRateE8(slot));
  }
  const frozen = new Map<string, bigint>();
  for (const [key, { lots, value, fees, reducing }] of sides) {
    if (lots === 0n) continue;
    const [userId, marketId, side] = key.split(" ").map(Number) as [number, number, number];
    const against = plain.held(userId, marketId, side === 0)?.amount ?? 0n;
    const opening = plain.isHedge(userId) ? lots : most(0n, lots - (against - reducing));
    const row = futures.seats.rowOf(seats.find(userId, marketId, 0));
    const leverage = BigInt(futures.seats.leverage(row));
    const units = up(ratio(up(ratio(value * opening, lots)), leverage)) + up(ratio(fees * opening, lots));
    const account = `${userId} ${plain.market(marketId).settles}`;
    frozen.set(account, (frozen.get(account) ?? 0n) + units);
  }
  return frozen;
}

/** What the engine stores otherwise than it was worked out by hand. */
export function compareStored(plain: PlainFutures, state: State): string[] {
  const differences: string[] = [];
  const differ = (what: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) differences.push(`${what}: ${ours}, by the rules ${theirs}`);
  };
  const { positions } = state.futures;
  let open = 0;
  for (const market of state.markets) {
    if (market.futures === undefined) continue;
    differ(`mark of market ${market.id}`, state.futures.live.mark(market.id), plain.markOf(market.id));
    for (const slot of positionsIn(state, market.id)) {
      open++;
      const name = `position ${positions.positionId(slot)}`;
      const own = plain.held(positions.userId(slot), market.id, positions.isShort(slot));
      if (own === undefined) {
        differences.push(`${name} is stored and by the rules there is none.`);
        continue;
      }
      differ(`${name}: id`, positions.positionId(slot), own.id);
      differ(`${name}: amount`, positions.amount(slot), own.amount);
      differ(`${name}: entry cost`, positions.entryCost(slot), own.entry);
      differ(`${name}: settle cost`, positions.settleCost(slot), own.settle);
      differ(`${name}: realized`, positions.realized(slot), own.realized);
      differ(`${name}: margin`, marginOf(state, slot), own.margin);
      differ(`${name}: isolated`, positions.isIsolated(slot), own.isIsolated);
    }
    const holds = held(state, CELL.clearing, VENUE, market.id);
    differ(`clearing of market ${market.id}`, holds, plain.cleared.get(market.id) ?? 0n);
  }
  differ("open positions", open, plain.positions.length);
  const { accounts } = state.futures;
  for (let account = 0; account < accounts.count; account++) {
    const [userId, asset] = [accounts.userId(account), accounts.assetId(account)];
    differ(
      `cash of user ${userId} in asset ${asset}`,
      state.ledger.available(accounts.cell(account)),
      plain.cashOf(userId, asset),
    );
  }
  for (const { id } of state.assets) {
    differ(`insurance fund in asset ${id}`, held(state, CELL.insurance_futures, VENUE, id), plain.cashOf(0, id));
  }
  return differences;
}

function held({ ledger }: State, kind: number, owner: number, place: number): bigint {
  const cell = ledger.find(cellKey(kind, owner, place));
  return cell < 0 ? 0n : ledger.available(cell);
}

/** Who is due to be liquidated and was not, where nothing stands in the way. Source: domain 4.13. */
export function compareHealth(plain: PlainFutures, state: State): string[] {
  const differences: string[] = [];
  const may = new Set(state.markets.flatMap((one) => (one.futures && mayLiquidate(state, one) ? [one.id] : [])));
  const accounts = new Map<string, PlainPosition[]>();
  for (const position of plain.positions) {
    if (position.userId === 0) continue;
    if (!position.isIsolated) {
      const key = `${position.userId} ${plain.market(position.marketId).settles}`;
      accounts.set(key, [...(accounts.get(key) ?? []), position]);
      continue;
    }
    const { profit, maintenance } = plain.at(position);
    const equity = position.margin + profit;
    if (equity <= maintenance && may.has(position.marketId)) {
      differences.push(`Position ${position.id} goes on with ${equity} against ${maintenance}.`);
    }
  }
  for (const [key, positions] of accounts) {
    const [userId, asset] = key.split(" ").map(Number) as [number, number];
    const { cash, profit, maintenance } = plain.account(userId, asset);
    const equity = cash + profit - (plain.frozen.get(key) ?? 0n);
    if (equity <= maintenance && positions.some(({ marketId }) => may.has(marketId))) {
      differences.push(`The cross positions of account ${key} go on with ${equity} against ${maintenance}.`);
    }
  }
  return differences;
}

/** Whether all cells of each asset still come to 0, nothing having been made or lost. */
export function compareMoney({ ledger, assets }: State): string[] {
  const sums = new Map<number, bigint>();
  for (let cell = 0; cell < ledger.count; cell++) {
    const asset = ledger.assetId(cell);
    sums.set(asset, (sums.get(asset) ?? 0n) + ledger.available(cell) + ledger.frozen(cell));
  }
  return [...sums].flatMap(([id, sum]) =>
    sum === 0n ? [] : [`All that there is of ${assets[id]?.ccy} comes to ${sum} units and not to 0.`],
  );
}

/** The figures of balances and positions against their definitions. Source: domain 4.7 and 4.8. */
export function compareFigures(plain: PlainFutures, state: State): string[] {
  const differences: string[] = [];
  const compare = (name: string, ours: object, theirs: object) => {
    for (const [field, value] of Object.entries(theirs)) {
      const own = (ours as Record<string, unknown>)[field];
      if (own !== value) differences.push(`${name}: ${field} is ${own}, by its definition ${value}`);
    }
  };
  const { accounts } = state.futures;
  for (let account = 0; account < accounts.count; account++) {
    const [userId, asset] = [accounts.userId(account), accounts.assetId(account)];
    if (userId === 0) continue;
    const ours = engineAccount(state, account);
    compare(`account of user ${userId} in asset ${asset}`, ours, accountView(plain, userId, asset));
  }
  for (const position of plain.positions) {
    if (position.userId === 0 || plain.markOf(position.marketId) === 0n) continue;
    const theirs = positionView(plain, position);
    compare(`position ${position.id}`, enginePosition(plain, state, position), theirs);
  }
  return differences;
}

function engineAccount(state: State, account: number): AccountView {
  const sums = accountSumsOf(state, account);
  const { accounts } = state.futures;
  const asset = state.assets[accounts.assetId(account)] as NonNullable<(typeof state.assets)[number]>;
  return {
    cash: sums.cash,
    frozen: sums.frozen,
    crossMargin: most(0n, figures.crossMargin(sums)),
    theoretical: most(0n, figures.theoreticalTransferable(sums)),
    risk: most(0n, figures.riskTransferable(sums)),
    transferable: transferable(state, accounts.userId(account), asset),
  };
}

function enginePosition(plain: PlainFutures, state: State, position: PlainPosition) {
  const { positions } = state.futures;
  const { marketId } = position;
  const market = plain.market(marketId) as PlainMarket;
  const slot = [...positionsIn(state, marketId)].find((one) => positions.positionId(one) === position.id) ?? NONE;
  if (slot === NONE) return {};
  const terms = termsOf(state, marketId);
  const facts = factsOf(state, slot);
  const at = atMark(state, slot);
  const backing = backingOf(state, slot);
  return {
    value: at.value,
    unrealized: at.unrealized,
    maintenance: at.maintenance,
    margin: position.isIsolated ? marginOf(state, slot) : at.initial,
    averagePrice: figures.shownPrice(terms, facts.amount, facts.entryCost),
    settlePrice: figures.shownPrice(terms, facts.amount, facts.settleCost),
    marginRateE8: figures.marginRateE8(backing, facts.settleCost),
    liqPrice: figures.liquidationPrice(terms, facts, backing, market.maxPrice),
    bkrPrice: position.isIsolated ? figures.bankruptcyPrice(terms, facts, marginOf(state, slot)) : 0n,
    riskRateE8: figures.riskRateE8(backing, at),
  };
}
