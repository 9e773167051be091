/** The events of exits, and their records for readers. Source: domain 4.10. */
import type { TriggerType } from "../../command.ts";
import { emitRareEvent } from "../../rare-event.ts";
import type { State } from "../../state.ts";
import type { ExitKind } from "./exit.ts";

/** `end`: its position has been closed. */
export const EXIT_EVENTS = ["put", "modify", "cancel", "replace", "end", "active_success", "active_fail"] as const;
export type ExitEventName = (typeof EXIT_EVENTS)[number];

/** An exit as it stands. Whole numbers as text, which JSON can carry. */
export interface ExitRecord {
  readonly exitId: number;
  readonly positionId: number;
  readonly userId: number;
  readonly marketId: number;
  readonly isShort: boolean;
  readonly exit: ExitKind;
  readonly triggerType: TriggerType;
  /** Ticks. */
  readonly trigger: string;
  /** Lots; "0" = the whole position. */
  readonly amount: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An event of an exit, with the exit as it stands after the event, or stood at its end. */
export interface ExitRareEvent extends ExitRecord {
  readonly type: "exit";
  readonly event: ExitEventName;
  /** Of active_success: the order that it became. Else 0. */
  readonly orderId: number;
  /** Of active_fail: the number of what its order was refused for. Else 0. */
  readonly refusal: number;
}

/** A waiting exit. */
export function readExit({ futures }: State, slot: number): ExitRecord {
  const { exits, positions } = futures;
  const position = exits.position(slot);
  return {
    exitId: exits.exitId(slot),
    positionId: positions.positionId(position),
    userId: positions.userId(position),
    marketId: exits.marketId(slot),
    isShort: positions.isShort(position),
    exit: exits.kind(slot),
    triggerType: exits.triggerType(slot),
    trigger: String(exits.trigger(slot)),
    amount: exits.amount(slot).toString(),
    createdAt: exits.createdAt(slot),
    updatedAt: exits.updatedAt(slot),
  };
}

export function emitExit(state: State, record: ExitRecord, event: ExitEventName, orderId = 0, refusal = 0): void {
  emitRareEvent(state, { type: "exit", event, ...record, orderId, refusal });
}

/** Ends a waiting exit without its firing. */
export function endExit(state: State, slot: number, event: "cancel" | "replace" | "end"): void {
  const { exits } = state.futures;
  exits.setUpdatedAt(slot, state.timeMs);
  emitExit(state, readExit(state, slot), event);
  exits.remove(slot);
}

/** Ends every exit of a position that is being closed, or cancels them before it is liquidated, oldest first. */
export function endExitsOf(state: State, position: number, event: "cancel" | "end" = "end"): void {
  const { exits } = state.futures;
  if (exits.live === 0) return;
  for (const slot of [...exits.ofPosition(position)]) endExit(state, slot, event);
}
