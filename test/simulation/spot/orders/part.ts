import { compareBooks } from "../compare-books.ts";
import type { SpotPart } from "../part.ts";
import { picking } from "../step.ts";
import { blind, cancelMany, changes, market, order, own, place } from "./actions.ts";
import { cancelAll, cancelByClientId, cancelOne, modify } from "./changing.ts";
import { placeOrder } from "./placing.ts";

/** Orders, books and deals. Domain 2. */
export const orders: SpotPart = {
  name: "orders",
  actions: {
    order: {
      often: { usual: [200], stops: [60], auctions: [200], crowd: [600] },
      make: (draw) => ({ command: place(draw, order(draw)) }),
    },
    market_order: {
      often: { usual: [0, 15, 40], crowd: [1] },
      make: (draw) => ({
        command: { kind: "place_order", ...order(draw), ...market(draw) },
        all: draw.random.chance(20),
      }),
    },
    modify: {
      often: { usual: [10, 60, 200], auctions: [40], crowd: [10] },
      make: (draw) => picking(draw.random, { kind: "modify_order", orderId: 0, ...own(draw), ...changes(draw) }),
    },
    cancel: {
      often: { usual: [5, 20, 60], auctions: [20], crowd: [1] },
      make: (draw) => picking(draw.random, { kind: "cancel_order", orderId: 0, ...own(draw) }),
    },
    cancel_many: {
      often: { usual: [0, 1, 3], auctions: [2] },
      make: (draw) => ({ command: cancelMany(draw) }),
    },
    blind: { often: { usual: [0, 2], crowd: [1] }, make: (draw) => ({ command: blind(draw) }) },
  },
  ofUsers: {
    place_order: placeOrder,
    modify_order: modify,
    cancel_order: cancelOne,
    cancel_all_orders: cancelAll,
    cancel_by_client_id: cancelByClientId,
  },
  compare: compareBooks,
  faults: [
    {
      name: "an order that is cancelled keeps one lot of what it froze",
      file: "spot/settlement.ts",
      code: "const amount = int64(0n - freezeOf(market, orders.flags(slot), orders.price(slot), orders.left(slot)));",
      instead:
        "const amount = int64(0n - freezeOf(market, orders.flags(slot), orders.price(slot), orders.left(slot) - 1n));",
    },
    {
      name: "hidden orders come before displayed ones",
      file: "trading/ladder/price-levels.ts",
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
      name: "a hidden order shows in depth once it is filled in part",
      file: "trading/ladder-book.ts",
      code: "    orders.setLeft(slot, left);\n    if (!orders.isIceberg(slot)) return;\n",
      instead:
        "    rows.setTotal(level, rows.total(level) - (orders.isIceberg(slot) ? 0n : orders.left(slot) - left));\n" +
        "    orders.setLeft(slot, left);\n    this.publish(orders.side(slot), level);\n" +
        "    if (!orders.isIceberg(slot)) return;\n",
    },
    {
      name: "a market order may trade one tick beyond its bound",
      file: "spot/accept.ts",
      code: ": (price * (100n - percent) + 99n) / 100n;",
      instead: ": (price * (100n - percent)) / 100n;",
    },
    {
      name: "anybody may cancel and change anybody's orders",
      file: "trading/resting.ts",
      code: "const isOwn = slot >= 0 && isOwnOrder(",
      instead: "const isOwn = slot >= 0 || isOwnOrder(",
    },
  ],
};
