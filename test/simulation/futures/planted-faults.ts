import type { PlantedFault } from "../planted-faults.ts";

const world = "futures";

/** Faults in what futures add, which the simulation of spot and futures has to find. */
export const FUTURES_FAULTS: readonly PlantedFault[] = [
  {
    name: "a taker's fee in futures is rounded in its favour",
    world,
    file: "futures/fill.ts",
    code: "const takerFee = feeOn(trade.value, BigInt(orders.takerFeeRateE8(taker)));",
    instead: "const takerFee = (trade.value * BigInt(orders.takerFeeRateE8(taker))) / 100_000_000n;",
  },
  {
    name: "what a flip opens is charged with the whole fee",
    world,
    file: "futures/fill.ts",
    code: "fee: whole.fee - closed.fee }",
    instead: "fee: whole.fee }",
  },
  {
    name: "what funding leaves over is dropped",
    world,
    file: "futures/funding.ts",
    code: "if (residue === 0n) return;",
    instead: "if (residue >= 0n) return;",
  },
  {
    name: "funding leaves an isolated position less than it must keep",
    world,
    file: "futures/funding.ts",
    code: "positive(margin + unrealized - maintenance - closing)",
    instead: "positive(margin + unrealized - closing)",
  },
  {
    name: "what has been taken over is deleveraged against one position too many",
    world,
    file: "futures/deleverage.ts",
    code: "if (lots === amount) return;",
    instead: "if (lots > amount) return;",
  },
  {
    name: "deleveraging begins at the end of the queue",
    world,
    file: "futures/adl-rank.ts",
    code: "return left.priority > right.priority ? -1 : 1;",
    instead: "return left.priority > right.priority ? 1 : -1;",
  },
  {
    name: "a position as large as its level allows counts to the next level",
    world,
    file: "futures/contract.ts",
    code: "if (lots <= level.amount) return level;",
    instead: "if (lots < level.amount) return level;",
  },
  {
    name: "isolated margin is rounded up when it is taken",
    world,
    file: "futures/change-position.ts",
    code: "const wanted = value / BigInt(seats.leverage(positions.seat(slot)));",
    instead:
      "const wanted = (value + BigInt(seats.leverage(positions.seat(slot))) - 1n) / BigInt(seats.leverage(positions.seat(slot)));",
  },
  {
    name: "an order that only reduces is not capped by its position",
    world,
    file: "futures/reduce-only.ts",
    code: "const excess = seats.reducing(row, side) - heldLots(state, row, isShort);",
    instead: "const excess = seats.reducing(row, side) - heldLots(state, row, isShort) - 5n;",
  },
  {
    name: "a freeze counts the position on the order's own side",
    world,
    file: "futures/held-order.ts",
    code: "heldLots(state, row, side === 0)",
    instead: "heldLots(state, row, side === 1)",
  },
  {
    name: "an isolated position is liquidated a unit too late",
    world,
    file: "futures/liquidation.ts",
    code: "return marginOf(state, slot) + unrealized <= maintenance;",
    instead: "return marginOf(state, slot) + unrealized < maintenance;",
  },
  {
    name: "a cross account is liquidated without regard to its freezes",
    world,
    file: "futures/liquidation.ts",
    code: "return cash + unrealized - frozen <= maintenance;",
    instead: "return cash + unrealized <= maintenance;",
  },
  {
    name: "a settlement pays and does not move the cost from which profit counts",
    world,
    file: "futures/settle.ts",
    code: "  positions.setSettleCost(slot, value);\n",
    instead: "",
  },
  {
    name: "a takeover adds what the position carries on the wrong side",
    world,
    file: "futures/liquidation.ts",
    code: "const value = atMark(state, slot).value - signOf(terms, isShort) * equity;\n  const price",
    instead: "const value = atMark(state, slot).value + signOf(terms, isShort) * equity;\n  const price",
  },
  {
    name: "the value at mark of an inverse position is rounded in its favour",
    world,
    file: "futures/contract.ts",
    code: "return sign > 0n ? numerator / mark : (numerator + mark - 1n) / mark;",
    instead: "return sign < 0n ? numerator / mark : (numerator + mark - 1n) / mark;",
  },
  {
    name: "a snapshot forgets the latest premium",
    world,
    file: "futures/cycle.ts",
    code: "return { ...rest, samples: samples.rows() };",
    instead: "return { ...rest, samples: samples.rows().slice(0, -1) };",
  },
  {
    name: "profit on paper may be transferred",
    world,
    file: "futures/figures.ts",
    code: "return cash - frozen - initial + (unrealized < 0n ? unrealized : 0n);",
    instead: "return cash - frozen - initial + unrealized;",
  },
  {
    name: "a threshold waits for a mark that lies beyond what it stands for",
    world,
    file: "futures/risk-threshold.ts",
    code: "const ticks = way === WAY.falls ? mark - room : mark + room;",
    instead: "const ticks = way === WAY.falls ? mark - room - 3n : mark + room + 3n;",
  },
];
