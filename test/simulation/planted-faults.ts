/** Faults that the simulation has to find: each changes one place of the engine as it is loaded. */
import type { Plant } from "../support/plant-fault.ts";
import type { WorldName } from "./seed-run.ts";

export interface PlantedFault extends Plant {
  readonly name: string;
  /** What finds it; absent: spot trading. */
  readonly world?: WorldName;
  /** Module of src/engine. */
  readonly file: string;
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: "a fee is rounded in the user's favour",
    file: "money/rate.ts",
    code: "int64(int64(rest * rateE8) + 99_999_999n)",
    instead: "int64(rest * rateE8)",
  },
  {
    name: "an order that is cancelled keeps one lot of what it froze",
    file: "trading/resting.ts",
    code: "const amount = int64(0n - freezeOf(market, orders.flags(slot), orders.price(slot), orders.left(slot)));",
    instead:
      "const amount = int64(0n - freezeOf(market, orders.flags(slot), orders.price(slot), orders.left(slot) - 1n));",
  },
  {
    name: "hidden orders come before displayed ones",
    file: "trading/price-levels.ts",
    code: "return displayed < 0 ? this.head(level, 1) : displayed;",
    instead: "return this.head(level, 1) < 0 ? displayed : this.head(level, 1);",
  },
  {
    name: "an order that grows keeps its place in the queue",
    file: "trading/ladder-book.ts",
    code: "if (left > before) {",
    instead: "if (left > before + left) {",
  },
  {
    name: "an order that moves to another price keeps its priority",
    file: "trading/move.ts",
    code: "  orders.setPrio(slot, state.nextPrio++);\n",
    instead: "",
  },
  {
    name: "the first mode of self-trade protection counts as none",
    file: "trading/match.ts",
    code: "if (protection !== 0 && isSameUser",
    instead: "if (protection > 1 && isSameUser",
  },
  {
    name: "a stop order fires twice",
    file: "stops/fire-stops.ts",
    code: "  placeOrder(state, record, 0, outcome);\n",
    instead: "  placeOrder(state, record, 0, outcome);\n  placeOrder(state, record, 0, outcome);\n",
  },
  {
    name: "a hidden order shows in depth once it is filled in part",
    file: "trading/ladder-book.ts",
    code: "if (queue === 0) this.display(orders.side(slot), level, int64(int64(rows.total(level) - before) + left));",
    instead: "this.display(orders.side(slot), level, int64(int64(rows.total(level) - before) + left));",
  },
  {
    name: "a market order may trade one tick beyond its bound",
    file: "trading/check.ts",
    code: ": (price * (100n - MARKET_BAND_PERCENT) + 99n) / 100n;",
    instead: ": (price * (100n - MARKET_BAND_PERCENT)) / 100n;",
  },
  {
    name: "of two opening prices as near to the index the higher is taken",
    file: "trading/opening-price.ts",
    code: "(distance(next) < distance(near) ? next : near)",
    instead: "(distance(next) <= distance(near) ? next : near)",
  },
  {
    name: "an opening price does not heed what it leaves over",
    file: "trading/opening-price.ts",
    code: "return left === right ? 0 : left < right ? 1 : -1;",
    instead: "return 0;",
  },
  {
    name: "hidden orders do not count for the price of an auction",
    file: "trading/ladder-book.ts",
    code: "lots += orders.left(slot);",
    instead: "lots += 0n;",
  },
  {
    name: "in an auction who came first takes",
    file: "trading/auction.ts",
    code: "orders.prio(buy) > orders.prio(sell)",
    instead: "orders.prio(buy) < orders.prio(sell)",
  },
  {
    name: "an auction does not lock",
    file: "listing/status.ts",
    code: "market.noCancelAt <= timeMs;",
    instead: "market.noCancelAt < timeMs - 10 ** 15;",
  },
  {
    name: "a deducted fee is rounded in the user's favour",
    file: "trading/deduct.ts",
    code: "divCeil(dividend, RATE_ONE",
    instead: "dividend / (RATE_ONE",
  },
  {
    name: "a deducted fee takes what the rest of a market order needs",
    file: "trading/deduct.ts",
    code: "if (isMarketOrder(flags)) return trade.reserved;",
    instead: "if (isMarketOrder(flags)) return 0n;",
  },
  {
    name: "a snapshot forgets what an order has paid in deducted fees",
    file: "snapshot.ts",
    code: "fills.setDiscountFee(fill, filled.i64[at + 5] as bigint);",
    instead: "fills.setDiscountFee(fill, 0n);",
  },
  {
    name: "anybody may cancel and change anybody's orders",
    file: "trading/resting.ts",
    code: "const isOwn = slot >= 0 && isOwnOrder(",
    instead: "const isOwn = slot >= 0 || isOwnOrder(",
  },
];
