/** Finds positions by their numbers. */
import { NONE } from "../../../engine/trading/order.ts";
import { type Finder, idIn } from "../../admin/search.ts";
import { slotOfPosition } from "../../explain/explain-position.ts";

export const findPositions: Finder = async ({ state, history }, text) => {
  const positionId = idIn(text);
  if (positionId === undefined) return [];
  const { positions } = state.futures;
  const slot = slotOfPosition(state, positionId);
  const ended = slot === NONE ? await history.endedPosition({ positionId }) : undefined;
  if (slot === NONE && ended === undefined) return [];
  const [marketId, userId] =
    ended === undefined ? [positions.marketId(slot), positions.userId(slot)] : [ended.marketId, ended.userId];
  const says = `in ${state.markets[marketId]?.name}, ${ended === undefined ? "open" : "ended"}`;
  return [{ kind: "position", id: text, says, userId }];
};
