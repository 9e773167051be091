/** Margin accounts: what each has and owes, and what that is worth by the index of its market. Domain 3.1 and 3.4. */
import { divideUp, ONE_E8 } from "../model/numbers.ts";
import type { ModelAsset, ModelBalance, ModelMarket, ModelOrder } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { keptBy } from "../part.ts";

export interface MarginSpec {
  readonly leverage: bigint;
  /** 10^-8. */
  readonly liquidation: bigint;
  readonly warning: bigint;
  readonly transfer: bigint;
  /** By currency; what is not in it is not lent. */
  readonly lent: ReadonlyMap<ModelAsset, { readonly least: bigint; readonly most: bigint; readonly rate: bigint }>;
}

export interface MarginLoan {
  readonly id: number;
  readonly account: MarginAccount;
  readonly asset: ModelAsset;
  readonly since: number;
  readonly renews: boolean;
  until: number;
  extended: boolean;
  rate: bigint;
  principal: bigint;
  interest: bigint;
  hours: number;
  /** `ends`: its term ends now; `waits` to be repaid by force; `debt`: its liquidation left it. */
  state: "runs" | "ends" | "waits" | "debt";
}

/** The margin insurance fund trades as nobody else: without a fee of its own, out of its cell. */
export const FUND_USER = 0;

export interface Liquidation {
  nextAt: number;
  hasTraded: boolean;
  /** When it was found that what the account has does not pay what it owes, at the index. */
  insolventAt: number | undefined;
  readonly fees: ReadonlyMap<ModelAsset, bigint>;
  /** A loan that has to be repaid whatever the account is worth. */
  expired: MarginLoan | undefined;
}

export interface MarginAccount {
  readonly userId: number;
  readonly market: ModelMarket;
  readonly base: ModelBalance;
  readonly quote: ModelBalance;
}

/**
 * Terms by market id; accounts in the order in which they were made, loans by ascending id, the rest in the order of
 * their turns.
 */
export const lending = keptBy(() => ({
  terms: new Map<number, MarginSpec>(),
  accounts: [] as MarginAccount[],
  loans: [] as MarginLoan[],
  nextId: 1,
  liquidations: new Map<MarginAccount, Liquidation>(),
  waiting: new Map<ModelMarket, MarginLoan[]>(),
  debts: [] as MarginLoan[],
}));

export function accountOf(venue: ModelVenue, userId: number, market: ModelMarket): MarginAccount | undefined {
  return lending(venue).accounts.find((account) => account.userId === userId && account.market === market);
}

export function loansOf(venue: ModelVenue, account: MarginAccount, asset?: ModelAsset): MarginLoan[] {
  return lending(venue).loans.filter(
    (loan) => loan.account === account && (asset === undefined || loan.asset === asset),
  );
}

export function owedIn(venue: ModelVenue, account: MarginAccount, asset: ModelAsset): bigint {
  return loansOf(venue, account, asset).reduce((sum, { principal, interest }) => sum + principal + interest, 0n);
}

/** Where an order, by its account, gives an asset from and gets it to. */
export function funds(
  venue: ModelVenue,
  market: ModelMarket,
  { userId, account }: Pick<ModelOrder, "userId" | "account">,
  asset: ModelAsset,
): ModelBalance {
  if (userId === FUND_USER) return fundLoans(venue, asset);
  const own = account === "margin" ? accountOf(venue, userId, market) : undefined;
  return own === undefined ? venue.balance(userId, asset.id) : balanceOf(own, asset);
}

function fundLoans(venue: ModelVenue, { id: assetId }: ModelAsset): ModelBalance {
  const cell = venue.funded.get("sys:ins_margin") ?? [];
  venue.funded.set("sys:ins_margin", cell);
  return {
    userId: FUND_USER,
    assetId,
    frozen: 0n,
    get available() {
      return cell[assetId] ?? 0n;
    },
    set available(units) {
      cell[assetId] = units;
    },
  };
}

export function balanceOf({ market, base, quote }: MarginAccount, asset: ModelAsset): ModelBalance {
  return asset === market.base ? base : quote;
}

/** What an account has less interest, and its principal, of both currencies. */
export interface Figures {
  readonly base: bigint;
  readonly quote: bigint;
  readonly baseLent: bigint;
  readonly quoteLent: bigint;
}

