/**
 * An order placed at most once, whatever becomes of the connection. The venue does not tell two orders with one client
 * id apart, so an order whose answer was lost must not simply be sent again. It is looked for by its client id; where
 * it is not found, the request is let grow too old to be taken any more, and is looked for again; only then is the
 * order sent anew.
 */
import { type Answer, CLIENT_CODES, type Failed, failed } from "./answer.ts";
import type { DataOf } from "./calls.ts";
import type { Client } from "./client.ts";
import type { Params } from "./http.generated.ts";
import { sleep } from "./quota.ts";

export type OrderPath = "/spot/order" | "/futures/order";
type OrderOf<Path extends OrderPath> = DataOf<`POST ${Path}`>;

export interface PlaceOnceOptions {
  /** ms that a request may be old when it arrives, and so how long an order that is not found is waited for. */
  readonly windowMs?: number | undefined;
  /** How often the order is sent at most. */
  readonly tries?: number | undefined;
}

const WINDOW_MS = 2_000;
/** By so much the clocks of both sides may be apart without it being noticed. */
const WINDOW_MARGIN_MS = 500;
const TRIES = 3;

/**
 * Places an order at most once; a client id is made up where none is given. Fails with `outcome: "unknown"` only where
 * the venue could not be asked any more; the message then names the client id. An order that died unfilled leaves no
 * trace, and is sent again like one that never arrived.
 */
export async function placeOnce<Path extends OrderPath>(
  client: Client,
  path: Path,
  order: Params[`POST ${Path}`],
  { windowMs = WINDOW_MS, tries = TRIES }: PlaceOnceOptions = {},
): Promise<Answer<OrderOf<Path>>> {
  const wanted = { ...order, client_id: order.client_id ?? freshClientId() };
  // The overloads of both products take the same shape; the compiler cannot see that from here.
  const post = client.post.bind(client) as (...args: unknown[]) => Promise<Answer<OrderOf<Path>>>;
  // How long a request stays valid depends on both clocks.
  if (!client.clock.isSynced) await client.syncClock();
  let last: Failed = failed(CLIENT_CODES.noAnswer, "The order was not sent.");
  for (let tried = 0; tried < tries; tried++) {
    const answer = await post(path, wanted, { windowMs });
    if (answer.ok || answer.outcome === "not_done") return answer;
    last = answer;
    const tooOldAtMs = performance.now() + windowMs + WINDOW_MARGIN_MS;
    let found = await find(client, path, wanted);
    if (found === "absent") {
      await sleep(Math.max(0, tooOldAtMs - performance.now()));
      found = await find(client, path, wanted);
    }
    if (found === "unknown") break;
    if (found !== "absent") return { ok: true, data: found as OrderOf<Path>, requestId: answer.requestId };
  }
  return {
    ...last,
    message: `${last.message} Whether the order with client id ${wanted.client_id} was placed is not known.`,
  };
}

interface Wanted {
  readonly market: string;
  readonly market_type: string;
  readonly client_id: string;
}

/**
 * The order with the client id, resting or done with; a filled one is looked for second, so that none slips through
 * between.
 */
async function find(client: Client, path: OrderPath, { market, market_type, client_id }: Wanted): Promise<unknown> {
  const get = client.get.bind(client) as (path: string, query: object) => Promise<Answer<readonly unknown[]>>;
  const product = path === "/spot/order" ? "spot" : "futures";
  for (const list of ["pending-order", "finished-order"]) {
    const answer = await get(`/${product}/${list}`, { market, market_type, client_id, limit: 1 });
    if (!answer.ok) return "unknown";
    if (answer.data.length > 0) return answer.data[0];
  }
  return "absent";
}

/** 32 characters that no other order of the account has. */
export function freshClientId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
