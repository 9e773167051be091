/**
 * A market maker over sockets: one bid and one ask, a fixed distance from the middle of what others quote, moved as
 * they move.
 */
import { Book, type Client, followOrders, type OwnOrders } from "bourse/client";

const MARKET = { market: "BTCUSDT", market_type: "SPOT" } as const;
const SIDES = ["buy", "sell"] as const;
type Side = (typeof SIDES)[number];

export interface MakerOptions {
  /** Of each order. */
  readonly amount: string;
  /** Distance of each side from the middle, as a share. */
  readonly distance: number;
}

export class Maker {
  readonly #client: Client;
  readonly #options: MakerOptions;
  #book: Book | undefined;
  #orders: OwnOrders | undefined;
  /** What rests by the answers to its orders, which come before the pushes do. */
  readonly #resting = new Map<Side, { readonly orderId: number; price: string }>();
  /** Orders that have ended; a push may overtake the answer. */
  readonly #ended = new Set<number>();
  /** Moves follow one another: the next begins when the last is done, and looks at what is then. */
  #moving: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;

  constructor(client: Client, options: MakerOptions) {
    this.#client = client;
    this.#options = options;
  }

  async start(): Promise<void> {
    const orders = await followOrders(this.#client, "spot", [MARKET.market], ({ row, isGone }) => {
      if (isGone) this.#forget(row.order_id);
      this.#look();
    });
    if (!orders.ok) throw new Error(orders.message);
    this.#orders = orders.data;
    const socket = this.#client.socket("spot");
    const book = await Book.follow(socket, MARKET.market, { limit: 20, onChange: () => this.#look() });
    if (!book.ok) throw new Error(book.message);
    this.#book = book.data;
    this.#look();
  }

  /** Takes both orders away and resolves when they are gone. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#moving;
    this.#book?.close();
    this.#orders?.close();
    await this.#client.post("/spot/cancel-all-order", MARKET);
  }

  #look(): void {
    this.#isWanted = true;
    this.#moving ??= this.#move().finally(() => {
      this.#moving = undefined;
    });
  }

  async #move(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      const middle = this.#middle();
      // On a broken line nobody knows: what rests then rests until the line is back.
      if (middle === undefined) continue;
      for (const side of SIDES) await this.#quote(side, middle);
    }
  }

  async #quote(side: Side, middle: number): Promise<void> {
    const { amount, distance } = this.#options;
    const price = (middle * (side === "buy" ? 1 - distance : 1 + distance)).toFixed(2);
    const own = this.#resting.get(side);
    if (own === undefined) {
      // Post-only: it never takes from the book what it wants to give.
      const placed = await this.#client.post("/spot/order", { ...MARKET, side, type: "maker_only", amount, price });
      if (placed.ok && !this.#ended.has(placed.data.order_id)) {
        this.#resting.set(side, { orderId: placed.data.order_id, price });
      }
    } else if (Number(own.price) !== Number(price)) {
      const order = { ...MARKET, order_id: own.orderId, amount, price };
      // What was filled meanwhile is refused here, and told by a push.
      if ((await this.#client.post("/spot/modify-order", order)).ok) own.price = price;
    }
  }

  #forget(orderId: number): void {
    this.#ended.add(orderId);
    for (const [side, own] of this.#resting) if (own.orderId === orderId) this.#resting.delete(side);
  }

  /** Of the best prices of others; undefined where a side has none, or the book does not show yet what was done. */
  #middle(): number | undefined {
    const book = this.#book;
    if (book?.isSound !== true || this.#orders?.isCurrent !== true) return undefined;
    const best = (
      [
        ["buy", book.bids],
        ["sell", book.asks],
      ] as const
    ).map(([side, levels]) => {
      const own = this.#resting.get(side)?.price;
      const prices = levels.map(([price]) => Number(price));
      if (own !== undefined && !prices.includes(Number(own))) return undefined;
      return prices.find((price) => price !== Number(own));
    });
    const [bid, ask] = best;
    return bid === undefined || ask === undefined ? undefined : (bid + ask) / 2;
  }
}
