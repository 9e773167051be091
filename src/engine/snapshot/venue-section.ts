import type { State } from "../state.ts";
import { jsonChunk, jsonOf, type Section } from "./section.ts";

/**
 * State that belongs to no part: the rules that hold, the next number of everything, and whether only cancels are
 * accepted.
 */
export const venueSection: Section = {
  name: "venue",
  version: 1,
  write: (state) => [jsonChunk(wordsOf(state))],
  read: (state, [json]) => {
    Object.assign(state, jsonOf(json) as VenueWords);
  },
};

export type VenueWords = ReturnType<typeof wordsOf>;

function wordsOf(state: State) {
  const { rulesVersion, cancelOnly, nextOrderId, nextDealId, nextPrio, nextStopId, nextPositionId, nextExitId } = state;
  const { nextDepositId, nextAdjustmentId, nextMaintenanceId, nextTransferId } = state;
  const ofTrading = { nextOrderId, nextDealId, nextPrio, nextStopId, nextPositionId, nextExitId };
  const rare = { nextDepositId, nextAdjustmentId, nextMaintenanceId, nextTransferId };
  return { rulesVersion, cancelOnly, ...ofTrading, ...rare };
}
