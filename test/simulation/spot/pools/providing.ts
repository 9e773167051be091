/** What operators and providers do with pools. Domain 5.1 and 5.4. */
import type { AddLiquidity, RemoveLiquidity, SetPool } from "../../../../src/engine/amm/command-schemas.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { isLocked } from "../listing/listing.ts";
import { phase } from "../maintenance/windows.ts";
import { divideNear, divideUp, least, unitsOf } from "../model/numbers.ts";
import type { ModelMarket } from "../model/records.ts";
import { usdOf } from "../model/usd.ts";
import type { ModelVenue } from "../model/venue.ts";
import { refuseOutflow } from "../payments/model.ts";
import { type ModelPool, type ModelProvider, note, payOut } from "./pool.ts";

const DAY_MS = 86_400_000;
const TWO_64 = 2n ** 64n;

export function setPool(venue: ModelVenue, command: SetPool): Refusal | undefined {
  const market = venue.listedByName(command.market);
  const { type, gridDigits: digits = 3 } = command;
  if (market === undefined) return "market_not_found";
  if ((type !== "infinite" && type !== "finite") || digits < 3 || digits > 5) return "invalid_command";
  const given = [command.low, command.high, command.price];
  const [low, high, start] = given.map((text) =>
    text === undefined ? undefined : unitsOf(text, market.pricePrecision),
  );
  if (type === "infinite" && given.some((text) => text !== undefined)) return "invalid_command";
  if (type === "finite") {
    if (!low || !high || !start || low >= high || high > market.maxPrice || start > market.maxPrice)
      return "invalid_command";
  }
  if (market.pool !== undefined && market.pool.shares > 0n) return "pool_in_use";
  const isRanged = type === "finite";
  if (market.pool?.isFinite !== isRanged) {
    market.makerRate = isRanged ? 100_000n : 300_000n;
    market.takerRate = market.makerRate;
  }
  const terms = { isFinite: isRanged, low: low ?? 0n, high: high ?? 0n, start: start ?? 0n, digits };
  if (market.pool !== undefined) Object.assign(market.pool, terms);
  else {
    const nothing = { x: 0n, y: 0n, ox: 0n, oy: 0n, shares: 0n };
    const midnight = (Math.floor(venue.timeMs / DAY_MS) + 1) * DAY_MS;
    market.pool = { ...terms, ...nothing, pots: [0n, 0n], counted: [0n, 0n, 0n, 0n], providers: [], midnight };
  }
  return undefined;
}

export function addLiquidity(venue: ModelVenue, command: AddLiquidity): Refusal | undefined {
  const found = poolFor(venue, command.userId, command.market, true);
  if (typeof found === "string") return found;
  const { market, pool } = found;
  const dx = unitsOf(command.baseAmount, market.base.scale);
  const dy = unitsOf(command.quoteAmount, market.quote.scale);
  if (!dx || !dy) return "invalid_command";
  const start = pool.isFinite ? undefined : { x: dx, y: dy };
  const stands = pool.shares === 0n ? start : { x: pool.x + pool.ox, y: pool.y + pool.oy };
  if (isFar(market, stands, pool.start)) return "pool_price_off_index";
  const taken = pool.shares > 0n ? further(pool, dx, dy) : pool.isFinite ? ranged(market, pool, dx, dy) : whole(dx, dy);
  const stood = pool.shares === 0n ? taken : pool;
  const value = dollars(venue, market, taken, stood);
  if (taken.shares === 0n || (value !== undefined && value < 200n * 10n ** 8n)) return "liquidity_too_small";
  if (losesMuch(market, stood)) return "pool_price_off_index";
  if (pool.x + taken.x > 2n ** 62n || pool.y + taken.y > 2n ** 62n) return "liquidity_too_large";
  const [base, quote] = [venue.balance(command.userId, market.base.id), venue.balance(command.userId, market.quote.id)];
  if (base.available < taken.x || quote.available < taken.y) return "insufficient_balance";
  const kept = refuseOutflow(venue, command.userId, [
    [market.base, taken.x],
    [market.quote, taken.y],
  ]);
  if (kept !== undefined) return kept;
  base.available -= taken.x;
  quote.available -= taken.y;
  const provider = pool.providers.find(({ userId }) => userId === command.userId) ?? enter(pool, command.userId);
  note(pool, provider);
  provider.shares += taken.shares;
  provider.addedAt = venue.timeMs;
  pool.x += taken.x;
  pool.y += taken.y;
  pool.shares += taken.shares;
  pool.ox = taken.ox;
  pool.oy = taken.oy;
  return undefined;
}

