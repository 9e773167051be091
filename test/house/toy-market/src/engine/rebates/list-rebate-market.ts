import { type Answer, refused } from "../answer.ts";
import { listMarket } from "../listing/list.ts";
import type { State } from "../state.ts";
import type { ListRebateMarket } from "./command-schemas.ts";
import { rebateSettlement } from "./rebate-settlement.ts";
import { rebates } from "./rebates-state.ts";

/** Lists a spot market with a settlement of its own. */
export function listRebateMarket(state: State, command: ListRebateMarket): Answer {
  const { rebateCcy, unitsPerLot, ...terms } = command;
  const asset = state.assetByCcy.get(rebateCcy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${rebateCcy} is not listed.`);
  if (unitsPerLot < 1 || unitsPerLot > 1_000_000) {
    return refused("invalid_command", "units_per_lot is from 1 to 1000000.");
  }
  const marketId = state.markets.length;
  const answer = listMarket(state, { ...terms, kind: "list_market" }, rebateSettlement);
  if (answer.refusal === undefined) rebates.of(state).set(marketId, { assetId: asset.id, unitsPerLot });
  return answer;
}
