/** Finds stop orders by their numbers. */
import { readStop } from "../../../engine/stops/emit-stop.ts";
import { NONE } from "../../../engine/trading/order.ts";
import { type Finder, idIn } from "../../admin/search.ts";

export const findStops: Finder = async ({ state, history }, text) => {
  const stopId = idIn(text);
  if (stopId === undefined) return [];
  const slot = state.stops.find(stopId);
  const stop = slot === NONE ? await history.firedStopOfAnybody({ stopId }) : readStop(state, slot);
  if (stop === undefined) return [];
  const says = `in ${state.markets[stop.marketId]?.name}, ${slot === NONE ? "fired" : "waiting"}`;
  return [{ kind: "stop order", id: text, says, userId: stop.userId }];
};
