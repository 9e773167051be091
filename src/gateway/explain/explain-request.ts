import type { State } from "../../engine/state.ts";
import type { RememberedRequest } from "./request-memory.ts";

/** Returns the outcome of a request, as operators read it. */
export function explainRequest(state: State, request: RememberedRequest): object {
  const { id, atMs, method, path, userId, status, code, ms, seq, orderId, reasons } = request;
  return {
    request_id: id,
    time: atMs,
    method: method === "" ? "none could be read" : method,
    path,
    user_id: userId,
    user: state.users.get(userId)?.name ?? "",
    ...(status === 0 ? { socket: true } : { http_status: status }),
    code,
    ...(status === 0 ? {} : { took_ms: Math.round(ms * 1_000) / 1_000 }),
    ...(seq === 0 ? {} : { seq }),
    ...(orderId === 0 ? {} : { order_id: orderId }),
    because: sentenceOf(request),
    ...(reasons.length === 0 ? {} : { reasons }),
  };
}

function sentenceOf({ reasons: [first, ...others], code }: RememberedRequest): string {
  if (first === undefined) return "It was answered, and nothing of it was refused.";
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return code === 0 ? `Of what it asked for at once some was refused: ${first.message}${more}` : first.message;
}
