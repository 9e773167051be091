/** What clients send of stop orders. */
import type { Command, PlaceStopOrder, Side } from "../../../../src/engine/command.ts";
import type { Draw } from "../draw.ts";
import { changes, limit, market, NAMED, order, type Terms, unknown } from "../orders/actions.ts";

export function placeStop(draw: Draw, terms: Terms): PlaceStopOrder {
  return { kind: "place_stop_order", ...terms, ...stopWish(draw, terms.side) };
}

function stopWish(draw: Draw, side: Side) {
  const wish = draw.random.chance(30) ? market(draw) : limit(draw, side);
  return { ...wish, trigger: draw.price() };
}

export function cancelStops(draw: Draw): Command {
  const { random } = draw;
  const marketId = random.chance(70) ? draw.marketId() : undefined;
  const clientId = random.pick(NAMED);
  return { kind: "cancel_stop_by_client_id", userId: draw.userId(), marketId, account: "spot", clientId };
}

/** Commands that name what may not be theirs or not be there at all. */
export function blindStop(draw: Draw): Command {
  const { random } = draw;
  const named = unknown(draw);
  const stopId = random.whole(0, 60);
  switch (random.whole(0, 2)) {
    case 0:
      return { kind: "cancel_stop_order", ...named, stopId };
    case 1:
      return { kind: "modify_stop_order", ...named, stopId, ...changes(draw) };
    default:
      return { ...placeStop(draw, order(draw)), marketId: named.marketId, account: named.account ?? "margin" };
  }
}