export function removeLiquidity(venue: ModelVenue, command: RemoveLiquidity): Refusal | undefined {
  const found = poolFor(venue, command.userId, command.market, false);
  if (typeof found === "string") return found;
  const { market, pool } = found;
  const provider = pool.providers.find(({ userId }) => userId === command.userId);
  if (provider === undefined) return "no_liquidity";
  if (isLocked(market, venue.timeMs)) return "auction_locked";
  const isOfAuction = market.status === "bidding" && provider.addedAt > market.biddingAt;
  if (venue.timeMs - provider.addedAt < (isOfAuction ? 60_000 : DAY_MS)) return "liquidity_locked";
  leave(venue, market, pool, provider);
  return undefined;
}

/** Gives everybody what is his: the market leaves. */
export function closePool(venue: ModelVenue, market: ModelMarket): void {
  const { pool } = market;
  if (pool === undefined) return;
  for (const provider of [...pool.providers]) leave(venue, market, pool, provider);
}

/** Domain 5.5: the end of a day. */
export function endDay(venue: ModelVenue, market: ModelMarket): void {
  const pool = market.pool as ModelPool;
  pool.midnight += DAY_MS;
  for (const provider of pool.providers) {
    provider.paid = [...provider.paid, payOut(venue, market, pool, provider)].slice(-7);
    provider.due[2] = 0n;
    provider.due[3] = 0n;
  }
}

function poolFor(
  venue: ModelVenue,
  userId: number,
  name: string,
  isAddition: boolean,
): { market: ModelMarket; pool: ModelPool } | Refusal {
  if (venue.user(userId) === undefined) return "user_not_found";
  const market = venue.listedByName(name);
  if (market === undefined) return "market_not_found";
  if (market.pool === undefined) return "pool_not_found";
  if (isAddition && venue.isBarred(userId)) return "trade_barred";
  if (venue.cancelOnly) return "venue_cancel_only";
  const now = phase(venue);
  if (now !== "open") return now === "maintenance" ? "maintenance" : "protection_period";
  if (market.status === "counting_down") return "market_not_open";
  if (market.suspended) return "market_suspended";
  return { market, pool: market.pool };
}

interface Taken {
  readonly x: bigint;
  readonly y: bigint;
  readonly shares: bigint;
  readonly ox: bigint;
  readonly oy: bigint;
}

type Standing = Omit<Taken, "shares">;

function whole(x: bigint, y: bigint): Taken {
  return { x, y, shares: root(x * y), ox: 0n, oy: 0n };
}

function ranged({ lot, lotTick }: ModelMarket, { low, high, start }: ModelPool, dx: bigint, dy: bigint): Taken {
  const of = (ticks: bigint) => root((ticks * lotTick * 2n ** 128n) / lot);
  const [sa, sb] = [of(low), of(high)];
  const s = of(start) < sa ? sa : least(of(start), sb);
  const bounds: bigint[] = [];
  if (s < sb) bounds.push((dx * s * sb) / (TWO_64 * (sb - s)));
  if (s > sa) bounds.push((dy * TWO_64) / (s - sa));
  const L = bounds.reduce(least, bounds[0] ?? 0n);
  return {
    x: divideUp(L * TWO_64 * (sb - s), s * sb),
    y: divideUp(L * (s - sa), TWO_64),
    shares: L,
    ox: divideUp(L * TWO_64, sb),
    oy: divideUp(L * sa, TWO_64),
  };
}

