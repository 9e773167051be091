/**
 * Spot markets beyond the first three, as many as somebody wants: coins by their names up to twelve, then invented
 * ones.
 */
import type { Character, LadderShape, Listed, SimulatedMarket } from "./dev-markets.ts";

/** Name, full name, price, decimals of the price and of the amount. */
const COINS = [
  ["SOL", "Solana", "150", 2, 4],
  ["XRP", "XRP", "0.6", 5, 2],
  ["LTC", "Litecoin", "80", 2, 4],
  ["ADA", "Cardano", "0.45", 5, 2],
  ["DOGE", "Dogecoin", "0.12", 6, 2],
  ["LINK", "Chainlink", "15", 3, 3],
  ["DOT", "Polkadot", "7", 3, 3],
  ["AVAX", "Avalanche", "35", 3, 3],
  ["BCH", "Bitcoin Cash", "400", 2, 4],
] as const;

/** Coins that nobody minted, from the thirteenth market on. */
const INVENTED_FROM = 13;
/** The worth that each maker and taker has of each coin, in USDT. */
export const HOUSE_WORTH = 20_000_000;

/** A coin that is listed with its market. */
export interface Coin {
  readonly ccy: string;
  readonly fullName: string;
  /** The amount of it that each maker and taker has. */
  readonly houseFunds: string;
}

export interface CoinMarket {
  readonly coin: Coin;
  readonly character: SimulatedMarket;
}

/** The `index`-th market, from 4 on. Those beyond the twelfth are quiet, so that a thousand of them cost little. */
export function coinMarket(index: number, house: House): CoinMarket {
  const known = COINS[index - 4];
  const invented = index - INVENTED_FROM;
  const [ccy, fullName, price, pricePrecision, amountPrecision] =
    known ?? ([`C${String(index).padStart(4, "0")}`, `Coin ${index}`, priceOf(invented), 4, 2] as const);
  const worth = (usdt: number) => trimmed(usdt / Number(price), amountPrecision);
  const listed = {
    market: `${ccy}USDT`,
    ...{ baseCcy: ccy, quoteCcy: "USDT", amountPrecision, pricePrecision },
    ...{ minAmount: worth(2), maxAmount: worth(1_000_000), maxPrice: trimmed(Number(price) * 500, pricePrecision) },
    fees: COIN_FEES,
    anchorPrice: price,
  };
  return {
    coin: { ccy, fullName, houseFunds: worth(HOUSE_WORTH) },
    character: { ...listed, ...ownCharacter(index, { listed, unitUsd: Number(price) }, house, false) },
  };
}

const COIN_FEES = { makerFeeRate: "0.001", takerFeeRate: "0.002" };

/** A market as far as its behaviour follows from how it is listed. */
export interface MarketSpec {
  readonly listed: Listed;
  /** The worth of one unit of the market's amounts, USD. */
  readonly unitUsd: number;
}

/**
 * How the `index`-th market of a kind behaves. Amounts are meant in USD: 40,000 on the innermost rung would be too much
 * of a coin like these.
 */
export function ownCharacter(
  index: number,
  { listed: { amountPrecision, minAmount }, unitUsd }: MarketSpec,
  { makers, takers, sources }: House,
  isFutures: boolean,
): Omit<Character, "contract"> {
  const isQuiet = index >= (isFutures ? QUIET_FUTURES_FROM : INVENTED_FROM);
  const least = Number(minAmount);
  const worth = (usd: number) => trimmed(Math.max(usd / unitUsd, least), amountPrecision);
  const held = isFutures ? "0" : worth(HOUSE_WORTH);
  const shape = { rungs: isQuiet ? 6 : 20, offsetGrowthPercent: isQuiet ? 180 : 125, amountGrowthPercent: 117 };
  const common = 45 + ((index * 13) % 40);
  const bound = isFutures ? { positionMax: worth(HOUSE_WORTH / 20) } : {};
  const ladder = (maker: string, offset: number): LadderShape => ({
    ...{ maker, innerOffsetE8: offset, innerAmount: worth(isQuiet ? 300 : 1_500), ...shape, ...bound },
  });
  const first = isQuiet ? 60_000 : 20_000 + ((index * 3_000) % 20_000);
  return {
    dailyVolatilityBp: 380 + ((index * 37) % 250),
    commonPercent: common,
    ownPercent: Math.round(Math.sqrt(10_000 - common * common)),
    sources: isQuiet ? sources.slice(0, 1).map((source) => ({ ...source, weight: "1", everyMs: QUIET_MS })) : sources,
    ladders: isQuiet ? [ladder(makers[0], first)] : [ladder(makers[0], first), ladder(makers[1], first * 1.7)],
    takers: {
      ...{ names: takers, arrivalPerMille: isQuiet ? 10 : 60, unitAmount: worth(isQuiet ? 10 : 30) },
      ...{ wantedAmount: held, swingAmount: worth(isFutures ? HOUSE_WORTH / 100 : HOUSE_WORTH / 5) },
    },
    ...(isQuiet ? { refreshMs: QUIET_MS } : {}),
  };
}

/** From the fourth futures market of a listing on they are quiet. */
const QUIET_FUTURES_FROM = 4;

/** Makers and sources look at a quiet market this often. */
const QUIET_MS = 10_000;

interface House {
  readonly makers: readonly [string, string];
  readonly takers: readonly string[];
  readonly sources: SimulatedMarket["sources"];
}

/** From 0.5 to 50, in no order. */
function priceOf(number: number): string {
  return String(50 + ((number * 7_919) % 4_951))
    .replace(/(\d\d)$/, ".$1")
    .replace(/^\./, "0.");
}

/** Rounded down, to one unit at least, without zeros at the end. */
export function trimmed(amount: number, decimals: number): string {
  const cut = Math.max(10 ** -decimals, Math.floor(amount * 10 ** decimals) / 10 ** decimals);
  const text = cut.toFixed(decimals);
  return decimals === 0 ? text : text.replace(/\.?0+$/, "");
}
