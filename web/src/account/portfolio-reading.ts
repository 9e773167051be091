/** Reads what a portfolio is worked out from: what is held now, every change of the last days, and the days' prices. */
import { get, getPage } from "../api/client.ts";
import type { FuturesBalance, Kline, SpotBalance, Statement } from "../api/records.ts";
import { venueNow } from "../api/venue.ts";
import { marketOf } from "../market/markets.ts";
import { compare, type Decimal, isZero, plus, times } from "../number/decimal.ts";
import { allPages } from "../ui/whole-list.ts";
import { addTo, DAY_MS, DAYS, dayOf, type PortfolioDay, portfolioDays, unpriced } from "./portfolio.ts";

const PAGE = 100;
/** A browser reads so many changes in a few seconds; anyone who has more sees fewer days. */
const LINES_MAX = 10_000;
/** Attempts to read the balances again because something changed between two answers. */
const ATTEMPTS = 3;

export interface Portfolio {
  readonly days: readonly PortfolioDay[];
  /** In what the figures are. */
  readonly ccy: string;
  /** Currencies that are held and not counted, for want of a price. */
  readonly without: readonly string[];
  /** What is held now, the most valuable first. */
  readonly holdings: readonly ValuedHolding[];
}

/** An amount of a currency in an account that is counted. */
interface Holding {
  readonly account: "Spot" | "Futures" | "Savings";
  readonly ccy: string;
  readonly amount: Decimal;
}

export interface ValuedHolding extends Holding {
  /** By the last price; undefined for want of one. */
  readonly value: Decimal | undefined;
}

interface Savings {
  readonly ccy: string;
  readonly available: Decimal;
  readonly frozen: Decimal;
}

export async function readPortfolio(ccy: string): Promise<Portfolio> {
  const today = dayOf(venueNow());
  const wanted = Array.from({ length: DAYS }, (_, at) => today - (DAYS - 1 - at) * DAY_MS);
  const from = wanted[0] as number;
  const { holdings, lines, isCut } = await readHeldAndLines(from);
  const held = new Map<string, Decimal>();
  for (const { ccy: of, amount } of holdings) addTo(held, of, amount);
  const oldest = lines.at(-1)?.created_at ?? from;
  // Of the day at which reading ended a part is missing.
  const days = isCut ? wanted.filter((at) => at > oldest) : wanted;
  const prices = new Map<string, ReadonlyMap<number, Decimal>>();
  for (const name of new Set([...held.keys(), ...lines.map((line) => line.ccy)])) {
    if (name === ccy || marketOf("spot", `${name}${ccy}`) === undefined) continue;
    const closes = await closesOf(`${name}${ccy}`);
    // A market in which nobody has traded has no price.
    if (closes.size > 0) prices.set(name, closes);
  }
  const priceOn = (name: string, day: number) => (name === ccy ? "1" : lastUpTo(prices.get(name), day));
  return {
    ccy,
    days: portfolioDays({ held, lines, priceOn, days }),
    without: unpriced(held, (name) => name === ccy || prices.has(name)),
    holdings: holdings
      .map((each) => {
        const price = priceOn(each.ccy, today);
        return { ...each, value: price === undefined ? undefined : times(each.amount, price) };
      })
      .sort((one, other) => compare(other.value ?? "0", one.value ?? "0")),
  };
}

/** Both as of the same command of the venue: where something changed on the way, what is held is read again. */
async function readHeldAndLines(from: number) {
  for (let attempt = 1; ; attempt++) {
    const before = await newestLine();
    const holdings = await readHoldings();
    const { lines, isCut } = await readLines(from);
    if (lines[0] === undefined || lines[0].id <= before || attempt === ATTEMPTS) {
      return { holdings, lines: lines.filter(({ id }) => id <= before), isCut };
    }
  }
}

async function newestLine(): Promise<number> {
  const { rows } = await getPage<Statement>("/v2/assets/statement", { page: 1, limit: 1 });
  return rows[0]?.id ?? 0;
}

async function readHoldings(): Promise<readonly Holding[]> {
  const [spot, futures, savings] = await Promise.all([
    get<readonly SpotBalance[]>("/v2/assets/spot/balance"),
    get<readonly FuturesBalance[]>("/v2/assets/futures/balance"),
    get<readonly Savings[]>("/v2/assets/financial/balance"),
  ]);
  const whole = (account: "Spot" | "Savings") => (row: SpotBalance | Savings) => {
    return { account, ccy: row.ccy, amount: plus(row.available, row.frozen) };
  };
  const holdings: readonly Holding[] = [
    ...spot.map(whole("Spot")),
    ...futures.map(({ ccy, account_balance }) => ({ account: "Futures" as const, ccy, amount: account_balance })),
    ...savings.map(whole("Savings")),
  ];
  return holdings.filter(({ amount }) => !isZero(amount));
}

async function readLines(from: number): Promise<{ lines: Statement[]; isCut: boolean }> {
  const of = (page: number) => ({ page, limit: PAGE, start_time: from });
  const { rows, isCut } = await allPages((page) => getPage<Statement>("/v2/assets/statement", of(page)), LINES_MAX);
  return { lines: rows, isCut };
}

/** Last prices by the beginning of the day. */
async function closesOf(market: string): Promise<ReadonlyMap<number, Decimal>> {
  const rows = await get<readonly Kline[]>("/v2/spot/kline", { market, period: "1day", limit: DAYS + 1 });
  return new Map(rows.map(({ created_at, close }) => [dayOf(created_at), close]));
}

/** Of that day or the latest one before; of the first one that is known where the market is younger. */
function lastUpTo(closes: ReadonlyMap<number, Decimal> | undefined, day: number): Decimal | undefined {
  let found: Decimal | undefined;
  for (const [at, close] of [...(closes ?? [])].sort(([one], [other]) => one - other)) {
    if (at <= day || found === undefined) found = close;
  }
  return found;
}
