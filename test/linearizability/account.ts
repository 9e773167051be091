/** One user's bitcoins and open orders, as a client sees them: what is recorded of calls, and what they may answer. */
import type { ApiClient, Envelope } from "../support/api-client.ts";
import type { Model, Operation } from "./check.ts";

/** Amounts in hundred-millionths. */
export type Act =
  /** An offer far above the market. */
  | { readonly kind: "place"; readonly clientId: string; readonly amount: number }
  | { readonly kind: "cancel"; readonly clientId: string }
  /** From spot to futures. */
  | { readonly kind: "move"; readonly amount: number }
  | { readonly kind: "balance" }
  | { readonly kind: "orders" };

export type Answer =
  | "done"
  | "refused"
  | { readonly available: number; readonly frozen: number }
  | { readonly clientIds: readonly string[] };

export type AccountHistory = Operation<Act, Answer>[];

interface Account {
  readonly available: number;
  /** What is held for each open order. */
  readonly held: ReadonlyMap<string, number>;
}

/** An account that starts with so much, in hundred-millionths, and with these orders. */
export function accountModel(
  available: number,
  open: ReadonlyMap<string, number> = new Map(),
): Model<Account, Act, Answer> {
  return {
    initial: { available, held: open },
    apply(account, act) {
      const { held } = account;
      const refused = { state: account, answer: "refused" } as const;
      switch (act.kind) {
        case "place": {
          if (act.amount > account.available) return refused;
          const more = new Map(held).set(act.clientId, act.amount);
          return { state: { available: account.available - act.amount, held: more }, answer: "done" };
        }
        case "cancel": {
          const freed = held.get(act.clientId);
          if (freed === undefined) return refused;
          const less = new Map(held);
          less.delete(act.clientId);
          return { state: { available: account.available + freed, held: less }, answer: "done" };
        }
        case "move":
          if (act.amount > account.available) return refused;
          return { state: { available: account.available - act.amount, held }, answer: "done" };
        case "balance":
          return { state: account, answer: { available: account.available, frozen: sum(held.values()) } };
        default:
          return { state: account, answer: { clientIds: [...held.keys()].sort() } };
      }
    },
    shownAnswer: (answer) => JSON.stringify(answer),
    shownState: ({ available: left, held }) => `${left} ${[...held.keys()].sort().join(" ")}`,
  };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

const UNIT = 100_000_000;
const MARKET = { market: "BTCUSDT", market_type: "SPOT" };
const PRICE = "900000";
const INSUFFICIENT = 3109;
const ORDER_NOT_FOUND = 3600;

const decimal = (units: number) => (units / UNIT).toFixed(8);
const units = (text: string) => Math.round(Number(text) * UNIT);

/**
 * Calls the venue, and records what was asked and answered, by the clock of this process. What nobody listened to, or
 * was turned away, has not happened, and is not recorded. True when there was an answer.
 */
export async function record(client: ApiClient, act: Act, into: AccountHistory): Promise<boolean> {
  const calledAt = performance.now();
  const answer = await call(client, act).catch((error: unknown) => {
    if (error instanceof Unexpected) throw error;
    return isUnheard(error) ? TURNED_AWAY : undefined;
  });
  if (answer === TURNED_AWAY) return false;
  // Of a question that was not answered nothing can be told.
  if (answer === undefined && (act.kind === "balance" || act.kind === "orders")) return false;
  into.push({ act, calledAt, answeredAt: answer === undefined ? Infinity : performance.now(), answer });
  return answer !== undefined;
}

class Unexpected extends Error {}

const TURNED_AWAY = Symbol("turned away");

/** There was nobody at that address. */
function isUnheard(error: unknown): boolean {
  return (error as { cause?: { code?: string } }).cause?.code === "ECONNREFUSED";
}

async function call(client: ApiClient, act: Act): Promise<Answer | typeof TURNED_AWAY> {
  switch (act.kind) {
    case "place": {
      const order = { ...MARKET, side: "sell", type: "limit", price: PRICE };
      return action(
        await client.post("/v2/spot/order", { ...order, amount: decimal(act.amount), client_id: act.clientId }),
      );
    }
    case "cancel":
      return action(await client.post("/v2/spot/cancel-order-by-client-id", { ...MARKET, client_id: act.clientId }));
    case "move":
      return action(
        await client.post("/v2/assets/transfer", {
          ...{ from_account_type: "SPOT", to_account_type: "FUTURES", ccy: "BTC", amount: decimal(act.amount) },
        }),
      );
    case "balance": {
      const data = read(await client.get("/v2/assets/spot/balance"));
      if (data === TURNED_AWAY) return data;
      const found = data.find(({ ccy }: { ccy: string }) => ccy === "BTC") ?? { available: "0", frozen: "0" };
      return { available: units(found.available), frozen: units(found.frozen) };
    }
    default: {
      const data = read(await client.get("/v2/spot/pending-order", { ...MARKET, limit: 100 }));
      if (data === TURNED_AWAY) return data;
      return { clientIds: data.map((order: { client_id: string }) => order.client_id).sort() };
    }
  }
}

const AWAY: ReadonlySet<number> = new Set([3008, 4001, 4010]);
const LATE = "The request did not come whole in time";

/**
 * The venue is busy or does not serve, or the request came too late, as on a machine that has too much to do: it
 * promises that nothing was done.
 */
export function isTurnedAway({ code, message }: Pick<Envelope, "code" | "message">): boolean {
  return AWAY.has(code) || message.startsWith(LATE);
}

function read({ code, message, data }: Envelope) {
  if (isTurnedAway({ code, message })) return TURNED_AWAY;
  if (code !== 0) throw new Unexpected(`${code}: ${message}`);
  return data;
}

function action({ code, message, data }: Envelope): Answer | typeof TURNED_AWAY {
  // A list of acts answers for each of its own.
  const inner = Array.isArray(data) ? (data[0] as Envelope) : undefined;
  const found = inner?.code ?? code;
  if (isTurnedAway(inner ?? { code, message })) return TURNED_AWAY;
  if (found === 0) return "done";
  if (found === INSUFFICIENT || found === ORDER_NOT_FOUND) return "refused";
  throw new Unexpected(`${found}: ${inner?.message ?? message}`);
}

/**
 * Acts of a few clients of one user, none of whom knows the others' doings. Ends when `isOver`, or after a call without
 * an answer.
 */
export async function playAccount(
  client: ApiClient,
  name: string,
  into: AccountHistory,
  random: () => number,
  isOver: () => boolean,
): Promise<void> {
  const placed: string[] = [];
  for (let nth = 0; !isOver(); nth++) {
    const act = drawn(`${name}-${nth}`, placed, random);
    if (act.kind === "place") placed.push(act.clientId);
    if (!(await record(client, act, into))) return;
  }
}

function drawn(clientId: string, placed: string[], random: () => number): Act {
  const kind = random();
  const amount = 10_000 * (1 + Math.floor(random() * 2_000));
  if (placed.length > OPEN_MAX || (kind < 0.25 && placed.length > 0)) {
    return { kind: "cancel", clientId: placed.splice(Math.floor(random() * placed.length), 1)[0] as string };
  }
  if (kind < 0.55) return { kind: "place", clientId, amount };
  if (kind < 0.6) return { kind: "move", amount: Math.ceil(amount / 1_000) };
  return kind < 0.8 ? { kind: "balance" } : { kind: "orders" };
}

const OPEN_MAX = 8;
