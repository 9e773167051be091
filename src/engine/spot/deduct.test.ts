import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue } from "../../../test/support/futures-venue.ts";
import { type Done, Venue } from "../../../test/support/venue.ts";

/** BTCUSDT and DSCUSDT of the worked examples; the index of DSC is 0.076500. */
function coinVenue(assets = ["BTC", "USDT", "DSC"]): Venue {
  const venue = new Venue();
  for (const ccy of assets) venue.listAsset(ccy);
  venue.listMarket("BTC", "USDT");
  venue.listMarket("DSC", "USDT", { amountPrecision: 2, pricePrecision: 6, minAmount: "0.01" });
  venue.spotIndex("0.076500", "DSCUSDT");
  return venue;
}

function trader(venue: Venue, funds: Readonly<Record<string, string>>, deducts = true): number {
  const userId = venue.addUser(`trader ${venue.state.users.count}`, funds);
  venue.accept({ kind: "change_user", userId, feeDeduction: deducts });
  return userId;
}

/** Fees of the last deal as "taker, maker", each as "fee asset". */
function feesOf(venue: Venue, { deals }: Done): string {
  const deal = deals.at(-1);
  assert.ok(deal);
  return [deal.taker, deal.maker]
    .map(({ fee, feeAssetId }) => `${fee} ${venue.state.assets[feeAssetId]?.ccy}`)
    .join(", ");
}

test("worked example E1 with fees deducted: the buyer pays 125.49019608 DSC for the first fill and keeps all its bitcoin", () => {
  const venue = coinVenue();
  const buyer = trader(venue, { USDT: "20000", DSC: "300" });
  const first = venue.addUser("first", { BTC: "1" });
  const second = venue.addUser("second", { BTC: "1" });
  venue.put(first, "sell 0.2 @ 30000.00");
  venue.put(second, "sell 0.25 @ 30005.50");

  const { deals, order, events } = venue.place(buyer, "buy 0.5 @ 30010.00");

  assert.deepEqual(
    deals.map(({ taker }) => [taker.fee, taker.deducted]),
    [
      [125_49019608n, true],
      [156_89150327n, true],
    ],
  );
  assert.deepEqual([order?.baseFee, order?.quoteFee, order?.discountFee], [0n, 0n, 282_38169935n]);
  assert.equal(venue.balance(buyer, "BTC"), "0.45000000 + 0.00000000");
  assert.equal(venue.balance(buyer, "DSC"), "17.61830065 + 0.00000000");
  assert.equal(venue.balance(buyer, "USDT"), "4998.12500000 + 1500.50000000");
  assert.equal(venue.balance(first, "USDT"), "5994.00000000 + 0.00000000");
  const coins = events.filter((event) => event.kind === "posting").filter((event) => event.assetId === 2);
  assert.deepEqual(
    coins.map(({ posting, available }) => `${posting} ${available}`),
    ["fee -12549019608", "fee 12549019608", "fee -15689150327", "fee 15689150327"],
  );
  // Its next fill, as a maker now, costs 1500.5 · 0.001 · 0.8 / 0.0765 = 15.69150327 DSC.
  const done = venue.place(first, "sell 0.05 @ 30010.00");
  assert.equal(feesOf(venue, done), "300100000 USDT, 1569150327 DSC");
  venue.assertRepeatable();
});

interface Case {
  readonly name: string;
  /** What the taker, whose switch is on, has beside 20000 USDT. */
  readonly coins?: string;
  readonly set?: (venue: Venue, taker: number) => void;
  readonly fees: string;
}

