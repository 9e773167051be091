/** What operators and price feeds do to markets. */
import type { Command } from "../../../../src/engine/command.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { Draw } from "../draw.ts";
import { listing, RATES } from "../markets.ts";

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

/** From hardly at all to a tenth, within a second or a minute. */
export function changeInterruption(draw: Draw): Command {
  const { random, settings } = draw;
  const market = draw.marketName();
  if (random.chance(20)) return { kind: "change_market", market, interruption: null };
  const move = random.pick(["0.00000001", "0.01", "0.05", "0.1", random.chance(20) ? "0" : "0.1"]);
  const windowMs = random.pick([1_000, 60_000, random.chance(20) ? 999 : 1_000]);
  const auctionMs = random.pick([1_000, Math.max(1_000, settings.auctionMs)]);
  return { kind: "change_market", market, interruption: { move, windowMs, auctionMs } };
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

export function oddAsset({ random }: Draw): Command {
  return { kind: "list_asset", ccy: random.pick(["BTC", "btc", "NEW"]), scale: random.pick([8, 18, 19]) };
}
