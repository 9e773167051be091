/** What operators and price feeds do. */
import type { Command, MaintenanceScope } from "../../src/engine/command.ts";
import { formatDecimal } from "../../src/engine/money/decimal.ts";
import type { Draw } from "./draw.ts";
import { ASSETS, listing } from "./listing.ts";
import { picking, type Step } from "./step.ts";

const RATES = ["0", "0.00000001", "0.001", "0.002", "0.3", "0.99999999"];
const LEVELS = ["low", "high"] as const;

export function indexPrices(draw: Draw): Command {
  const { random, settings } = draw;
  const count = random.whole(1, 4);
  const sources = Array.from({ length: count }, (_, at) => {
    const price = random.chance(15) ? draw.price() * 2n : draw.price();
    const ticks = price <= 0n || price > settings.maxPrice ? BigInt(settings.middle) : price;
    const text = `${formatDecimal(ticks, settings.pricePrecision)}${settings.pricePrecision > 0 ? "5" : ""}`;
    const weight = random.pick([undefined, undefined, "0.3", "0.00000001"]);
    const odd = random.chance(settings.odd) ? random.pick(["0", "x", "9007199254740992", "0.0000000001"]) : undefined;
    return { exchange: `s${at}`, price: odd ?? text, weight };
  });
  return { kind: "set_index_prices", market: draw.marketName(), sources };
}

export function deposit(draw: Draw): Command {
  const { random, settings } = draw;
  const few = formatDecimal(settings.funds / 10n, settings.scale);
  const amount = random.pick([few, few, "0", "9223372036854775807", "0.0000000000001"]);
  const ccy = random.pick(ASSETS);
  if (random.chance(30)) {
    const cell = random.pick([undefined, undefined, "sys:fee", "sys:ins_futures", "sys:interest"]);
    const signed = random.chance(60) ? `-${amount}` : amount;
    return {
      kind: "adjust_balance",
      userId: draw.userId(),
      cell,
      ccy,
      amount: signed,
      note: random.pick(["why", ""]),
    };
  }
  if (random.chance(20))
    return { kind: "deposit", cell: random.pick(["sys:ins_futures", "sys:fee"]), ccy, amount, note: "" };
  return { kind: "deposit", userId: draw.userId(), ccy, amount, note: "" };
}

export function changeUser(draw: Draw): Command {
  const { random } = draw;
  if (random.chance(10))
    return { kind: "create_user", name: `user ${random.whole(1, 20)}`, mainUserId: random.pick([undefined, 1, 99]) };
  if (random.chance(20)) return feeLevel(draw);
  if (random.chance(15)) return feeDeduction(draw);
  const rate = () => random.pick([undefined, undefined, null, ...RATES, "1", "x"]);
  const tradeBarred = random.pick([undefined, false, false, random.chance(20)]);
  const frozen = random.pick([undefined, false, false, random.chance(20)]);
  return {
    kind: "change_user",
    userId: draw.userId(),
    frozen,
    tradeBarred,
    makerFeeRate: rate(),
    takerFeeRate: rate(),
    feeLevel: random.pick([undefined, undefined, null, ...LEVELS]),
    feeDeduction: random.pick([undefined, true, random.chance(60)]),
    byUser: random.pick([undefined, true]),
  };
}

function feeLevel(draw: Draw): Command {
  const { random } = draw;
  const level = random.pick(LEVELS);
  if (random.chance(20)) return { kind: "delete_fee_level", level };
  const rate = () => random.pick([...RATES, "1"]);
  return { kind: "set_fee_level", level, makerFeeRate: rate(), takerFeeRate: rate() };
}

function feeDeduction(draw: Draw): Command {
  const { random } = draw;
  const ccy = random.pick([undefined, ...ASSETS, null, "NONE"]);
  return { kind: "set_fee_deduction", ccy, discountRate: random.pick([undefined, "0.2", ...RATES, "1"]) };
}

