import { setTimeout as pause } from "node:timers/promises";
import { decodeCommand } from "../../src/engine/command.ts";
import { recordWords, WordBuffer } from "../../src/engine/words.ts";
import { LogReader } from "../../src/log/reader.ts";
import type { ApiClient, ApiKeyPair } from "../support/api-client.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { xorshift } from "../support/xorshift.ts";

export interface CrashOptions {
  readonly data: string;
  readonly rounds: number;
  readonly seed: number;
  readonly onRound?: (round: number, report: CrashReport) => void;
}

export interface CrashReport {
  readonly acknowledgedOrders: number;
  readonly acknowledgedCancels: number;
  /** Requests whose answer the crash cut off: their commands may be there, once, or not. */
  readonly unanswered: number;
  readonly checkedOrders: number;
}

const TRADERS = 4;
const LOOPS = 16;
const MARKET = "BTCUSDT";
/** A venue is killed this long after the load began. */
const KILL_AFTER_MS = { least: 100, most: 700 };

/** What clients know: the answers they got. The venue must know all of it after every crash. */
class Acknowledged {
  /** Order ids by client id. */
  readonly orders = new Map<string, { orderId: number; trader: number; rests: boolean }>();
  readonly cancels = new Set<number>();
  /** Orders whose cancel got no answer: they may be gone. */
  readonly perhapsCancelled = new Set<number>();
  unanswered = 0;
}

/**
 * Loads a venue, kills it with SIGKILL in the middle, starts it again and compares it with what its clients were told:
 * nothing acknowledged is lost, nothing is there twice, and the invariants hold. Throws at the first difference.
 */
export async function crashRounds({ data, rounds, seed, onRound }: CrashOptions): Promise<CrashReport> {
  const random = xorshift(seed);
  const acknowledged = new Acknowledged();
  let traders: readonly ApiKeyPair[] = [];
  let checkedOrders = 0;
  const figures = (): CrashReport => ({
    acknowledgedOrders: acknowledged.orders.size,
    acknowledgedCancels: acknowledged.cancels.size,
    unanswered: acknowledged.unanswered,
    checkedOrders,
  });
  for (let round = 1; round <= rounds; round++) {
    const venue = await VenueProcess.start(data, "--makers", "off", "--limits", "off");
    try {
      if (round === 1) traders = await makeTraders(venue);
      else checkedOrders += await check(venue, traders, acknowledged);
      const load = loadUntilCut(venue, traders, acknowledged, round, random);
      await pause(KILL_AFTER_MS.least + random() * (KILL_AFTER_MS.most - KILL_AFTER_MS.least));
      await venue.end("SIGKILL");
      await load;
    } finally {
      await venue.end("SIGKILL");
    }
    onRound?.(round, figures());
  }
  const last = await VenueProcess.start(data, "--makers", "off", "--limits", "off");
  try {
    checkedOrders += await check(last, traders, acknowledged);
  } finally {
    await last.end("SIGTERM");
  }
  checkLog(data, acknowledged);
  return figures();
}

async function makeTraders(venue: VenueProcess): Promise<ApiKeyPair[]> {
  const keys: ApiKeyPair[] = [];
  for (let index = 0; index < TRADERS; index++) {
    const { key } = await venue.trader(`crash-${index}`, { BTC: "1000", USDT: "100000000" });
    keys.push(key);
  }
  return keys;
}

/** Places and cancels from many loops at once until the venue is gone. */
async function loadUntilCut(
  venue: VenueProcess,
  traders: readonly ApiKeyPair[],
  acknowledged: Acknowledged,
  round: number,
  random: () => number,
): Promise<void> {
  await Promise.all(
    Array.from({ length: LOOPS }, async (_, loop) => {
      const trader = loop % TRADERS;
      const client = venue.client(traders[trader] as ApiKeyPair);
      const own: number[] = [];
      for (let count = 0; ; count++) {
        const cancelled = random() < 0.3 ? own.pop() : undefined;
        try {
          if (cancelled !== undefined) await cancel(client, acknowledged, cancelled);
          else await place(client, acknowledged, { clientId: `r${round}-l${loop}-${count}`, trader, random, own });
        } catch (error) {
          if (!isCut(error)) throw error;
          if (cancelled !== undefined) acknowledged.perhapsCancelled.add(cancelled);
          acknowledged.unanswered++;
          return;
        }
      }
    }),
  );
}

