/** Ways to play a pool for money: its providers, its takers, or both at once. */
import { momentOf, type Strategy } from "../strategy.ts";
import { add, remove, take } from "./actions.ts";
import { PROVIDER, pooledOf } from "./pooled.ts";

const RICH = { usdt: 4_000_000, btc: 60, dsc: 4_000_000 };
const DOLLARS = [250, 5_000, 400_000, 3_000_000] as const;

/**
 * Comes in for a moment: before others trade, or in the auction that his own two accounts call, and leaves when it is
 * over.
 */
export const justInTime: Strategy = {
  name: "just_in_time",
  play: (hand) => {
    const { random, terms } = hand;
    const { market } = pooledOf(terms);
    const [provider, mover] = [hand.account(RICH), hand.account(RICH)];
    for (let atMs = momentOf(hand); atMs < terms.lastsMs; atMs += random.pick([30_000, 70_000, 150_000])) {
      const up = random.chance(50);
      const [side, back] = up ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
      const ppm = random.pick([20_000, 99_000, 130_000, 280_000]) * (up ? 1 : -1);
      if (random.chance(60)) hand.at(atMs, add(provider, market, random.pick(DOLLARS)));
      // What is beyond a move calls an interruption.
      hand.at(atMs + 100, take(mover, market, side, ppm, random.pick([5, 50, 95])));
      if (random.chance(60)) hand.at(atMs + 1_000, add(provider, market, random.pick(DOLLARS)));
      for (const afterMs of [200, 59_000, 61_500, 122_000]) {
        if (random.chance(50)) hand.at(atMs + afterMs, remove(provider, market));
      }
      hand.at(atMs + random.pick([300, 2_000, 125_000]), take(mover, market, back, -ppm, 95));
    }
  },
};

/** Moves the pool, lets others' stops and orders fire through it, and trades back at once. */
export const sandwich: Strategy = {
  name: "sandwich",
  play: (hand) => {
    const { random, terms } = hand;
    const { market } = pooledOf(terms);
    const taker = hand.account(RICH);
    const victim = hand.account(RICH);
    for (let atMs = momentOf(hand); atMs < terms.lastsMs; atMs += random.pick([2_500, 5_000, 21_000])) {
      const up = random.chance(50);
      const [side, back] = up ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
      const ppm = random.pick([11_000, 31_000, 81_000, 99_000, 290_000]) * (up ? 1 : -1);
      if (random.chance(20)) {
        // A stop of his own, with money that he may lose to himself.
        const trigger = { of: "fair", ppm: Math.round(ppm / 2) } as const;
        const lots = { of: "power", percent: 30 } as const;
        hand.at(atMs - 50, { do: "stop", user: victim, market, side, type: "market", trigger, lots });
      }
      hand.at(atMs, take(taker, market, side, ppm, random.pick([2, 20, 90])));
      if (random.chance(30)) {
        // Waits where what has fired comes by.
        const price = { of: "last", ppm: up ? 10_000 : -10_000 } as const;
        hand.at(atMs, {
          do: "order",
          user: taker,
          market,
          side: back,
          type: "limit",
          price,
          lots: { of: "power", percent: 40 },
        });
      }
      hand.at(atMs + random.pick([1, 100, 3_000]), take(taker, market, back, random.pick([-ppm, 0, 0]), 95));
      hand.at(atMs + 3_100, { do: "cancel", user: taker, market });
    }
  },
};

/**
 * Provides where a pool has one currency left, at an end of its range or after it was emptied, and trades it back and
 * forth.
 */
export const thinRange: Strategy = {
  name: "thin_range",
  play: (hand) => {
    const { random, terms } = hand;
    const { market, range } = pooledOf(terms);
    const [provider, taker] = [hand.account(RICH), hand.account(RICH)];
    const ends = (range ?? [91, 109]).map((percent) => percent * 10_000 - 1_000_000);
    for (let atMs = momentOf(hand); atMs < terms.lastsMs; atMs += random.pick([1_000, 6_000, 20_000])) {
      const up = random.chance(50);
      const [side, back] = up ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
      const end = ends[up ? 1 : 0] as number;
      hand.at(atMs, take(taker, market, side, end + random.pick([-3_000, 0, 5_000]), random.pick([10, 99])));
      hand.at(atMs + 1, add(provider, market, random.pick(DOLLARS), random.pick([1, 100, 100, 10_000])));
      if (random.chance(70))
        hand.at(atMs + 2, take(taker, market, back, random.pick([0, -end, ends[up ? 0 : 1] as number]), 95));
      if (random.chance(20)) hand.at(atMs + 3, remove(provider, market));
    }
  },
};

/**
 * Adds a last share before the day ends, or before fees that he pays or others do, as if it had been there all along.
 */
