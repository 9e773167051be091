/** The own resting orders and open positions, kept current. */
import type { Answer } from "./answer.ts";
import type { Client } from "./client.ts";
import { isZero } from "./decimal.ts";
import type { Product } from "./following.ts";
import type { OrderSide, OrderType, Position, PositionSide } from "./http.generated.ts";
import type * as Pushes from "./sockets.generated.ts";
import { type Change, type Tracked, Tracker } from "./tracker.ts";

/** The fields of an order that lists and pushes of both products have alike. */
export interface OwnOrder {
  readonly order_id: number;
  readonly market: string;
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly amount: string;
  readonly price: string;
  readonly unfilled_amount: string;
  readonly filled_amount: string;
  readonly filled_value: string;
  readonly client_id: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The fields of a position that the list and the pushes have alike. */
export type OwnPosition = Pick<
  Position,
  | "position_id"
  | "market"
  | "margin_mode"
  | "open_interest"
  | "close_avbl"
  | "unrealized_pnl"
  | "realized_pnl"
  | "avg_entry_price"
  | "leverage"
  | "margin_avbl"
  | "liq_price"
  | "bkr_price"
  | "created_at"
  | "updated_at"
> & { readonly side: PositionSide };

type OrderPush = Pushes.SpotOrderUpdate | Pushes.FuturesOrderUpdate;
export type OwnOrders = Tracker<OwnOrder, OrderPush>;
export type OwnPositions = Tracker<OwnPosition, Pushes.PositionUpdate>;

const PAGE = 100;

/** Follows the resting orders of some markets, `[]` for all. Gone are those that were filled or cancelled. */
export async function followOrders(
  client: Client,
  product: Product,
  markets: readonly string[],
  onChange?: (change: Change<OwnOrder>) => void,
): Promise<Answer<OwnOrders>> {
  const tracked: Tracked<OwnOrder, OrderPush> = {
    idOf: (order) => order.order_id,
    read: () =>
      allPages<OwnOrder>(
        (page) =>
          product === "spot"
            ? client.get("/spot/pending-order", { market_type: "SPOT", page, limit: PAGE })
            : client.get("/futures/pending-order", { market_type: "FUTURES", page, limit: PAGE }),
        markets,
      ),
    fateOf: async ({ market, order_id }) => {
      const answer =
        product === "spot"
          ? await client.get("/spot/order-status", { market, order_id })
          : await client.get("/futures/order-status", { market, order_id });
      return answer.ok ? answer.data : undefined;
    },
    changeIn: ({ event, order }) => ({ row: order, event, isGone: event === "finish" }),
    follow: (hear, onLine) => client.socket(product).follow("order", [...markets], hear, { onLine }),
  };
  return await Tracker.start(tracked, onChange);
}

/** Follows the open positions of some futures markets, `[]` for all. Gone are those that were closed. */
export async function followPositions(
  client: Client,
  markets: readonly string[],
  onChange?: (change: Change<OwnPosition>) => void,
): Promise<Answer<OwnPositions>> {
  const tracked: Tracked<OwnPosition, Pushes.PositionUpdate> = {
    idOf: (position) => position.position_id,
    read: () =>
      allPages(
        (page) => client.get("/futures/pending-position", { market_type: "FUTURES", page, limit: PAGE }),
        markets,
      ),
    fateOf: async ({ market, position_id }) => {
      const answer = await client.get("/futures/finished-position", { market, market_type: "FUTURES", limit: PAGE });
      const found = answer.ok ? answer.data.find((each) => each.position_id === position_id) : undefined;
      return found as OwnPosition | undefined;
    },
    changeIn: ({ event, position }) => ({ row: position, event, isGone: isZero(position.open_interest) }),
    follow: (hear, onLine) => client.socket("futures").follow("position", [...markets], hear, { onLine }),
  };
  return await Tracker.start(tracked, onChange);
}

/** The rows of all pages, of the markets that are meant. */
async function allPages<Row extends { readonly market: string }>(
  read: (page: number) => Promise<Answer<readonly Row[]>>,
  markets: readonly string[],
): Promise<Answer<readonly Row[]>> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const answer = await read(page);
    if (!answer.ok) return answer;
    rows.push(...answer.data);
    if (answer.hasNext === true) continue;
    const meant = markets.length === 0 ? rows : rows.filter(({ market }) => markets.includes(market));
    return { ...answer, data: meant };
  }
}