interface Placing {
  readonly clientId: string;
  readonly trader: number;
  readonly random: () => number;
  readonly own: number[];
}

async function place(client: ApiClient, acknowledged: Acknowledged, placing: Placing): Promise<void> {
  const { clientId, trader, random, own } = placing;
  const side = random() < 0.5 ? "buy" : "sell";
  const type = random() < 0.8 ? "limit" : "ioc";
  const price = 60_000 + Math.floor(random() * 200) - 100 + (side === "buy" ? -40 : 40);
  const amount = (0.001 * (1 + Math.floor(random() * 20))).toFixed(3);
  const body = { market: MARKET, market_type: "SPOT", side, type, amount, price: String(price), client_id: clientId };
  const answer = await client.post("/v2/spot/order", body);
  // Refusals are answers too: nothing was done.
  if (answer.code !== 0) return;
  acknowledged.orders.set(clientId, { orderId: answer.data.order_id, trader, rests: type === "limit" });
  if (type === "limit") own.push(answer.data.order_id);
}

async function cancel(client: ApiClient, acknowledged: Acknowledged, orderId: number): Promise<void> {
  const answer = await client.post("/v2/spot/cancel-order", { market: MARKET, market_type: "SPOT", order_id: orderId });
  if (answer.code === 0) acknowledged.cancels.add(orderId);
}

/** A connection that the kill cut off; everything else is a failure of the test. */
function isCut(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated|network/i.test(error.message);
}

/** Asks the venue for every acknowledged order. Returns how many were looked at. */
async function check(venue: VenueProcess, traders: readonly ApiKeyPair[], acknowledged: Acknowledged): Promise<number> {
  const audit = await venue.admin("/admin/audit");
  if (!audit.ok) throw new Error(`Invariants are broken after a crash: ${audit.breaches.join(" ")}`);
  const clients = traders.map((key) => venue.client(key));
  const byTrader = traders.map(() => [] as { clientId: string; orderId: number; rests: boolean }[]);
  for (const [clientId, { orderId, trader, rests }] of acknowledged.orders) {
    byTrader[trader]?.push({ clientId, orderId, rests });
  }
  let checked = 0;
  for (const [trader, orders] of byTrader.entries()) {
    for (let from = 0; from < orders.length; from += 100) {
      const page = orders.slice(from, from + 100);
      const ids = page.map(({ orderId }) => orderId).join(",");
      const answer = await (clients[trader] as ApiClient).get("/v2/spot/batch-order-status", {
        market: MARKET,
        order_ids: ids,
      });
      for (const [index, { clientId, orderId, rests }] of page.entries()) {
        checkOrder(answer.data[index], { clientId, orderId, rests }, acknowledged);
        checked++;
      }
    }
  }
  return checked;
}

function checkOrder(
  // biome-ignore lint/suspicious/noExplicitAny: one element of an answer, looked into by name.
  element: any,
  { clientId, orderId, rests }: { clientId: string; orderId: number; rests: boolean },
  acknowledged: Acknowledged,
): void {
  const known = element.code === 0;
  if (known && element.data.client_id !== clientId) {
    throw new Error(`Order ${orderId} was acknowledged as ${clientId} and is now ${element.data.client_id}.`);
  }
  if (known && acknowledged.cancels.has(orderId) && ["open", "part_filled"].includes(element.data.status)) {
    throw new Error(`The acknowledged cancel of order ${orderId} is lost.`);
  }
  const mayBeGone = !rests || acknowledged.cancels.has(orderId) || acknowledged.perhapsCancelled.has(orderId);
  if (!known && !mayBeGone) throw new Error(`The acknowledged order ${orderId} (${clientId}) is lost.`);
}

/** The log holds every acknowledged order, and no order twice. */
function checkLog(data: string, acknowledged: Acknowledged): void {
  const reader = new LogReader(data);
  const seen = new Set<string>();
  try {
    for (const group of reader.groups()) {
      const records = WordBuffer.over(group.payload);
      for (let at = 0; at < records.length; at += recordWords(records, at)) {
        const command = decodeCommand(records, at);
        if (command.kind !== "place_order" || command.clientId === "") continue;
        if (seen.has(command.clientId)) throw new Error(`The order ${command.clientId} is in the log twice.`);
        seen.add(command.clientId);
      }
    }
  } finally {
    reader.close();
  }
  for (const clientId of acknowledged.orders.keys()) {
    if (!seen.has(clientId)) throw new Error(`The acknowledged order ${clientId} is not in the log.`);
  }
}