export const lastShare: Strategy = {
  name: "last_share",
  play: (hand) => {
    const { random, terms } = hand;
    const { market } = pooledOf(terms);
    const [provider, taker] = [hand.account(RICH), hand.account(RICH)];
    const midnight = Math.ceil(terms.startMs / 86_400_000) * 86_400_000 - terms.startMs;
    const end = midnight < terms.lastsMs ? midnight : momentOf(hand) + 5_000;
    for (let atMs = Math.max(500, end - 20_000); atMs < end; atMs += 2_000) {
      hand.at(atMs, take(taker, market, "buy", 30_000, random.pick([1, 20])), take(taker, market, "sell", -30_000, 90));
    }
    hand.at(end - random.pick([1, 500, 1_999]), add(provider, market, random.pick(DOLLARS)));
    if (random.chance(50)) hand.at(end + random.pick([0, 1, 700]), add(provider, market, random.pick(DOLLARS)));
    hand.at(end + 800, take(taker, market, "sell", -30_000, 30), take(taker, market, "buy", 30_000, 60));
    hand.at(end + 900, remove(provider, market));
  },
};

/**
 * Begins a pool beside its index, or moves it there, adds or lets others add at that price, and trades the rest back.
 */
export const offIndex: Strategy = {
  name: "off_index",
  play: (hand) => {
    const { random, terms } = hand;
    const { market } = pooledOf(terms);
    const [provider, taker, second] = [hand.account(RICH), hand.account(RICH), hand.account(RICH)];
    hand.at(
      Math.max(1, momentOf(hand) - 400),
      add(provider, market, random.pick(DOLLARS), random.pick([94, 96, 104, 106, 300])),
    );
    for (let atMs = momentOf(hand); atMs < terms.lastsMs; atMs += random.pick([3_000, 15_000])) {
      const up = random.chance(50);
      const [side, back] = up ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
      const ppm = random.pick([40_000, 99_000, 480_000]) * (up ? 1 : -1);
      hand.at(atMs, take(taker, market, side, ppm, random.pick([10, 60])));
      // Honest people add at whatever the pool says.
      hand.at(atMs + 5, add(random.pick([second, "honest provider"]), market, random.pick(DOLLARS)));
      hand.at(atMs + random.pick([10, 2_500]), take(taker, market, back, random.pick([0, -ppm]), 95));
    }
  },
};

/**
 * Moves a pool as far as others may still add to it, lets them add, and moves it back: the narrower its range, the more
 * of theirs goes with it.
 */
export const squeezeAdd: Strategy = {
  name: "squeeze_add",
  play: (hand) => {
    const { random, terms } = hand;
    const { market } = pooledOf(terms);
    const mover = hand.account(RICH);
    for (let atMs = momentOf(hand); atMs < terms.lastsMs; atMs += random.pick([2_000, 9_000, 30_000])) {
      const up = random.chance(50);
      const [side, back] = up ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
      const ppm = random.pick([5_000, 12_000, 20_000, 35_000, 49_000]) * (up ? 1 : -1);
      hand.at(atMs, take(mover, market, side, ppm, 99));
      hand.at(atMs + 1, add(PROVIDER, market, random.pick(DOLLARS)));
      hand.at(atMs + 2, take(mover, market, back, 0, 99));
    }
  },
};

/** Borrows in a margin account, and loses what is lent to a pool that his other account provides. */
export const lentPool: Strategy = {
  name: "lent_pool",
  play: (hand) => {
    const { random, terms } = hand;
    const market = "spot" as const;
    const [debtor, provider] = [hand.account({ usdt: 20_000, btc: 0.4 }), hand.account(RICH)];
    const isQuote = random.chance(60);
    const userId = debtor as unknown as number;
    const [ccy, amount] = isQuote ? (["USDT", "10000"] as const) : (["BTC", "0.2"] as const);
    const into = { kind: "transfer_margin", userId, market: "BTCUSDT", ccy, isIn: true, amount } as const;
    const [gives, takes] = isQuote ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
    const sign = isQuote ? 1 : -1;
    hand.at(500, { do: "command", command: into }, add(provider, market, random.pick(DOLLARS)));
    const start = random.chance(60) ? 1_000 : Math.max(1_000, momentOf(hand));
    hand.at(start, { do: "borrow", user: debtor, market, isQuote, percent: 100 });
    for (let atMs = start + 500; atMs < terms.lastsMs; atMs += random.pick([1_000, 8_000, 21_000])) {
      const away = random.pick([12_000, 60_000, 99_000, 450_000]) * sign;
      // First the pool goes where the debtor is to meet it.
      if (random.chance(60)) hand.at(atMs, take(provider, market, gives, away, random.pick([10, 90])));
      const type = random.pick(["ioc", "market", "limit", "fok"] as const);
      hand.at(atMs + 1, take(debtor, market, gives, away, random.pick([30, 99]), { margin: true, type }));
      if (random.chance(50)) hand.at(atMs + 2, take(provider, market, takes, random.pick([0, -away]), 95));
      if (random.chance(30)) hand.at(atMs + 3, take(debtor, market, takes, -away, 99, { margin: true }));
      if (random.chance(30))
        hand.at(atMs + 4, { do: "borrow", user: debtor, market, isQuote: random.chance(50), percent: 100 });
      if (random.chance(20)) hand.at(atMs + 5, add(provider, market, random.pick(DOLLARS)));
      if (random.chance(20)) {
        const out = {
          ...into,
          isIn: false,
          amount: random.pick(["0.01", "100", "3000"]),
          ccy: random.pick(["USDT", "BTC"]),
        };
        hand.at(atMs + 6, { do: "command", command: out });
      }
    }
  },
};
