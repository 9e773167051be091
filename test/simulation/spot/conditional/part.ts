import type { SpotPart } from "../part.ts";
import { cancelGroup, groups, heardOf } from "../stops/groups.ts";
import { cancelGroup as cancelling, placeConditional as placing } from "./actions.ts";
import { placeConditional } from "./placing.ts";

/** Trailing stops, pairs, brackets and icebergs. Domain 2.20 and 2.21. */
export const conditional: SpotPart = {
  name: "conditional",
  actions: {
    conditional: {
      often: { usual: [0, 0, 0, 20], stops: [60], margin: [0, 0, 8], crowd: [0] },
      make: (draw) => ({ command: placing(draw) }),
    },
    cancel_group: {
      often: { usual: [0, 0, 0, 3], stops: [5], crowd: [0] },
      make: (draw) => ({ command: cancelling(draw) }),
    },
  },
  ofUsers: { place_conditional: placeConditional, cancel_group: cancelGroup },
  told: heardOf,
  compare: ({ stops }, venue, differ) => {
    const show = ({
      id,
      kind,
      orderId,
      stopIds,
    }: {
      id: number;
      kind: string;
      orderId: number;
      stopIds: readonly number[];
    }) => `${id} ${kind} ${orderId} ${stopIds}`;
    const ours = stops.groups.all.map(show);
    const theirs = groups(venue).all.map(({ id, kind, orderId = 0, stops: mine }) =>
      show({ id, kind, orderId, stopIds: mine.map(({ stopId }) => stopId) }),
    );
    differ("groups", ours.join(), theirs.join());
  },
  faults: [
    {
      name: "a trail does not follow a price that is better by one tick",
      part: "conditional",
      file: "stops/trails.ts",
      code: "return this.sells ? price > extreme : price < extreme;",
      instead: "return this.sells ? price > extreme + 1 : price < extreme - 1;",
    },
    {
      name: "the trigger of a trail is rounded towards the price",
      part: "conditional",
      file: "stops/condition.ts",
      code: "divFloor(BigInt(extreme) * (ONE_E8 - rate), ONE_E8)",
      instead: "divCeil(BigInt(extreme) * (ONE_E8 - rate), ONE_E8)",
    },
    {
      name: "the next slice of an iceberg keeps the place of the one before",
      part: "conditional",
      file: "trading/ladder-book.ts",
      code:
        "    if (iceberg.shown === 0n) {\n" +
        "      this.unlink(level, DISPLAYED, slot);\n      this.append(level, DISPLAYED, slot);",
      instead: "    if (iceberg.shown === 0n) {",
    },
    {
      name: "a change of an iceberg's amount takes from its slice first",
      part: "conditional",
      file: "trading/ladder-book.ts",
      code: "iceberg.shown = grows || before > left ? nextSlice(iceberg, left) : before;",
      instead:
        "iceberg.shown = grows || before > 1n ? " +
        "nextSlice(iceberg, grows ? left : left < 2n ? 1n : left >> 1n) : before;",
    },
    {
      name: "a dry run takes an iceberg as one order",
      part: "conditional",
      file: "trading/sweep.ts",
      code: "    this.lots = shown;",
      instead: "    this.lots = orders.left(slot);",
    },
    {
      name: "the first fill of an order leaves the other of its pair",
      part: "conditional",
      file: "stops/grouped.ts",
      code: "  } else if (isFilled) {\n    endStops(state, group);",
      instead: "  } else if (isFilled && isOver) {\n    endStops(state, group);",
    },
    {
      name: "a trigger leaves the rest of an entry",
      part: "conditional",
      file: "stops/grouped.ts",
      code: "  leaveGroup(state, slot);\n  endGroup(state, group);",
      instead: "  leaveGroup(state, slot);\n  endStops(state, group);",
    },
    {
      name: "what protects an entry has the fee in its amount",
      part: "conditional",
      file: "stops/grouped.ts",
      code: "(fee === 0n ? 0n : divCeil(fee, market.unitsPerLot))",
      instead: "(fee === 0n ? 0n : divCeil(0n, market.unitsPerLot))",
    },
  ],
};