function further(pool: ModelPool, dx: bigint, dy: bigint): Taken {
  const { x, y, ox, oy, shares } = pool;
  const bounds: bigint[] = [];
  if (x > 0n) bounds.push((dx * shares) / x);
  if (y > 0n) bounds.push((dy * shares) / y);
  const m = bounds.reduce(least, bounds[0] ?? 0n);
  const scaled = (offset: bigint) => divideNear(offset * (shares + m), shares);
  return { x: divideUp(m * x, shares), y: divideUp(m * y, shares), shares: m, ox: scaled(ox), oy: scaled(oy) };
}

function leave(venue: ModelVenue, market: ModelMarket, pool: ModelPool, provider: ModelProvider): void {
  payOut(venue, market, pool, provider);
  const { userId, shares } = provider;
  const base = (shares * pool.x) / pool.shares;
  const quote = (shares * pool.y) / pool.shares;
  venue.balance(userId, market.base.id).available += base;
  venue.balance(userId, market.quote.id).available += quote;
  const scaled = (offset: bigint) => divideNear(offset * (pool.shares - shares), pool.shares);
  [pool.ox, pool.oy] = [scaled(pool.ox), scaled(pool.oy)];
  pool.x -= base;
  pool.y -= quote;
  pool.shares -= shares;
  pool.providers = pool.providers.filter((other) => other !== provider);
}

function enter(pool: ModelPool, userId: number): ModelProvider {
  const entered = { userId, shares: 0n, addedAt: 0, seen: [...pool.counted], due: [0n, 0n, 0n, 0n], paid: [] };
  pool.providers.push(entered);
  return entered;
}

/** More than 5 % from the index, whichever way: of what is in the pool, or of the price that it is to begin with. */
function isFar(
  market: ModelMarket,
  ratio: { readonly x: bigint; readonly y: bigint } | undefined,
  start: bigint,
): boolean {
  if (market.index === 0n) return false;
  const above = ratio === undefined ? start : ratio.y * market.lot;
  const below = ratio === undefined ? 1n : ratio.x * market.lotTick;
  return above * 20n < market.index * below * 19n || above * 20n > market.index * below * 21n;
}

/**
 * More than a thousandth of what is there, by index, is lost on the way to the index, or to the end of the range before
 * it.
 */
function losesMuch({ index, lot, lotTick }: ModelMarket, { x, y, ox, oy }: Standing): boolean {
  if (index === 0n) return false;
  const [tick, one] = [index * lotTick, lot];
  const [A, B] = [(x + ox) * tick, (y + oy) * one];
  let there = root(A * B);
  if (ox * tick > there) there = ox * tick;
  if (oy * one > there) there = oy * one;
  const after = there === 0n ? 0n : there + (A * B) / there;
  return 1_000n * (A + B - after) > x * tick + y * one;
}

/**
 * In 10^-8; a currency without a price is as much as the other, or what the pool says where it takes nothing of that.
 */
function dollars(
  venue: ModelVenue,
  { base, quote }: ModelMarket,
  { x, y }: Standing,
  stood: Standing,
): bigint | undefined {
  const [first, second] = [usdOf(venue, base, x), usdOf(venue, quote, y)];
  const [X, Y] = [stood.x + stood.ox, stood.y + stood.oy];
  if (first === undefined && second === undefined) return undefined;
  if (first !== undefined && second !== undefined) return first + second;
  const one = first ?? second ?? 0n;
  if (one > 0n) return one + one;
  if (X === 0n || Y === 0n) return 0n;
  return first === undefined ? usdOf(venue, quote, (x * Y) / X) : usdOf(venue, base, (y * X) / Y);
}

/** By halving. */
function root(square: bigint): bigint {
  let low = 0n;
  let high = square + 1n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle * middle <= square) low = middle;
    else high = middle;
  }
  return low;
}