export function changeMarket(draw: Draw): Command {
  const { random, settings } = draw;
  const market = draw.marketName();
  const rate = () => random.pick([undefined, undefined, ...RATES, "1"]);
  switch (random.whole(0, 3)) {
    case 0:
      return { kind: "change_market", market, makerFeeRate: rate(), takerFeeRate: rate() };
    case 1: {
      const bound = (lots: bigint) => formatDecimal(lots, settings.amountPrecision);
      const maxAmount = random.pick([
        settings.maxAmount,
        settings.maxAmount,
        settings.amounts[1],
        settings.minAmount,
        0n,
      ]);
      const minAmount = random.pick([settings.minAmount, 1n]);
      return { kind: "change_market", market, minAmount: bound(minAmount), maxAmount: bound(maxAmount) };
    }
    case 2: {
      const maxPrice = random.pick([settings.maxPrice, settings.maxPrice, BigInt(settings.middle), 1n]);
      return { kind: "change_market", market, maxPrice: formatDecimal(maxPrice, settings.pricePrecision) };
    }
    default: {
      const names = random.pick([[], ["s0"], ["s0", "s1"], ["s0", "s0"], ["s1", "s2", "s3"]]);
      const indexSources = names.map((exchange) => ({ exchange, weight: random.pick(["1", "0.5", "0.00000001"]) }));
      return { kind: "change_market", market, indexSources };
    }
  }
}

/** What stops trading is undone more often than it is done. */
export function changeStatus(draw: Draw): Command {
  const { random, settings } = draw;
  const market = draw.marketName();
  switch (random.whole(0, 5)) {
    case 0:
      return { kind: "change_market", market, suspended: random.chance(30), apiTradingAvailable: !random.chance(20) };
    case 1:
      return { kind: "set_cancel_only", cancelOnly: random.chance(8), reason: "" };
    case 2:
      return { kind: "change_market", market, delistedAt: random.chance(30) ? random.pick(settings.waits) : 0 };
    case 3:
      return { kind: "change_market", market, onlineAt: random.pick([0, 1_000, 5_000]) };
    default: {
      const at = draw.marketId();
      return { ...listing(settings, at), onlineAt: random.pick([undefined, ...settings.waits]) };
    }
  }
}

/** A market leaves and comes back with an auction, the times of which change now and then. */
export function auction(draw: Draw): Command {
  const { random, settings } = draw;
  const at = draw.marketId();
  const market = draw.marketName();
  const long = random.pick([1, settings.auctionMs >> 1, settings.auctionMs]);
  const what = random.whole(1, 12);
  if (what < 2) return { kind: "change_market", market, delistedAt: random.pick([-1, long]) };
  if (what === 2) return { kind: "change_market", market, onlineAt: random.pick([-1, 1, long]) };
  if (what === 3) return { kind: "change_market", market, noCancelAt: random.pick([0, -1, 1, long]) };
  if (what === 4) return { kind: "change_market", market, biddingAt: random.pick([0, 1, long]) };
  const biddingAt = random.pick([-5, 1, long]);
  const onlineAt = biddingAt + random.pick([1, settings.auctionMs, 2 * settings.auctionMs]);
  const noCancelAt = random.pick([0, 0, biddingAt, (biddingAt + onlineAt) >> 1, onlineAt]);
  return { ...listing(settings, at), biddingAt, noCancelAt, onlineAt };
}

export function maintenance(draw: Draw): Omit<Step, "waitMs"> {
  const { random, settings } = draw;
  if (random.chance(50)) return picking(draw.random, { kind: "cancel_maintenance", maintenanceId: 0 });
  const scope = random.pick<MaintenanceScope[]>([["SPOT"], ["ALL_SITE"], ["FUTURES"], ["SPOT", "FUTURES"], []]);
  const long = random.pick(settings.waits);
  const startedAt = random.pick([0, 1, -1_000, long]);
  const endedAt = startedAt + random.pick([1, long, 2 * long]);
  const protects = random.chance(50);
  const protectDurationStart = protects ? random.pick([endedAt, startedAt, -500]) || 1 : 0;
  const protectDurationEnd = protects ? protectDurationStart + random.pick([long, 2_000]) || 1 : 0;
  const rest = { announceUrl: "", announceEnabled: random.chance(5) };
  const window = { scope, startedAt, endedAt, protectDurationStart, protectDurationEnd, ...rest };
  return { command: { kind: "plan_maintenance", ...window } };
}

/** A listing of which one thing or another may be wrong. */
export function oddListing(draw: Draw): Command {
  const { random, settings } = draw;
  return {
    ...listing(settings, draw.marketId()),
    market: random.pick(["NEWUSDT", "newusdt", "BTCUSDT"]),
    quoteCcy: random.pick(["USDT", "BTC", "NONE"]),
    amountPrecision: random.pick([settings.amountPrecision, settings.amountPrecision, settings.scale + 1, 19]),
    minAmount: random.pick(["1", "0", "1000000000000", "x"]),
    maxPrice: random.pick([undefined, "1", "9007199254740992", "0"]),
    takerFeeRate: random.pick(["0.002", "0.002", "1"]),
  };
}
