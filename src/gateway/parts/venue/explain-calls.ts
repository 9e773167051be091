/** Why something came out as it did: requests, orders, stop orders and positions. To be read by every operator. */
import type { AdminBackend } from "../../admin/backend.ts";
import { type AdminCall, call } from "../../admin/call.ts";
import { optional, required, text, userId, whole } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { type ExplainGround, explainOrder } from "../../explain/explain-order.ts";
import { explainPosition } from "../../explain/explain-position.ts";
import { explainRequest } from "../../explain/explain-request.ts";
import { explainStop } from "../../explain/explain-stop.ts";
import { REQUESTS_KEPT } from "../../explain/request-ring.ts";
import { fromHistory } from "../../reading/from-history.ts";
import { Printers } from "../../reading/market-printer.ts";
import { invalidParameter } from "../../refused.ts";

const ID_MAX = Number.MAX_SAFE_INTEGER;

const order = call({
  method: "GET",
  path: "/admin/explain/order/ORDER_ID",
  verbs: {
    "explain order":
      "Tell the life of an order: why it was not filled, or at this price, or ended, and the book it met.",
  },
  fields: { order_id: required(whole("ORDER_ID", 1, ID_MAX), "the order") },
  serve: async (backend, { order_id }) =>
    (await fromHistory(explainOrder(groundOf(backend), order_id))) ??
    invalidParameter("there is no such order, or nothing of it was filled and it is not remembered."),
});

const position = call({
  method: "GET",
  path: "/admin/explain/position/POSITION_ID",
  verbs: {
    "explain position":
      "Tell the life of a position: how it stands, or why it ended, and what made it due for liquidation.",
  },
  fields: { position_id: required(whole("POSITION_ID", 1, ID_MAX), "the position") },
  serve: async (backend, { position_id }) =>
    (await fromHistory(explainPosition(groundOf(backend), position_id))) ??
    invalidParameter("there is no such position."),
});

const stop = call({
  method: "GET",
  path: "/admin/explain/stop/STOP_ID",
  verbs: {
    "explain stop":
      "Tell the life of a stop order: what it waits for, when and at which price it fired, the order it became " +
      "or why none.",
  },
  fields: { stop_id: required(whole("STOP_ID", 1, ID_MAX), "the stop order") },
  serve: async (backend, { stop_id }) =>
    (await fromHistory(explainStop(groundOf(backend), stop_id))) ??
    invalidParameter("there is no such stop order, or it was cancelled and is not remembered."),
});

const request = call({
  method: "GET",
  path: "/admin/explain/request/REF",
  verbs: {
    "explain request":
      "Tell what became of a request, by the X-Request-Id of its answer: why it was refused, with rule and figures.",
  },
  fields: { ref: required(text("REF", 1, 40), "the X-Request-Id of its answer") },
  serve(backend, { ref }) {
    const remembered = backend.requests?.find(ref.toLowerCase());
    if (remembered !== undefined) return explainRequest(backend.state, remembered);
    return invalidParameter(
      "no request of this name is remembered; of those that were refused, and of the others, the latest " +
        `${REQUESTS_KEPT} are.`,
    );
  },
});

const refusals = call({
  method: "GET",
  path: "/admin/refusals",
  verbs: {
    "request refusals": "Show the latest requests that were refused, the newest first, each with its rule and figures.",
  },
  fields: {
    after: optional(
      whole("N", 0, ID_MAX),
      "those that came after the first N refusals; all that are remembered unless given",
    ),
    user_id: optional(userId, "those of this user"),
    code: optional(whole("CODE", 1, 99_999), "those whose envelope had this code"),
    ...pageFields,
  },
  serve({ requests, state }, { after = 0, user_id, code, ...page }) {
    const all = requests?.refusalsAfter(after) ?? [];
    const wanted = filter(
      all,
      (each) => (user_id === undefined || each.userId === user_id) && (code === undefined || each.code === code),
    );
    const rows = pageOf("refusals", wanted, page, ({ number, ...each }) => ({
      number,
      ...explainRequest(state, each),
    }));
    return { ...rows, refused: requests?.refusals ?? 0 };
  },
});

function* filter<Item>(all: Iterable<Item>, isWanted: (item: Item) => boolean): Generator<Item> {
  for (const item of all) if (isWanted(item)) yield item;
}

function groundOf({ state, history, lifecycleTrace, requests }: AdminBackend): ExplainGround {
  return { state, history, printers: new Printers(state), lifecycleTrace, reasonOf: requests?.reasonOf.bind(requests) };
}

export const EXPLAIN_CALLS: readonly AdminCall[] = [order, stop, position, request, refusals];
