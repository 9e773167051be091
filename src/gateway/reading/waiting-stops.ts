/** An account's waiting stop orders, read from the engine's memory. */
import { ACCOUNTS, type Account, type Side } from "../../engine/command.ts";
import type { State } from "../../engine/state.ts";
import { readStop } from "../../engine/stops/emit-stop.ts";
import type { StopRecord } from "../../engine/stops/stop-event.ts";

export interface WaitingStopsQuery {
  readonly userId: number;
  readonly account: Account;
  /** Absent: every market. */
  readonly marketId: number | undefined;
  readonly side: Side | undefined;
  readonly clientId: string | undefined;
}

/** Newest first. The engine allows a hundred per market. */
export function waitingStops(
  state: State,
  { userId, account, marketId, side, clientId }: WaitingStopsQuery,
): StopRecord[] {
  const at = ACCOUNTS.indexOf(account);
  const slots = marketId === undefined ? state.stops.ofUser(userId, at) : state.stops.ofAccount(userId, marketId, at);
  return slots
    .map((slot) => readStop(state, slot))
    .filter((stop) => side === undefined || stop.side === side)
    .filter((stop) => clientId === undefined || stop.clientId === clientId)
    .reverse();
}
