import { command, id, ways } from "../credit/line.ts";
import type { Action } from "../step.ts";
import type { Hand, Strategy } from "../strategy.ts";
import { CHAIN } from "./part.ts";

/**
 * Deposits over a chain that takes the deposit back: before that it is exchanged, given to a friend, or asked for as a
 * withdrawal, which the venue goes on paying.
 */
export const lateDebt: Strategy = {
  name: "late_debt",
  play: (hand) => {
    const { random, terms } = hand;
    const main = hand.account({ usdt: 20_000, btc: 0.2, dsc: 5_000 });
    const friend = hand.account({ usdt: 900_000, btc: 20, dsc: 900_000 });
    const userId = id(main);
    hand.at(400, command({ kind: "assign_address", userId, chain: CHAIN, renewals: 0, address: "in-1", memo: "" }));
    hand.at(
      410,
      command({ kind: "allow_withdraw_address", userId, chain: CHAIN, address: "out-1", memo: "", remark: "" }),
    );
    hand.at(420, command({ kind: "allow_withdraw_address", userId, chain: "", address: friend, memo: "", remark: "" }));
    let head = 10;
    for (let atMs = 1_000, round = 1; atMs + 40_000 < terms.lastsMs; atMs += random.pick([30_000, 60_000]), round++) {
      const ccy = random.pick(["BTC", "BTC", "USDT"] as const);
      const paid = { chain: CHAIN, txId: `tx-${round}`, output: 0, toAddress: "in-1" } as const;
      const amount = ccy === "BTC" ? random.pick(["1", "5"]) : "100000";
      hand.at(atMs, command({ kind: "deposit_seen", ...paid, memo: "", ccy, amount, height: head }));
      hand.at(atMs + 100, command({ kind: "chain_head", chain: CHAIN, height: head + 1 }));
      spend(hand, atMs + 200, main, friend, ccy);
      const goneMs = random.pick([500, 9_000, 15_000]);
      if (random.chance(40)) {
        // Settled, asked for, and taken back all the same: the chain turns deeper than anybody waits for.
        hand.at(atMs + 12_000, command({ kind: "chain_head", chain: CHAIN, height: head + 3 }));
        hand.at(atMs + 12_500, out("USDT", random.pick([1, 5]), main, random.chance(30)), out("BTC", 1, main, false));
      }
      if (random.chance(70)) hand.at(atMs + goneMs, command({ kind: "deposit_gone", ...paid }));
      pay(hand, atMs + 16_000, head + 4);
      head += 10;
    }
  },
};

/** Exchanges it at the fair price or gives it away, and asks for what came of it. */
function spend(hand: Hand, atMs: number, main: string, friend: string, ccy: "BTC" | "USDT"): void {
  const { random } = hand;
  const market = ccy === "BTC" ? "spot" : random.pick(["spot", "coin"] as const);
  const [gives, takes] = ccy === "BTC" ? (["sell", "buy"] as const) : (["buy", "sell"] as const);
  const price = { of: "fair", ppm: random.pick([0, 0, 10_000, 90_000, 400_000]) * (gives === "buy" ? 1 : -1) } as const;
  const lots = { of: "power", percent: 90 } as const;
  hand.at(atMs, { do: "order", user: friend, market, side: takes, type: "limit", price, lots });
  hand.at(atMs + 10, {
    do: "order",
    user: main,
    market,
    side: gives,
    type: "ioc",
    price,
    lots: { of: "power", percent: 99 },
  });
  hand.at(atMs + 20, { do: "cancel", user: friend, market });
  for (let way = 0; way < 3; way++)
    hand.at(
      atMs + 100 + way,
      random.pick([
        ...ways({ random }, main, friend),
        out(random.pick(["USDT", "BTC"]), random.pick([1, 5]), main, random.chance(30)),
      ]),
    );
}

function out(ccy: "USDT" | "BTC", much: number, user: string, needsReview: boolean): Action {
  const amount = ccy === "USDT" ? String(much * 55_000) : String(much * 0.9);
  const to = { method: "on_chain", chain: CHAIN, toAddress: "out-1", memo: "", remark: "" } as const;
  return command({ kind: "withdraw", userId: id(user), ccy, amount, ...to, needsReview });
}

/** What operators and the wallet do of a morning: approve, begin, and see it in a block. */
function pay(hand: Hand, atMs: number, height: number): void {
  for (let withdrawId = 1; withdrawId <= 8; withdrawId++) {
    hand.at(atMs, command({ kind: "review_withdrawal", withdrawId, approve: true, note: "as ever" }));
    hand.at(atMs + 10, command({ kind: "withdrawal_started", withdrawId }));
    hand.at(atMs + 20, command({ kind: "withdrawal_mined", withdrawId, txId: `out-${withdrawId}`, height }));
  }
  hand.at(atMs + 30, command({ kind: "chain_head", chain: CHAIN, height: height + 2 }));
}
