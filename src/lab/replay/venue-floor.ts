/**
 * A running venue as the background traders of a recording see it: the API with a key for those who rest and one for
 * those who take.
 */
import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Floor } from "./background-traders.ts";
import { type Grid, textOf, unitsOf } from "./grid.ts";

type Side = "buy" | "sell";

export interface Key {
  readonly accessId: string;
  readonly secret: string;
}

export interface VenueFloorOptions {
  readonly url: string;
  readonly market: string;
  readonly grid: Grid;
  readonly resting: Key;
  readonly taking: Key;
}

/** The venue refused what a recording needs. The message is a sentence. */
export class ReplayRefused extends Error {}

/** Codes after which the same may be asked again: too many requests, and too busy. Neither did anything. */
const COME_AGAIN = new Set([4213, 3008]);
const COME_AGAIN_MS = 50;
const ORDER_NOT_FOUND = 3600;
/** Nobody there to take from. */
const NOTHING_TO_TAKE = new Set([3620, 3619, 3127]);
const IDS_MAX = 100;
const OPEN = new Set(["open", "part_filled"]);

interface Envelope {
  readonly code: number;
  readonly message: string;
  // biome-ignore lint/suspicious/noExplicitAny: records of the contract, of which little is looked at.
  readonly data: any;
}

export class VenueFloor implements Floor {
  readonly #options: VenueFloorOptions;
  readonly #market: { readonly market: string; readonly market_type: string };

  constructor(options: VenueFloorOptions) {
    this.#options = options;
    this.#market = { market: options.market, market_type: "SPOT" };
  }

  /** Takes everything out of the market that the background traders have there. */
  async clear(): Promise<void> {
    const answer = await this.#ask(this.#options.resting, "POST", "cancel-all-order", this.#market);
    if (answer.code !== 0) throw refusal("A cancel of the background traders' orders", answer);
  }

  async place(side: Side, price: bigint, lots: bigint): Promise<{ id: string; left: bigint } | undefined> {
    const { grid, resting } = this.#options;
    const prices = { price: textOf(price, grid.priceDecimals), amount: textOf(lots, grid.amountDecimals) };
    const answer = await this.#ask(resting, "POST", "order", { ...this.#market, side, type: "limit", ...prices });
    if (answer.code !== 0) throw refusal("An order of the recorded book", answer);
    return { id: String(answer.data.order_id), left: this.#lots(answer.data.unfilled_amount) };
  }

  async take(side: Side, price: bigint, lots: bigint): Promise<void> {
    const { grid, taking } = this.#options;
    const prices = { price: textOf(price, grid.priceDecimals), amount: textOf(lots, grid.amountDecimals) };
    const answer = await this.#ask(taking, "POST", "order", { ...this.#market, side, type: "ioc", ...prices });
    if (answer.code !== 0 && !NOTHING_TO_TAKE.has(answer.code)) throw refusal("A recorded trade", answer);
  }

  async left(ids: readonly string[]): Promise<bigint[]> {
    const { market, resting } = this.#options;
    const found: bigint[] = [];
    for (let at = 0; at < ids.length; at += IDS_MAX) {
      const query = `batch-order-status?market=${market}&order_ids=${ids.slice(at, at + IDS_MAX).join(",")}`;
      const answer = await this.#ask(resting, "GET", query);
      if (answer.code !== 0) throw refusal("A look at the background traders' orders", answer);
      for (const { code, data } of answer.data as Envelope[]) {
        found.push(code === 0 && OPEN.has(data.status) ? this.#lots(data.unfilled_amount) : 0n);
      }
    }
    return found;
  }

  async cancel(id: string): Promise<void> {
    const answer = await this.#ask(this.#options.resting, "POST", "cancel-order", {
      ...this.#market,
      order_id: Number(id),
    });
    if (answer.code !== 0 && answer.code !== ORDER_NOT_FOUND) throw refusal("A cancel of the recorded book", answer);
  }

  async shrink(id: string, by: bigint): Promise<boolean> {
    const { market, resting, grid } = this.#options;
    const status = await this.#ask(resting, "GET", `order-status?market=${market}&order_id=${id}`);
    if (status.code !== 0) return false;
    const amount = textOf(this.#lots(status.data.amount) - by, grid.amountDecimals);
    const answer = await this.#ask(resting, "POST", "modify-order", { ...this.#market, order_id: Number(id), amount });
    return answer.code === 0;
  }

  #lots(text: string): bigint {
    return unitsOf(text, this.#options.grid.amountDecimals) ?? 0n;
  }

  async #ask(key: Key, method: "GET" | "POST", call: string, body?: object): Promise<Envelope> {
    const { url } = this.#options;
    const path = `/v2/spot/${call}`;
    const text = body === undefined ? "" : JSON.stringify(body);
    for (;;) {
      const timestamp = String(Date.now());
      const signature = createHmac("sha256", key.secret)
        .update(method + path + text + timestamp)
        .digest("hex");
      const headers = {
        "content-type": "application/json",
        "X-SVC-KEY": key.accessId,
        "X-SVC-SIGN": signature,
        "X-SVC-TIMESTAMP": timestamp,
      };
      const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: text }) });
      const envelope = (await response.json()) as Envelope;
      if (!COME_AGAIN.has(envelope.code)) return envelope;
      await sleep(COME_AGAIN_MS);
    }
  }
}

function refusal(what: string, { code, message }: Envelope): ReplayRefused {
  return new ReplayRefused(`${what} was refused with code ${code}: ${message}`);
}