/** A buy of 0.2 BTC at 30000 as taker: ordinarily 0.0004 BTC, deducted 125.49019608 DSC; the maker pays 6 USDT. */
const CASES: readonly Case[] = [
  { name: "more than enough of it", coins: "1000", fees: "12549019608 DSC, 600000000 USDT" },
  { name: "exactly enough", coins: "125.49019608", fees: "12549019608 DSC, 600000000 USDT" },
  { name: "a unit too little", coins: "125.49019607", fees: "40000 BTC, 600000000 USDT" },
  { name: "none of it, and never had any", fees: "40000 BTC, 600000000 USDT" },
  {
    name: "enough, of which some is frozen in an order",
    coins: "130",
    set: (venue, taker) => venue.put(taker, "sell 5 @ 0.100000", "DSCUSDT"),
    fees: "40000 BTC, 600000000 USDT",
  },
  {
    name: "the switch off again",
    coins: "1000",
    set: (venue, userId) => venue.accept({ kind: "change_user", userId, feeDeduction: false }),
    fees: "40000 BTC, 600000000 USDT",
  },
  {
    name: "a rate of 0: nothing is deducted of nothing",
    coins: "1000",
    set: (venue, userId) => venue.accept({ kind: "change_user", userId, takerFeeRate: "0" }),
    fees: "0 BTC, 600000000 USDT",
  },
  {
    name: "another discount",
    coins: "1000",
    set: (venue) => venue.accept({ kind: "set_fee_deduction", discountRate: "0.5" }),
    fees: "7843137255 DSC, 600000000 USDT",
  },
  {
    name: "no deduction currency any more",
    coins: "1000",
    set: (venue) => venue.accept({ kind: "set_fee_deduction", ccy: null }),
    fees: "40000 BTC, 600000000 USDT",
  },
  {
    name: "a deduction currency that is the quote of its market, at 13 of it for a dollar",
    coins: "1000",
    set: (venue) => {
      venue.changeMarket("DSCUSDT", { delistedAt: venue.timeMs });
      venue.listMarket("USDT", "DSC");
      venue.spotIndex("13.00", "USDTDSC");
    },
    fees: "12480000000 DSC, 600000000 USDT",
  },
  {
    name: "a deal of the coin at another price, which is nothing to its index",
    coins: "1000",
    set: (venue, taker) => {
      const bidder = venue.addUser("bidder", { USDT: "10" });
      venue.put(bidder, "buy 1 @ 0.110000", "DSCUSDT");
      venue.put(taker, "sell 1 @ 0.110000", "DSCUSDT");
    },
    fees: "12549019608 DSC, 600000000 USDT",
  },
  {
    name: "an index of the coin whose source has been silent for a minute",
    coins: "1000",
    set: (venue) => {
      venue.timeMs += 60_000;
    },
    fees: "12549019608 DSC, 600000000 USDT",
  },
  {
    name: "an index of the coin whose source has been silent for longer",
    coins: "1000",
    set: (venue) => {
      venue.timeMs += 60_001;
    },
    fees: "40000 BTC, 600000000 USDT",
  },
  {
    name: "the quote as deduction currency, at its price of 1",
    set: (venue) => venue.accept({ kind: "set_fee_deduction", ccy: "USDT" }),
    fees: "960000000 USDT, 600000000 USDT",
  },
  {
    name: "a market of the coin that was delisted",
    coins: "1000",
    set: (venue) => venue.changeMarket("DSCUSDT", { delistedAt: venue.timeMs }),
    fees: "40000 BTC, 600000000 USDT",
  },
];

for (const { name, coins, set, fees } of CASES) {
  test(`a taker with ${name} pays as the rule says`, () => {
    const venue = coinVenue();
    const maker = trader(venue, { BTC: "1" }, false);
    const taker = trader(venue, { USDT: "20000", ...(coins === undefined ? {} : { DSC: coins }) });
    set?.(venue, taker);
    venue.put(maker, "sell 0.2 @ 30000.00");
    assert.equal(feesOf(venue, venue.place(taker, "buy 0.2 @ 30000.00")), fees);
    venue.assertRepeatable();
  });
}

