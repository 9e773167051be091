/**
 * Orders of other users, which this generation tells apart from orders that never were: code 601, seed. The engine
 * knows no such difference, and the current generation shows none.
 */
import { NONE } from "../../engine/trading/order.ts";
import type { Backend } from "../backend.ts";
import type { Answering } from "../reading/answering.ts";
import type { BatchElement } from "../reading/execute.ts";
import { fromHistory } from "../reading/from-history.ts";
import { Refused, type WireRefusal } from "../refused.ts";

type Sources = Pick<Backend, "state" | "history">;

/** The kind of order that an id counts. */
export type Numbered = "order" | "stop";

/** A call about an order that is answered as `call` is, but refused by 601 where the order is somebody else's. */
export function aboutOrder(sources: Sources, call: AskedBy, kind: Numbered, id: number): Answering {
  return {
    trace: call.trace,
    fail: (error) => call.fail(error),
    refuse: (refusal) => {
      if (!isUnknownOrder(refusal)) {
        call.refuse(refusal);
        return;
      }
      refusalOf(sources, call.caller.userId, kind, id, refusal).then(
        (said) => call.refuse(said),
        (error: unknown) => call.fail(error),
      );
    },
  };
}

/**
 * Calls `answer` with the elements of a list about orders with these ids, in their order, those of others refused as
 * such.
 */
export function answerElements<Row>(
  sources: Sources,
  call: AskedBy,
  ids: readonly (number | Refused)[],
  elements: readonly BatchElement<Row>[],
  answer: (elements: readonly BatchElement<Row>[]) => void,
): void {
  const { userId } = call.caller;
  const isUnknown = (element: BatchElement<Row>) => element instanceof Refused && isUnknownOrder(element);
  if (!elements.some(isUnknown)) {
    answer(elements);
    return;
  }
  const told = elements.map((element, at) => {
    const id = ids[at];
    return typeof id === "number" && element instanceof Refused && isUnknown(element)
      ? refusalOf(sources, userId, "order", id, element)
      : element;
  });
  Promise.all(told)
    .then(answer)
    .catch((error: unknown) => call.fail(error));
}

/** A call, and who makes it. */
type AskedBy = Answering & { readonly caller: { readonly userId: number } };

function isUnknownOrder(refusal: WireRefusal | Refused): boolean {
  return (refusal instanceof Refused ? refusal.refusal : refusal) === "order_not_found";
}

async function refusalOf<Given extends WireRefusal | Refused>(
  sources: Sources,
  userId: number,
  kind: Numbered,
  id: number,
  unknown: Given,
): Promise<Given | Refused> {
  const owner = await ownerOf(sources, kind, id);
  if (owner instanceof Refused) return owner;
  return owner === undefined || owner === userId ? unknown : new Refused("order_of_another");
}

/** Whose order it is, or was if it was filled; undefined for one that never was or has left no trace. */
async function ownerOf({ state, history }: Sources, kind: Numbered, id: number): Promise<number | undefined | Refused> {
  if (kind === "order") {
    const slot = state.orders.find(id);
    if (slot !== NONE) return state.seats.userId(state.orders.seat(slot));
    const ended = await fromHistory(history.orderOfAnybody({ orderId: id }));
    return ended instanceof Refused ? ended : ended?.userId;
  }
  const slot = state.stops.find(id);
  if (slot !== NONE) return state.stops.userId(slot);
  const fired = await fromHistory(history.firedStopOfAnybody({ stopId: id }));
  return fired instanceof Refused ? fired : fired?.userId;
}
