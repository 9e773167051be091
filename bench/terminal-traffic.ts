/** What keeps the terminal of the bench busy besides makers and takers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiClient } from "../test/support/api-client.ts";

export const MARKET = "BTCUSDT";
/**
 * Orders a second of the two accounts; each brings an update of the order, the balance and, where it is met, of deals
 * and book.
 */
const ORDERS_PER_SECOND = 60;

const UNDER_WAY_MAX = 6;
const OPEN_MAX = 20;

/** Orders of one request, and requests at once, while an hour is made up for. */
const [BATCH, HURRIES] = [50, 2];

/** One account places orders around the best prices and cancels them, the other meets some. */
export class Traffic {
  placed = 0;
  readonly #resting: ApiClient;
  readonly #meeting: ApiClient;
  readonly #open: number[] = [];
  #underWay = 0;
  #isOn = false;
  #done: Promise<void> = Promise.resolve();

  constructor(url: string, folder: string) {
    const keys = JSON.parse(readFileSync(join(folder, "dev-accounts.json"), "utf8")) as Record<string, string>[];
    const client = (name: string) => {
      const key = keys.find((each) => each["name"] === name) ?? {};
      return new ApiClient(url, Date.now, { accessId: `${key["access_id"]}`, secret: `${key["secret_key"]}` });
    };
    this.#resting = client("alice");
    this.#meeting = client("bob");
  }

  begin(): void {
    this.#isOn = true;
    this.#done = this.#run();
  }

  async end(): Promise<void> {
    this.#isOn = false;
    await this.#done;
  }

  /** Places and cancels orders far from the price as fast as the venue takes them, until `isEnough`. */
  async hurry(isEnough: () => Promise<boolean>): Promise<void> {
    let isOver = false;
    const place = async () => {
      while (!isOver) {
        const order = {
          market: MARKET,
          market_type: "SPOT",
          side: "buy",
          type: "limit",
          price: "30000",
          amount: "0.002",
        };
        await this.#resting.post("/v2/spot/batch-order", { orders: Array.from({ length: BATCH }, () => order) });
        await this.#resting.post("/v2/spot/cancel-all-order", { market: MARKET, market_type: "SPOT" });
      }
    };
    const placing = Array.from({ length: HURRIES }, place);
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      isOver = await isEnough();
    }
    await Promise.all(placing);
  }

  async #run(): Promise<void> {
    const beginning = performance.now();
    for (let turn = 0; this.#isOn; turn++) {
      const waitMs = beginning + (turn * 1_000) / ORDERS_PER_SECOND - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      // An order that waits for its answer does not hold up the next one, up to some.
      while (this.#underWay >= UNDER_WAY_MAX) await new Promise((resolve) => setTimeout(resolve, 1));
      this.#underWay++;
      void this.#place(turn).finally(() => {
        this.#underWay--;
        this.placed++;
      });
    }
  }

  async #place(turn: number): Promise<void> {
    const side = turn % 4 < 2 ? "buy" : "sell";
    if (turn % 2 === 0) {
      const body = { market: MARKET, market_type: "SPOT", side, type: "market", amount: "0.001", ccy: "BTC" };
      await this.#meeting.post("/v2/spot/order", body);
      return;
    }
    const { data } = await this.#meeting.get("/v2/spot/depth", { market: MARKET, limit: 20, interval: "0" });
    const levels = side === "buy" ? data.depth.bids : data.depth.asks;
    const price = levels[turn % levels.length]?.[0];
    const body = { market: MARKET, market_type: "SPOT", side, type: "limit", price, amount: "0.002" };
    const placed = await this.#resting.post("/v2/spot/order", body);
    if (placed.code === 0) this.#open.push(placed.data.order_id);
    if (this.#open.length <= OPEN_MAX) return;
    const order = { market: MARKET, market_type: "SPOT", order_id: this.#open.shift() };
    await this.#resting.post("/v2/spot/cancel-order", order);
  }
}