test("what a contract on the coin costs is no price of the coin", () => {
  const venue = new FuturesVenue();
  for (const name of ["long", "short"]) venue.addTrader(name, { USDT: "100000" });
  venue.rest(1, "sell 0.1 @ 30000.00");
  venue.rest(2, "buy 0.1 @ 30000.00");
  venue.listAsset("AAA");
  venue.listMarket("AAA", "USDT");
  venue.accept({ kind: "set_fee_deduction", ccy: "BTC" });
  const taker = trader(venue, { USDT: "20000", BTC: "1" });
  const maker = trader(venue, { AAA: "100", BTC: "1" }, false);

  venue.put(maker, "sell 10 @ 100.00", "AAAUSDT");
  assert.equal(feesOf(venue, venue.place(taker, "buy 5 @ 100.00", "AAAUSDT")), "1000000 AAA, 50000000 USDT");

  venue.listMarket("BTC", "USDT");
  venue.spotIndex("40000.00");
  assert.equal(feesOf(venue, venue.place(taker, "buy 5 @ 100.00", "AAAUSDT")), "2000 BTC, 50000000 USDT");
});

test("without a price of the coin fees are taken as ever", () => {
  const venue = new Venue();
  for (const ccy of ["BTC", "USDT", "DSC"]) venue.listAsset(ccy);
  venue.listMarket("BTC", "USDT");
  venue.listMarket("DSC", "USDT", { amountPrecision: 2, pricePrecision: 6, minAmount: "0.01" });
  const taker = trader(venue, { USDT: "20000", DSC: "1000" });
  venue.put(trader(venue, { BTC: "1" }), "sell 0.2 @ 30000.00");
  assert.equal(feesOf(venue, venue.place(taker, "buy 0.2 @ 30000.00")), "40000 BTC, 600000000 USDT");
});

test("where the coin has no market in the quote currency, its price goes through USDT, exactly", () => {
  const venue = coinVenue();
  venue.listAsset("ETH", 10);
  venue.listMarket("ETH", "BTC", { amountPrecision: 4, pricePrecision: 4, minAmount: "0.0001" });
  const maker = trader(venue, { ETH: "10", BTC: "1", DSC: "1000" });
  const taker = trader(venue, { BTC: "1", USDT: "1000", DSC: "1000" });
  venue.put(maker, "sell 1 @ 0.0500", "ETHBTC");
  assert.equal(feesOf(venue, venue.place(taker, "buy 0.1 @ 0.0500", "ETHBTC")), "2000000 ETH, 500 BTC");
  venue.spotIndex("30000.00");
  // 0.005 BTC · 0.002 · 0.8 / (0.0765 / 30000) = 3.137254901…, as a maker half of it.
  assert.equal(feesOf(venue, venue.place(taker, "buy 0.1 @ 0.0500", "ETHBTC")), "313725491 DSC, 156862746 DSC");

  // A market of the two comes first once it has an index.
  venue.listMarket("DSC", "BTC", { amountPrecision: 0, pricePrecision: 8, minAmount: "1" });
  assert.equal(feesOf(venue, venue.place(taker, "buy 0.1 @ 0.0500", "ETHBTC")), "313725491 DSC, 156862746 DSC");
  venue.spotIndex("0.00000500", "DSCBTC");
  assert.equal(feesOf(venue, venue.place(taker, "buy 0.1 @ 0.0500", "ETHBTC")), "160000000 DSC, 80000000 DSC");
  venue.assertRepeatable();
});

test("the smallest fee is one unit of the coin", () => {
  const venue = coinVenue();
  const taker = trader(venue, { USDT: "10", DSC: "1" });
  venue.changeMarket("BTCUSDT", { minAmount: "0.000001" });
  venue.put(trader(venue, { BTC: "1" }, false), "sell 0.000001 @ 0.01");
  assert.equal(feesOf(venue, venue.place(taker, "buy 0.000001 @ 0.01")), "1 DSC, 1 USDT");
});