export function figuresOf(venue: ModelVenue, account: MarginAccount): Figures {
  const { market, base, quote } = account;
  const sum = (asset: ModelAsset, of: "principal" | "interest") =>
    loansOf(venue, account, asset).reduce((all, loan) => all + loan[of], 0n);
  return {
    base: base.available + base.frozen - sum(market.base, "interest"),
    quote: quote.available + quote.frozen - sum(market.quote, "interest"),
    baseLent: sum(market.base, "principal"),
    quoteLent: sum(market.quote, "principal"),
  };
}

/** Base and quote in one number: units of quote, times units of base in a lot, by the index. */
export function worth({ index, lot, lotTick }: ModelMarket, base: bigint, quote: bigint): bigint {
  return quote * lot + base * index * lotTick;
}

/** The risk rate against a rate: negative below it, 0 at it; undefined without a loan. */
export function aboveRate(market: ModelMarket, figures: Figures, rate: bigint): bigint | undefined {
  const lent = worth(market, figures.baseLent, figures.quoteLent);
  return lent === 0n ? undefined : worth(market, figures.base, figures.quote) * ONE_E8 - rate * lent;
}

export function isFresh({ index, isStale }: ModelMarket): boolean {
  return index > 0n && !isStale;
}

/** Domain 3.1: whether the account of an order bears a deal at a price, its fee included. */
export function bears(
  venue: ModelVenue,
  market: ModelMarket,
  order: Pick<ModelOrder, "userId" | "account" | "side">,
  price: bigint,
  lots: bigint,
  rate: bigint,
): boolean {
  const account = order.account === "margin" ? accountOf(venue, order.userId, market) : undefined;
  if (account === undefined || lending(venue).liquidations.has(account)) return true;
  if (loansOf(venue, account).length === 0) return true;
  if (!isFresh(market)) {
    const [gets, gives] = order.side === "buy" ? [market.base, market.quote] : [market.quote, market.base];
    return (
      isFair(market, order.side, price) && owedIn(venue, account, gets) > 0n && owedIn(venue, account, gives) === 0n
    );
  }
  if (isFair(market, order.side, price)) return true;
  const figures = traded(market, figuresOf(venue, account), order.side, price, lots, rate);
  return staysAbove(venue, market, figures);
}

function isFair({ index }: ModelMarket, side: "buy" | "sell", price: bigint): boolean {
  return side === "buy" ? price <= index : price >= index;
}

function traded(
  { lot, lotTick }: ModelMarket,
  figures: Figures,
  side: "buy" | "sell",
  price: bigint,
  lots: bigint,
  rate: bigint,
): Figures {
  const [units, value] = [lots * lot, price * lots * lotTick];
  const kept = (received: bigint) => received - divideUp(received * rate, ONE_E8);
  return side === "buy"
    ? { ...figures, base: figures.base + kept(units), quote: figures.quote - value }
    : { ...figures, base: figures.base - units, quote: figures.quote + kept(value) };
}

function staysAbove(venue: ModelVenue, market: ModelMarket, figures: Figures): boolean {
  const above = aboveRate(market, figures, lending(venue).terms.get(market.id)?.liquidation ?? 0n);
  return above === undefined || above > 0n;
}

/** Whether a resting order is sure to be met when it is reached. */
export function isSure(
  venue: ModelVenue,
  market: ModelMarket,
  order: Pick<ModelOrder, "userId" | "price"> & Partial<ModelOrder>,
): boolean {
  if (order.account !== "margin" || order.side === undefined) return true;
  const account = accountOf(venue, order.userId, market);
  if (account === undefined || loansOf(venue, account).length === 0) return true;
  return isFresh(market) && isFair(market, order.side, order.price);
}

/** The resting orders that an auction does not meet: their accounts could not bear them together. */
export function underMargined(venue: ModelVenue, market: ModelMarket): ModelOrder[] {
  return lending(venue)
    .accounts.filter((account) => account.market === market)
    .flatMap((account) => {
      const doubtful = ordersOf(account).filter((order) => !isSure(venue, market, order));
      if (doubtful.length === 0) return [];
      const figures = doubtful.reduce(
        (sum, { side, price, left, takerFeeRateE8 }) => traded(market, sum, side, price, left, BigInt(takerFeeRateE8)),
        figuresOf(venue, account),
      );
      return isFresh(market) && staysAbove(venue, market, figures) ? [] : doubtful;
    });
}

/** Resting orders of an account, the oldest first. */
export function ordersOf({ userId, market }: MarginAccount): ModelOrder[] {
  return [...market.buys, ...market.sells]
    .filter((order) => order.userId === userId && order.account === "margin")
    .sort((first, second) => first.orderId - second.orderId);
}
