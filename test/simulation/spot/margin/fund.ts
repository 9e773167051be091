/** What the insurance fund pays for margin accounts, takes for it and sells. Domain 3.5. */
import { PlainBudget } from "../../futures/plain/fund.ts";
import { divideUp, least } from "../model/numbers.ts";
import type { ModelAsset, ModelMarket } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { against } from "../orders/checks.ts";
import { enter } from "../orders/placing.ts";
import { keptBy } from "../part.ts";
import {
  balanceOf,
  FUND_USER,
  isFresh,
  lending,
  loansOf,
  type MarginAccount,
  type MarginLoan,
  owedIn,
} from "./account.ts";
import { giveBack, giveToFund, pay, venueCell } from "./loans.ts";

const SALE_EVERY_MS = 2_000;
const MINUTE_MS = 60_000;

interface Holding {
  readonly market: ModelMarket;
  readonly asset: ModelAsset;
  units: bigint;
  cost: bigint;
}

/**
 * Holdings by market and base before quote; times at which the fund sells, and looks at debts for want of anything
 * else.
 */
export const insurance = keptBy(() => ({
  budget: new PlainBudget(),
  holdings: [] as Holding[],
  sellsAt: 0,
  debtsAt: 0,
}));

function otherOf({ base, quote }: ModelMarket, asset: ModelAsset): ModelAsset {
  return asset === quote ? base : quote;
}

/** The worth at the index of so much of the other currency, floor. */
export function worthOf({ quote, lot, lotTick, index }: ModelMarket, owed: ModelAsset, other: bigint): bigint {
  if (index === 0n) return 0n;
  return owed === quote ? (other * index * lotTick) / lot : (other * lot) / (index * lotTick);
}

/** Lets the fund pay of `owed` what its budget allows and take `has` for it, or its share; what it paid. */
function takeOver(venue: ModelVenue, account: MarginAccount, asset: ModelAsset, owed: bigint, has: bigint): bigint {
  const { market } = account;
  const own = insurance(venue);
  const fund = venueCell(venue, "sys:ins_margin")[asset.id] ?? 0n;
  const short = owed - worthOf(market, asset, has);
  const budget = own.budget.left(market.id, asset.id, fund, venue.timeMs);
  const pays = least(fund, short <= 0n || short <= budget ? owed : (owed * budget) / short);
  if (pays === 0n) return 0n;
  const perLot = market.index * market.lotTick;
  const [above, below] = asset === market.quote ? [market.lot, perLot] : [perLot, market.lot];
  const fair = market.index === 0n ? 0n : divideUp(pays * above, below);
  const takes = short > 0n ? divideUp(has * pays, owed) : least(has, fair);
  const worth = worthOf(market, asset, takes);
  own.budget.lose(market.id, asset.id, pays - worth, venue.timeMs);
  if (takes > 0n) hold(venue, account, otherOf(market, asset), takes, worth);
  return pays;
}

function hold(venue: ModelVenue, account: MarginAccount, asset: ModelAsset, units: bigint, cost: bigint): void {
  const own = insurance(venue);
  const { market } = account;
  giveToFund(venue, account, asset, units);
  let holding = own.holdings.find((one) => one.market === market && one.asset === asset);
  if (holding === undefined) {
    holding = { market, asset, units: 0n, cost: 0n };
    own.holdings.push(holding);
    const place = (one: Holding) => one.market.id * 2 + (one.asset === one.market.quote ? 1 : 0);
    own.holdings.sort((one, other) => place(one) - place(other));
  }
  holding.units += units;
  holding.cost += cost;
  if (own.sellsAt === 0) own.sellsAt = venue.timeMs + SALE_EVERY_MS;
}

/** Takes over what an account has for all that it owes; whether anything was paid. */
export function takeOverAccount(venue: ModelVenue, account: MarginAccount): boolean {
  const { market } = account;
  let hasPaid = false;
  for (const asset of [market.base, market.quote]) {
    const owed = owedIn(venue, account, asset);
    if (owed === 0n) continue;
    let left = takeOver(venue, account, asset, owed, balanceOf(account, otherOf(market, asset)).available);
    if (left > 0n) hasPaid = true;
    for (const loan of loansOf(venue, account, asset)) left -= pay(venue, loan, left, "fund");
  }
  return hasPaid;
}

/** The fund pays debts, asset by asset, the oldest first and each as far as it goes, until nothing more is paid. */
export function payDebts(venue: ModelVenue): void {
  const own = insurance(venue);
  for (let hasPaid = true; hasPaid; ) {
    hasPaid = false;
    for (const { id } of venue.assets) {
      for (const loan of lending(venue).debts.filter(({ asset }) => asset.id === id)) {
        while (lending(venue).debts.includes(loan) && payDebt(venue, loan)) hasPaid = true;
      }
    }
  }
  own.debtsAt = lending(venue).debts.length === 0 ? 0 : (Math.floor(venue.timeMs / MINUTE_MS) + 1) * MINUTE_MS;
}

function payDebt(venue: ModelVenue, loan: MarginLoan): boolean {
  const { account, asset } = loan;
  const { market } = account;
  const has = market.delisted ? balanceOf(account, otherOf(market, asset)).available : 0n;
  const paid = takeOver(venue, account, asset, loan.principal + loan.interest, has);
  pay(venue, loan, paid, "fund");
  if (market.delisted && loansOf(venue, account).length === 0) giveBack(venue, account);
  return paid > 0n;
}

/** Sells what the fund holds at the index or better. */
export function sellHoldings(venue: ModelVenue, trades: (market: ModelMarket) => boolean): void {
  const own = insurance(venue);
  own.holdings = own.holdings.filter(({ market }) => !market.delisted);
  for (const holding of [...own.holdings]) {
    if (trades(holding.market) && isFresh(holding.market)) sell(venue, holding);
  }
  own.holdings = own.holdings.filter(({ units }) => units > 0n);
  own.sellsAt = own.holdings.length === 0 ? 0 : venue.timeMs + SALE_EVERY_MS;
}

function sell(venue: ModelVenue, holding: Holding): void {
  const { market, asset, units, cost } = holding;
  const side = asset === market.base ? "sell" : "buy";
  const fund = venueCell(venue, "sys:ins_margin");
  const other = otherOf(market, asset);
  const perLot = side === "sell" ? market.lot : market.index * market.lotTick;
  const lots = least(units, fund[asset.id] ?? 0n) / perLot;
  const isDust = units < perLot;
  const [best] = against(market, side);
  const isMet = best !== undefined && (side === "sell" ? best.price >= market.index : best.price <= market.index);
  if (lots > 0n && isMet) {
    const [gave, got] = [fund[asset.id] ?? 0n, fund[other.id] ?? 0n];
    enter(venue, market, {
      userId: FUND_USER,
      marketId: market.id,
      account: "spot",
      side,
      type: "ioc",
      amountIn: "base",
      amount: lots,
      price: market.index,
      hidden: false,
      stpMode: "none",
      clientId: "",
    });
    const sold = gave - (fund[asset.id] ?? 0n);
    const share = (cost * sold) / units;
    insurance(venue).budget.lose(market.id, other.id, share - ((fund[other.id] ?? 0n) - got), venue.timeMs);
    holding.units -= sold;
    holding.cost -= share;
  }
  if (isDust) holding.units = 0n;
}
