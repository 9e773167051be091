import type { Command } from "../../../../src/engine/command.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { Draw } from "../draw.ts";
import { ASSETS, pairAt } from "../markets.ts";
import { changes, market as marketOrder, order, place } from "../orders/deeds.ts";
import type { SpotPart } from "../part.ts";
import type { Settings } from "../settings.ts";
import { picking } from "../step.ts";
import { placeStop } from "../stops/deeds.ts";
import { compareMargin } from "./compare.ts";
import { marginDue } from "./liquidation.ts";
import { borrow, repay, setTerms, transfer } from "./loans.ts";

/** Margin trading once more, in plain words. Domain 3. */
export const margin: SpotPart = {
  name: "margin",
  setup,
  deeds: {
    margin_index: { often: { usual: [0, 2, 10], margin: [200] }, make: (draw) => ({ command: oneSource(draw) }) },
    margin_terms: { often: { usual: [0, 1], margin: [1] }, make: (draw) => ({ command: terms(draw) }) },
    margin_fund: { often: { usual: [0, 1], margin: [3] }, make: (draw) => ({ command: fund(draw) }) },
    margin_transfer: {
      often: { usual: [0, 2], margin: [25] },
      make: (draw) => ({
        command: { kind: "transfer_margin", ...asked(draw), isIn: draw.random.chance(65) },
      }),
    },
    borrow: {
      often: { usual: [0, 2], margin: [90] },
      make: (draw) => ({ command: { kind: "borrow", ...asked(draw), isAutoRenew: draw.random.chance(50) } }),
    },
    repay: {
      often: { usual: [0, 1], margin: [12] },
      make: (draw) => ({
        command: {
          kind: "repay",
          ...asked(draw),
          borrowId: draw.random.chance(70) ? undefined : draw.random.whole(1, 20),
        },
      }),
    },
    margin_order: {
      often: { usual: [0, 10], margin: [200], auctions: [20] },
      make: (draw) => ({
        command: place(draw, { ...order(draw), account: "margin" }),
        all: draw.random.chance(40),
      }),
    },
    margin_market_order: {
      often: { usual: [0, 2], margin: [20] },
      make: (draw) => ({
        command: { kind: "place_order", ...order(draw), ...marketOrder(draw), account: "margin" },
      }),
    },
    margin_stop: {
      often: { usual: [0, 2], margin: [15] },
      make: (draw) => ({ command: placeStop(draw, { ...order(draw), account: "margin" as const }) }),
    },
    margin_modify: {
      often: { usual: [0, 2], margin: [20] },
      make: (draw) => {
        const whose = { userId: draw.userId(), marketId: draw.marketId(), account: undefined };
        return picking(draw.random, { kind: "modify_order", orderId: 0, ...whose, ...changes(draw) });
      },
    },
    margin_cancel: {
      often: { usual: [0, 1], margin: [3] },
      make: (draw) => ({
        command: {
          kind: "cancel_all_orders",
          userId: draw.userId(),
          marketId: draw.marketId(),
          account: "margin",
          side: draw.random.pick([undefined, "buy", "sell"]),
        },
      }),
    },
  },
  ofUsers: { transfer_margin: transfer, borrow, repay },
  ofVenue: { set_margin_market: setTerms },
  due: marginDue,
  compare: compareMargin,
  faults: [
    {
      name: "the first hour of a loan is free",
      file: "margin/lending.ts",
      code: "  charge(state, slot);\n",
      instead: "  if (amount < 0n) charge(state, slot);\n",
    },
    {
      name: "an hour of interest is rounded in the borrower's favour",
      file: "margin/lending.ts",
      code: "const hour = divCeil(loans.principal(slot) * BigInt(loans.dailyRateE8(slot)), HOURS_PER_DAY * ONE_E8);",
      instead: "const hour = (loans.principal(slot) * BigInt(loans.dailyRateE8(slot))) / (HOURS_PER_DAY * ONE_E8);",
    },
    {
      name: "principal of a margin loan is repaid before its interest",
      file: "margin/lending.ts",
      code: "const interest = least(amount, loans.interest(slot));",
      instead:
        "const interest = least(amount > loans.principal(slot) ? amount - loans.principal(slot) : 0n, loans.interest(slot));",
    },
    {
      name: "the newest loan is repaid first",
      file: "margin/repay.ts",
      code: "for (const slot of paid) left",
      instead: "for (const slot of paid.reverse()) left",
    },
    {
      name: "money leaves an account that its loans need",
      file: "margin/transfer.ts",
      code: "const kept = refuseLeaving(state, asked);",
      instead: "const kept = refuseLeaving(state, { ...asked, amount: 0n });",
    },
    {
      name: "who is in debt is lent as much as his account is worth with the loan",
      file: "margin/risk.ts",
      code: "const free = (assets - debt) * BigInt(leverage - 1) - debt;",
      instead: "const free = assets * BigInt(leverage - 1) - debt;",
    },
    {
      name: "an account trades at any price, whatever it owes",
      file: "margin/bearing.ts",
      code: "return !isAtRisk(market, index, after, liqRateE8);",
      instead: "return !isAtRisk(market, index, after, 0n * liqRateE8);",
    },
    {
      name: "a liquidation sells a tenth below the index",
      file: "margin/sale.ts",
      code: "const BAND_PERCENT = 5n;",
      instead: "const BAND_PERCENT = 10n;",
    },
    {
      name: "a liquidation costs nothing",
      file: "margin/liquidate.ts",
      code: "const FEE_PERCENT = 2n;",
      instead: "const FEE_PERCENT = 0n;",
    },
  ],
};

/** Where anybody may borrow, margin trading is there from the start, in the first market. */
function setup(settings: Settings): Command[] {
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
function oneSource(draw: Draw): Command {
  const { maxPrice, pricePrecision } = draw.settings;
  const price = draw.price();
  const ticks = price > 0n && price <= maxPrice ? price : maxPrice;
  const sources = [{ exchange: "s0", price: formatDecimal(ticks, pricePrecision) }];
  return { kind: "set_index_prices", market: draw.marketName(), sources };
}

function terms(draw: Draw): Command {
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

function fund(draw: Draw): Command {
  const { random } = draw;
  const cell = random.pick(["sys:lend_pool", "sys:lend_pool", "sys:ins_margin"]);
  return {
    kind: "deposit",
    cell,
    ccy: random.pick(ASSETS),
    amount: amountOf(draw, false, random.pick([1n, 1n, 100n])),
    note: "",
  };
}

function asked(draw: Draw) {
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
  return formatDecimal((units * percent) / (100n * part), scale);
}
