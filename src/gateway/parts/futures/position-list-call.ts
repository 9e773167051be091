import { positionsIn } from "../../../engine/futures/positions/account-sums.ts";
import type { State } from "../../../engine/state.ts";
import { type AdminCall, call } from "../../admin/call.ts";
import { optional, text, userId } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { positionOf } from "../../current/records/positions.ts";
import { AdlLevels } from "../../reading/adl-levels.ts";
import { Printers } from "../../reading/market-printer.ts";
import { openSlots } from "../../reading/open-positions.ts";

const listPositions = call({
  method: "GET",
  path: "/admin/positions",
  verbs: { "position list": "Show the open positions, as the API shows them, with whose they are." },
  fields: {
    user_id: optional(userId, "those of this user"),
    market: optional(text("MARKET", 1, 40), "those of this market"),
    ...pageFields,
  },
  serve({ state }, values) {
    const printers = new Printers(state);
    const levels = new AdlLevels(state);
    const { positions } = state.futures;
    return pageOf("positions", slotsOf(state, values.user_id, values.market), values, (slot) => ({
      user_id: positions.userId(slot),
      ...positionOf(state, printers, levels, slot),
    }));
  },
});

function* slotsOf(state: State, owner: number | undefined, name: string | undefined): Generator<number> {
  const market = name === undefined ? undefined : state.marketNamed(name, true);
  if (name !== undefined && market === undefined) return;
  if (owner !== undefined) {
    yield* openSlots(state, owner, market);
    return;
  }
  for (const { id, futures } of market === undefined ? state.markets : [market]) {
    if (futures !== undefined) yield* positionsIn(state, id);
  }
}

export const POSITION_LIST_CALLS: readonly AdminCall[] = [listPositions];
