/** An account's waiting stop orders: read from the engine's memory, and cancelled all at once. */
import { ACCOUNTS, type Account, type Side } from "../../engine/command.ts";
import type { State } from "../../engine/state.ts";
import { readStop } from "../../engine/stops/emit-stop.ts";
import { findOwnStop } from "../../engine/stops/stop-commands.ts";
import type { StopRecord } from "../../engine/stops/stop-event.ts";
import { NONE } from "../../engine/trading/order.ts";
import type { Backend } from "../backend.ts";
import type { Answering } from "./answering.ts";
import { executeBatch } from "./execute.ts";
import { asJson } from "./json-text.ts";

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

/** A waiting stop order of the user in a market; undefined when it waits no more or is somebody else's. */
export function waitingStop(state: State, userId: number, marketId: number, stopId: number): StopRecord | undefined {
  const slot = findOwnStop(state, userId, marketId, stopId);
  return slot === NONE ? undefined : readStop(state, slot);
}

/**
 * Cancels all of an account in one market that wait; `done` when none of them does. One that fires on the way is gone
 * as well.
 */
export function cancelWaitingStops(
  backend: Backend,
  call: Answering,
  { marketId, ...of }: Omit<WaitingStopsQuery, "clientId"> & { readonly marketId: number },
  done: () => void,
): void {
  const stops = waitingStops(backend.state, { ...of, marketId, clientId: undefined });
  const { userId, account } = of;
  executeBatch(
    backend,
    call,
    stops,
    ({ stopId }) => ({ kind: "cancel_stop_order", userId, marketId, account, stopId }),
    () => NOTHING,
    done,
  );
}

/** Nobody is shown what was cancelled. */
const NOTHING = asJson("{}");
