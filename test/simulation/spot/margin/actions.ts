/** What people and operators do with margin accounts. */
import type { Command } from "../../../../src/engine/command.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { Draw } from "../draw.ts";
import { ASSETS, pairAt } from "../markets.ts";
import type { Settings } from "../settings.ts";

/** Where anybody may borrow, margin trading is there from the start, in the first market. */
export function setup(settings: Settings): Command[] {
  if (!settings.mix.borrow) return [];
  const { scale, pricePrecision, middle, users } = settings;
  const [base, quote] = pairAt(settings, 0);
  const market = base + quote;
  const pool = formatDecimal(3n * settings.funds, scale);
  return [
    {
      kind: "set_index_prices",
      market,
      sources: [{ exchange: "s0", price: formatDecimal(BigInt(middle), pricePrecision) }],
    },
    {
      kind: "set_margin_market",
      market,
      leverage: [3, 5, 10][settings.seed % 5] ?? 5,
      loans: [base, quote].map((ccy) => loan(ccy, settings, "0.001")),
    },
    ...[base, quote].map((ccy) => ({ kind: "deposit", cell: "sys:lend_pool", ccy, amount: pool, note: "" }) as const),
    ...Array.from({ length: Math.min(users, 3) }, (_, at) => at + 1).flatMap((userId) =>
      [base, quote].map(
        (ccy) =>
          ({
            kind: "transfer_margin",
            userId,
            market,
            ccy,
            amount: shareOf(settings, ccy === base, 3n),
            isIn: true,
          }) as const,
      ),
    ),
  ];
}

function loan(ccy: string, { scale, funds }: Settings, dailyInterestRate: string) {
  return { ccy, minAmount: formatDecimal(1n, scale), maxAmount: formatDecimal(funds * 2n, scale), dailyInterestRate };
}

/** One source alone, so that an index is there; more of them contradict each other, and it falls silent. */
export function oneSource(draw: Draw): Command {
  const { maxPrice, pricePrecision } = draw.settings;
  const price = draw.price();
  const ticks = price > 0n && price <= maxPrice ? price : maxPrice;
  const sources = [{ exchange: "s0", price: formatDecimal(ticks, pricePrecision) }];
  return { kind: "set_index_prices", market: draw.marketName(), sources };
}

/**
 * Towards the end a market with loans leaves, which is where most debts come from: at once, as soon as its index lets
 * it.
 */
export function leaving(draw: Draw): Command {
  return { kind: "change_market", market: draw.marketName(), delistedAt: draw.progress > 0.6 ? 1 : 0 };
}

export function terms(draw: Draw): Command {
  const { random, settings } = draw;
  const at = draw.marketId();
  const [base, quote] = pairAt(settings, at);
  const lent = random.pick([[base, quote], [base, quote], [quote], [base], [], [quote, quote], ["NONE"]]);
  const rate = random.pick(["0", "0.00000001", "0.001", "0.05", random.pick(["0.05", "1", "x"])]);
  return {
    kind: "set_margin_market",
    market: base + quote,
    leverage: random.pick([2, 3, 4, 5, 10, 10, random.pick([1, 11, 7])]),
    liqRate: random.pick([undefined, undefined, undefined, "1.01", "1"]),
    warnRate: random.pick([undefined, undefined, undefined, "1.02", "3"]),
    transferRate: random.pick([undefined, undefined, undefined, "2", "11"]),
    loans: lent.map((ccy) => loan(ccy, settings, rate)),
  };
}

export function fund(draw: Draw): Command {
  const { random } = draw;
  const cell = random.pick(["sys:lend_pool", "sys:lend_pool", "sys:ins_margin"]);
  return {
    kind: "deposit",
    cell,
    ccy: random.pick(ASSETS),
    // What the fund gets is mostly less than what is owed.
    amount: amountOf(draw, false, random.pick(cell === "sys:ins_margin" ? [1n, 100n, 10_000n] : [1n, 1n, 100n])),
    note: "",
  };
}

export function asked(draw: Draw) {
  const { random, settings } = draw;
  const at = draw.marketId();
  const [base, quote] = pairAt(settings, at);
  const ccy = random.chance(97) ? random.pick([base, quote]) : random.pick([...ASSETS, "NONE"]);
  const market = random.chance(99) ? base + quote : "NONE";
  const amount = random.chance(98) ? amountOf(draw, ccy === base, random.pick([1n, 3n, 3n, 10n])) : "0";
  return { userId: draw.userId(), market, ccy, amount };
}

/** From hardly anything to a little more than all that somebody began with. */
function amountOf({ settings, random }: Draw, isBase: boolean, part: bigint): string {
  return shareOf(settings, isBase, part, BigInt(random.whole(1, 110)));
}

/** So many percent of a part of what somebody began with; of both currencies about as much worth. */
function shareOf({ funds, scale, middle, pricePrecision }: Settings, isBase: boolean, part: bigint, percent = 100n) {
  const [price, one] = [BigInt(middle), 10n ** BigInt(pricePrecision)];
  const [above, below] = isBase ? [one, price] : [price, one];
  const units = above > below ? funds : (funds * above) / below;
  const share = (units * percent) / (100n * part);
  return formatDecimal(share > 0n ? share : 1n, scale);
}
