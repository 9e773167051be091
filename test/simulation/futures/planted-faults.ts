import type { PlantedFault } from "../world.ts";

/** Faults in what futures add, which the simulation of spot and futures has to find. */
export const FUTURES_FAULTS: readonly PlantedFault[] = [
  {
    name: "a taker's fee in futures is rounded in its favour",
    file: "futures/orders/fill.ts",
    code: "const takerFee = feeOn(trade.value, BigInt(orders.takerFeeRateE8(taker)));",
    instead: "const takerFee = (trade.value * BigInt(orders.takerFeeRateE8(taker))) / 100_000_000n;",
  },
  {
    name: "what a flip opens is charged with the whole fee",
    file: "futures/orders/fill.ts",
    code: "fee: whole.fee - closed.fee }",
    instead: "fee: whole.fee }",
  },
  {
    name: "what funding leaves over is dropped",
    file: "futures/funding/funding.ts",
    code: "if (residue === 0n) return;",
    instead: "if (residue >= 0n) return;",
  },
  {
    name: "funding leaves an isolated position less than it must keep",
    from: 83,
    file: "futures/funding/funding.ts",
    code: "positive(margin + unrealized - maintenance - closing)",
    instead: "positive(margin + unrealized - closing)",
  },
  {
    name: "what has been taken over is deleveraged against one position too many",
    from: 10,
    file: "futures/liquidation/deleverage.ts",
    code: "if (lots === amount) return;",
    instead: "if (lots > amount) return;",
  },
  {
    name: "deleveraging begins at the end of the queue",
    from: 10,
    file: "futures/liquidation/adl-rank.ts",
    code: "return left.priority > right.priority ? -1 : 1;",
    instead: "return left.priority > right.priority ? 1 : -1;",
  },
  {
    name: "the ladder runs on beyond the price at which the venue took over",
    file: "futures/liquidation/inventory.ts",
    code: "return resultOf(state, market, slot, lots, value) <= 0n;",
    instead: "return resultOf(state, market, slot, lots, value) < -(10n ** 30n);",
  },
  {
    name: "a position as large as its level allows counts to the next level",
    file: "futures/positions/contract.ts",
    code: "if (lots <= int64(level.amount)) return level;",
    instead: "if (lots < int64(level.amount)) return level;",
  },
  {
    name: "isolated margin is rounded up when it is taken",
    file: "futures/positions/change-position.ts",
    code: "const wanted = value / BigInt(seats.leverage(positions.seat(slot)));",
    instead:
      "const wanted = (value + BigInt(seats.leverage(positions.seat(slot))) " +
      "- 1n) / BigInt(seats.leverage(positions.seat(slot)));",
  },
  {
    name: "an order that only reduces is not capped by its position",
    file: "futures/orders/reduce-only.ts",
    code: "if (seats.reducing(row, side) <= seats.closable(row, side)) continue;",
    instead: "if (seats.reducing(row, side) - 5n <= seats.closable(row, side)) continue;",
  },
  {
    name: "a freeze counts the position on the order's own side",
    file: "futures/orders/held-order.ts",
    code: "seats.closable(row, side)",
    instead: "seats.closable(row, side ^ 1)",
  },
  {
    name: "an isolated position is liquidated a unit too late",
    from: 83,
    file: "futures/liquidation/liquidation.ts",
    code: "return marginOf(state, slot) + unrealized <= maintenance;",
    instead: "return marginOf(state, slot) + unrealized < maintenance;",
  },
  {
    name: "a cross account is liquidated without regard to its freezes",
    from: 12,
    file: "futures/liquidation/liquidation.ts",
    code: "return cash + unrealized - frozen <= maintenance;",
    instead: "return cash + unrealized <= maintenance;",
  },
  {
    name: "a settlement pays and does not move the cost from which profit counts",
    file: "futures/funding/settle.ts",
    code: "  positions.setSettleCost(slot, value);\n",
    instead: "",
  },
  {
    name: "a takeover adds what the position carries on the wrong side",
    file: "futures/liquidation/liquidation.ts",
    code: "const value = atMark(state, slot).value - signOf(terms, isShort) * equity;\n  const price",
    instead: "const value = atMark(state, slot).value + signOf(terms, isShort) * equity;\n  const price",
  },
  {
    name: "the value at mark of an inverse position is rounded in its favour",
    file: "futures/positions/contract.ts",
    code: "return sign > 0n ? numerator / mark : (numerator + mark - 1n) / mark;",
    instead: "return sign < 0n ? numerator / mark : (numerator + mark - 1n) / mark;",
  },
  {
    name: "a snapshot forgets the latest premium",
    file: "futures/funding/cycle.ts",
    code: "samples: samples.rows(), minute",
    instead: "samples: samples.rows().slice(0, -1), minute",
  },
  {
    name: "profit on paper may be transferred",
    file: "futures/positions/figures.ts",
    code: "return cash - frozen - initial + (unrealized < 0n ? unrealized : 0n);",
    instead: "return cash - frozen - initial + unrealized;",
  },
  {
    name: "a threshold waits for a mark that lies beyond what it stands for",
    file: "futures/liquidation/risk-threshold.ts",
    code: "const ticks = way === WAY.falls ? mark - room : mark + room;",
    instead: "const ticks = way === WAY.falls ? mark - room - 3n : mark + room + 3n;",
  },
  {
    name: "a fill is not paid from the reserve of its account's thresholds",
    file: "futures/liquidation/margin-use.ts",
    code: "const change = 4n * gained + surplusIn(after, needs) - surplusIn(before.figures, needs) + before.loss;",
    instead: "const change = 4n * gained + surplusIn(after, needs) + before.loss;",
  },
  {
    name: "what an account can surely spend does not shrink while marks move",
    file: "futures/orders/buying-power.ts",
    code: "  futures.moved += moveOf(from, to);\n",
    instead: "",
  },
  {
    name: "an account keeps the means that a fill has cost it",
    file: "futures/orders/buying-power.ts",
    code: "accounts.crossPower(account) + cash + unrealized - initial - ROUNDING_SLACK,",
    instead: "accounts.crossPower(account),",
  },
];
