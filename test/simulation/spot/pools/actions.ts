/** What happens to pools. */
import type { Command } from "../../../../src/engine/command.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { Draw } from "../draw.ts";
import { tenTo } from "../model/numbers.ts";
import type { Settings } from "../settings.ts";

export function poolTerms(draw: Draw): Command {
  const { random, settings } = draw;
  const head = {
    kind: "set_pool",
    market: draw.marketName(),
    gridDigits: random.pick([undefined, 3, 4, 5, 2]),
  } as const;
  const { middle, pricePrecision } = settings;
  if (random.chance(40)) return { ...head, type: random.pick(["infinite", "infinite", "other"]) };
  const price = (percent: number) => formatDecimal(BigInt(Math.floor((middle * percent) / 100)), pricePrecision);
  const range = { low: price(random.pick([50, 90, 99])), high: price(random.pick([101, 130, 900, 0])) };
  return {
    ...head,
    type: random.pick(["finite", "finite", "infinite"]),
    ...range,
    price: price(random.pick([40, 100, 100, 120])),
  };
}

/** Mostly at about the price of the market, from dust to more than there is. */
export function addition(draw: Draw): Command {
  const { random, settings } = draw;
  const lots = random.pick([1n, 50n, 5_000n, settings.funds / unitsOf(settings).lot / 3n + 1n]);
  const [baseAmount, quoteAmount] = amountsOf(settings, lots, random.pick([100, 100, 100, 97, 110, 1]));
  const odd = random.chance(5) ? random.pick(["0", "1e5", "9223372036854775807"]) : undefined;
  return {
    kind: "add_liquidity",
    userId: draw.userId(),
    market: draw.marketName(),
    baseAmount: odd ?? baseAmount,
    quoteAmount,
  };
}

/** So many lots, and quote at so many percent of what they are worth in the middle. */
export function amountsOf(settings: Settings, lots: bigint, percent: number): readonly [string, string] {
  const { lot, lotTick } = unitsOf(settings);
  const quote = (lots * lotTick * BigInt(settings.middle) * BigInt(percent)) / 100n + 1n;
  return [formatDecimal(lots * lot, settings.scale), formatDecimal(quote, settings.scale)];
}

function unitsOf({ scale, amountPrecision, pricePrecision }: Settings) {
  return { lot: tenTo(scale - amountPrecision), lotTick: tenTo(scale - amountPrecision - pricePrecision) };
}
