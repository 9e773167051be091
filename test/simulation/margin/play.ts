import assert from "node:assert/strict";
import type { Command } from "../../../src/engine/command.ts";
import type { Market } from "../../../src/engine/listing/market.ts";
import { figuresOf, isAtRisk, loanLimit, worth } from "../../../src/engine/margin/risk.ts";
import { formatDecimal } from "../../../src/engine/money/decimal.ts";
import { type MarginVenue, marginVenue } from "../../support/margin-venue.ts";
import { describe } from "../../support/venue.ts";
import { xorshift } from "../../support/xorshift.ts";

const USERS = 5;
const STEPS = 700;

/**
 * Lets users of margin accounts do anything for hundreds of commands, at an index that walks, leaps and falls silent;
 * or, with `isStill`, at one that stands still, where all of them together must never come to have more. Invariants and
 * audits look after each command. Answers what was met: refusals, statuses of loans, stages of liquidations.
 */
export function play(seed: number, isStill = false): Set<string> {
  const venue = marginVenue();
  const random = xorshift(seed);
  const below = (count: number) => Math.floor(random() * count);
  const pick = <One>(all: readonly One[]): One => all[below(all.length)] as One;
  const met = new Set<string>();
  venue.accept({ kind: "deposit", cell: "sys:lend_pool", ccy: "USDT", amount: "800000", note: "" });
  venue.accept({ kind: "deposit", cell: "sys:lend_pool", ccy: "BTC", amount: "20", note: "" });
  for (let user = 1; user <= USERS; user++) {
    venue.addUser(`user${user}`, { USDT: "60000", BTC: "2" });
    venue.accept({ kind: "change_user", userId: user, takerFeeRate: pick(["0", "0.001", "0.01"]) });
  }
  const maker = venue.addUser("maker", { USDT: "90000000", BTC: "3000" });
  let index = 3_000_000;
  const price = () => formatDecimal(BigInt(Math.max(1, Math.floor((index * (92 + below(17))) / 100))), 2);
  const amount = (ccy: string) =>
    ccy === "USDT" ? `${below(50_000)}.${below(100)}` : `${below(2)}.${String(below(9_999)).padStart(4, "0")}`;
  const steps: readonly (() => Command)[] = [
    ...Array(4).fill(() => ({ kind: "transfer_margin", ...whose(), isIn: below(3) > 0 })),
    ...Array(8).fill(() => ({ kind: "borrow", ...whose(), ...mostOf(), isAutoRenew: below(2) === 0 })),
    ...Array(2).fill(() => ({ kind: "repay", ...whose(), ...(below(3) === 0 ? { borrowId: below(20) } : {}) })),
    ...Array(12).fill(() => {
      const type = pick(["", "", "", "ioc", "fok", "maker_only"]);
      const text =
        `${pick(["buy", "sell"])} 0.${String(1 + below(4_000)).padStart(4, "0")} @ ${price()} ${type} ` +
        `${pick(["margin", "margin", ""])} ${pick(["", "stp:cm", "stp:ct", "hidden"])}`;
      return venue.orderOf(1 + below(USERS), text.replace(/ +/g, " ").trim());
    }),
    ...Array(2).fill(() =>
      venue.orderOf(1 + below(USERS), `${pick(["buy", "sell"])} 0.${1 + below(9)} ${pick(["margin", ""])}`.trim()),
    ),
    // Somebody who trades near the index, with all that anybody wants.
    ...Array(8).fill(() => {
      const sells = below(2) === 0;
      const at = formatDecimal(BigInt(Math.floor((index * (sells ? 1_002 : 998)) / 1_000)), 2);
      return venue.orderOf(maker, `${sells ? "sell" : "buy"} ${1 + below(4)} @ ${at}`);
    }),
    () => ({ kind: "cancel_all_orders", userId: maker, marketId: 0, account: "spot" }),
    ...Array(6).fill(() => {
      const buys = below(2) === 0;
      return venue.orderOf(
        1 + below(USERS),
        buys ? `buy ${1 + below(60_000)} USDT margin` : `sell ${below(3)}.${1 + below(9)} margin`,
      );
    }),
    () => ({ kind: "cancel_all_orders", userId: 1 + below(USERS), marketId: 0, account: "margin" }),
    () => ({
      kind: "modify_order",
      userId: 1 + below(USERS),
      marketId: 0,
      orderId: below(venue.state.nextOrderId),
      price: BigInt(Math.floor((index * (95 + below(10))) / 100)),
    }),
    ...Array(14).fill(() => {
      if (!isStill)
        index = Math.max(
          1_000,
          Math.floor(
            (index * (below(25) === 0 ? 50 + below(80) : below(5) === 0 ? 80 + below(41) : 98 + below(5))) / 100,
          ),
        );
      return {
        kind: "set_index_prices",
        market: "BTCUSDT",
        sources: [{ exchange: "one", price: formatDecimal(BigInt(index), 2) }],
      };
    }),
    () => ({
      kind: "deposit",
      cell: pick(["sys:ins_margin", "sys:lend_pool"]),
      ccy: pick(["USDT", "BTC"]),
      amount: "1",
      note: "",
    }),
    () => ({ kind: "change_market", market: "BTCUSDT", suspended: below(8) === 0 }),
    () => ({ kind: "tick" }),
  ];
  function whose() {
    const ccy = pick(["USDT", "USDT", "BTC"]);
    return { userId: 1 + below(USERS), market: "BTCUSDT", ccy, amount: amount(ccy) };
  }
  /** Mostly nearly all that an account may borrow by its worth. */
  function mostOf() {
    const { accounts, terms } = venue.state.margin;
    if (accounts.count === 0 || below(4) === 0) return {};
    const row = below(accounts.count);
    const market = venue.marketNamed("BTCUSDT");
    const isQuote = below(3) > 0;
    const figures = figuresOf(venue.state, row);
    const limit = loanLimit(
      market,
      market.index.price,
      figures,
      (terms.get(0) as { leverage: number }).leverage,
      isQuote,
    );
    const units = (limit * BigInt(95 + below(7))) / 100n;
    return { userId: accounts.userId(row), ccy: isQuote ? "USDT" : "BTC", amount: formatDecimal(units, 8) };
  }
  for (let step = 0; step < STEPS; step++) {
    venue.timeMs += below(60) === 0 ? pick([70_000, 3_600_000, 3_600_000 * 30]) : pick([0, 500, 2_000, 5_000, 6_000]);
    const command = pick(steps)();
    // Gifts would hide what was taken.
    if (isStill && command.kind === "deposit") continue;
    const before = isStill ? wealthOf(venue) : 0n;
    const done = venue.execute(command);
    if (isStill) assert.ok(wealthOf(venue) <= before, `users got ${wealthOf(venue) - before} by ${describe(command)}`);
    if (done.refusal !== undefined) met.add(done.refusal);
    if (command.kind === "borrow" && done.refusal === undefined) {
      const row = venue.state.margin.accounts.find(command.userId, 0);
      const market = venue.marketNamed("BTCUSDT");
      // 5x: what is borrowed is at most four times the worth, less the first hour of interest.
      const isTooMuch = isAtRisk(market, market.index.price, figuresOf(venue.state, row), 124_900_000n);
      assert.ok(!isTooMuch, `too much was lent by ${describe(command)}`);
    }
    for (const event of done.events) {
      if (event.kind !== "json") continue;
      if (event.event.type === "margin_liquidation") met.add(event.event.stage);
      if (event.event.type === "loan_changed") met.add(event.event.status);
      if (event.event.type === "margin_alert") met.add("alert");
    }
  }
  if (!isStill) venue.assertRepeatable(STEPS >> 1);
  return met;
}

/**
 * What users have at the index, in the exact integers of both assets: an account that owes more than it has is worth
 * nothing to them.
 */
function wealthOf({ state }: MarginVenue): bigint {
  const market = state.markets[0] as Market;
  const { price } = market.index;
  const { ledger, margin } = state;
  let sum = 0n;
  for (let id = 1; id <= USERS + 1; id++) {
    const held = (assetId: number) => {
      const cell = ledger.findSpotCell(id, assetId);
      return cell < 0 ? 0n : ledger.available(cell) + ledger.frozen(cell);
    };
    sum += worth(market, price, held(market.baseAssetId), held(market.quoteAssetId));
    const row = margin.accounts.find(id, market.id);
    if (row < 0) continue;
    const { baseHave, quoteHave, basePrincipal, quotePrincipal } = figuresOf(state, row);
    const own = worth(market, price, baseHave - basePrincipal, quoteHave - quotePrincipal);
    if (own > 0n) sum += own;
  }
  return sum;
}