test("in the coin's own market its index counts, too, and what is bought can pay for itself", () => {
  const venue = coinVenue();
  const maker = trader(venue, { DSC: "1000" }, false);
  const taker = trader(venue, { USDT: "100" });
  venue.put(maker, "sell 100 @ 0.100000", "DSCUSDT");
  // 10 USDT · 0.002 · 0.8 / 0.0765; the buyer had none before.
  venue.put(taker, "buy 100 @ 0.100000", "DSCUSDT");
  assert.equal(venue.balance(taker, "DSC"), "99.79084967 + 0.00000000");
  venue.assertRepeatable();
});

test("what the taker's rest still gives of the coin is not spent on fees", () => {
  const venue = coinVenue();
  const bidder = trader(venue, { USDT: "1000" }, false);
  const seller = trader(venue, { DSC: "100" });
  venue.put(bidder, "buy 40 @ 0.080000", "DSCUSDT");
  venue.put(bidder, "buy 60 @ 0.079000", "DSCUSDT");
  for (const text of ["sell 100 @ 0.079000", "sell 100"]) {
    const done = venue.place(seller, text, "DSCUSDT");
    assert.deepEqual(
      done.deals.map(({ taker }) => taker.deducted),
      [false, false],
    );
    assert.equal(venue.balance(seller, "DSC"), "0.00000000 + 0.00000000");
    venue.deposit(seller, "DSC", "100");
    venue.put(bidder, "buy 40 @ 0.080000", "DSCUSDT");
    venue.put(bidder, "buy 60 @ 0.079000", "DSCUSDT");
  }
  // With a little more the fees fit: 3.2 · 0.002 · 0.8 / 0.0765 and 4.74 · 0.002 · 0.8 / 0.0765.
  venue.deposit(seller, "DSC", "0.16606537");
  const done = venue.place(seller, "sell 100", "DSCUSDT");
  assert.deepEqual(
    done.deals.map(({ taker }) => taker.fee),
    [6692811n, 9913726n],
  );
  assert.equal(venue.balance(seller, "DSC"), "0.00000000 + 0.00000000");
  venue.assertRepeatable();
});

test("both sides of a trade with oneself pay by deduction, the taker first", () => {
  const venue = coinVenue();
  // 480 · 0.002 · 0.8 / 0.0765 is 10.03921569 to take; half of that to make.
  const user = trader(venue, { USDT: "1000", BTC: "1", DSC: "12" });
  venue.put(user, "sell 0.016 @ 30000.00");
  assert.equal(feesOf(venue, venue.place(user, "buy 0.016 @ 30000.00")), "1003921569 DSC, 48000000 USDT");
  venue.deposit(user, "DSC", "20");
  venue.put(user, "sell 0.016 @ 30000.00");
  assert.equal(feesOf(venue, venue.place(user, "buy 0.016 @ 30000.00")), "1003921569 DSC, 501960785 DSC");
  venue.assertRepeatable();
});

for (const assets of [
  ["BTC", "USDT", "DSC"],
  ["DSC", "BTC", "USDT"],
]) {
  const order = assets.join(", ");
  test(`the currency may change until a fee was paid in it; then it can only end and come back (${order})`, () => {
    const venue = coinVenue(assets);
    const set = (ccy: string | null) => venue.execute({ kind: "set_fee_deduction", ccy }).refusal;
    assert.equal(set("BTC"), undefined);
    assert.equal(set("XXX"), "asset_not_found");
    assert.equal(venue.execute({ kind: "set_fee_deduction", discountRate: "1" }).refusal, "invalid_command");
    assert.equal(set("DSC"), undefined);
    venue.put(trader(venue, { BTC: "1" }), "sell 0.001 @ 30000.00");
    venue.put(trader(venue, { USDT: "1000", DSC: "100" }), "buy 0.001 @ 30000.00");
    assert.equal(set("BTC"), "invalid_command");
    assert.equal(set(null), undefined);
    assert.equal(set("BTC"), "invalid_command");
    assert.equal(set("DSC"), undefined);
    venue.assertRepeatable();
  });
}
