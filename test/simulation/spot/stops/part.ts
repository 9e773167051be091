import { readStop } from "../../../../src/engine/stops/emit-stop.ts";
import { compareStop } from "../compare-records.ts";
import { changes, order, own } from "../orders/actions.ts";
import type { SpotPart } from "../part.ts";
import { picking } from "../step.ts";
import { blindStop, cancelStops, placeStop as placing } from "./actions.ts";
import { cancelStop, cancelStopsByClientId, fireStops, modifyStop, placeStop } from "./stopping.ts";

/** Stop orders. Domain 2.11. */
export const stops: SpotPart = {
  name: "stops",
  actions: {
    stop: {
      often: { usual: [0, 10, 50], stops: [150], auctions: [20], crowd: [1] },
      make: (draw) => ({ command: placing(draw, order(draw)) }),
    },
    modify_stop: {
      often: { usual: [0, 5, 20], stops: [20] },
      make: (draw) => {
        const trigger = draw.random.chance(60) ? draw.price() : undefined;
        const command = { kind: "modify_stop_order", stopId: 0, ...own(draw), ...changes(draw), trigger } as const;
        return picking(draw.random, command);
      },
    },
    cancel_stop: {
      often: { usual: [1, 5], auctions: [2] },
      make: (draw) => picking(draw.random, { kind: "cancel_stop_order", stopId: 0, ...own(draw) }),
    },
    cancel_stops: { often: { usual: [0, 1] }, make: (draw) => ({ command: cancelStops(draw) }) },
    blind_stop: { often: { usual: [0, 1] }, make: (draw) => ({ command: blindStop(draw) }) },
  },
  ofUsers: {
    place_stop_order: placeStop,
    modify_stop_order: modifyStop,
    cancel_stop_order: cancelStop,
    cancel_stop_by_client_id: cancelStopsByClientId,
  },
  after: fireStops,
  compare: (state, model, differ) => {
    for (const { id, name } of model.markets) {
      const ours = state.stops.ofMarket(id).map((slot) => readStop(state, slot));
      const models = model.stops.filter(({ marketId }) => marketId === id);
      differ(`stop orders of ${name}`, ours.length, models.length);
      for (const [at, stop] of ours.entries()) compareStop(`stop order ${at} of ${name}`, stop, models[at], differ);
    }
  },
  faults: [
    {
      name: "a stop order fires twice",
      file: "stops/fire-stops.ts",
      code: "  placeOrder(state, state.scratch, record, 0, outcome, true);\n",
      instead:
        "  placeOrder(state, state.scratch, record, 0, outcome, true);\n " +
        " placeOrder(state, state.scratch, record, 0, outcome, true);\n",
    },
  ],
};
