/** Orders and stop orders of futures as the legacy generation prints them, in numbers where the others have words. */
import type { OrderType, TriggerType } from "../../../engine/command.ts";
import type { Engine, Outcome } from "../../../engine/engine.ts";
import { decodeEvents, decodeOrder, type OrderRecord } from "../../../engine/event.ts";
import { defaultLeverage, rowOf } from "../../../engine/futures/positions/futures-seat.ts";
import type { State } from "../../../engine/state.ts";
import type { StopRecord } from "../../../engine/stops/stop-event.ts";
import { NONE } from "../../../engine/trading/order.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import { asJson, type JsonText } from "../../reading/json-text.ts";
import { type MarketPrinter, NOTHING, type Printers, rateText } from "../../reading/market-printer.ts";
import type {
  PerpetualEffectType,
  PerpetualOption,
  PerpetualPositionType,
  PerpetualRole,
  PerpetualSide,
  PerpetualStopType,
} from "../types.generated.ts";
import { directionNumber, legacyStatus } from "./spot-orders.ts";
import { exactSeconds } from "./time.ts";

export const SIDE = { sell: 1, buy: 2 } as const satisfies Record<string, PerpetualSide>;
const EFFECT = { market: 0, limit: 1, maker_only: 1, ioc: 2, fok: 3 } as const satisfies Record<
  OrderType,
  PerpetualEffectType
>;
const STOP_TYPE = { latest_price: 1, mark_price: 2, index_price: 3 } as const satisfies Record<
  TriggerType,
  PerpetualStopType
>;

/** Bits of `option`. */
const MAKER_ONLY = 1;
const HIDDEN = 2;

/** What a position's close aims at, and every other order. */
const CLOSES = 2;
const TRADES = 0;

/** Where orders come from, as far as anybody is told. */
export const SOURCE = "api";

/** What the sockets know of an order when something has become of it: where it came from, and its last deal with its role. */
interface OrderNews {
  readonly stopId: number;
  readonly dealId: number;
  readonly role: PerpetualRole;
  /** The position that its execution changed; undefined where that is not known. */
  readonly positionId?: number | undefined;
}

const NO_NEWS: OrderNews = { stopId: 0, dealId: 0, role: 0 };

export class PerpetualOrderPrinter {
  readonly #state: State;
  readonly #printers: Printers;

  constructor(state: State, printers: Printers) {
    this.#state = state;
    this.#printers = printers;
  }

  /** A PerpetualOrder. Of its last fill the venue keeps price, amount and time; what else is known is known when it happens. */
  order(order: OrderRecord, news = NO_NEWS): JsonText {
    return asJson(`{${this.#orderFields(order, news)}}`);
  }

  /** A PerpetualOrderStatus. */
  orderStatus(order: OrderRecord): JsonText {
    return asJson(`{${this.#orderFields(order)},"status":"${legacyStatus(order)}"}`);
  }

  orderAt(events: WordBuffer, at: number): JsonText {
    return this.order(decodeOrder(events, at));
  }

  /** A PerpetualOrder that closes, right after the command that placed it: nothing of the position may be left. */
  closeAt({ orderEvent, from, to }: Outcome, { events }: Engine): JsonText {
    const order = decodeOrder(events, orderEvent);
    let positionId: number | undefined;
    for (const event of decodeEvents(events, from, to)) {
      if (event.kind === "position" && event.orderId === order.orderId && event.userId === order.userId) {
        positionId = event.positionId;
      }
    }
    return this.order(order, { ...NO_NEWS, positionId });
  }

  #orderFields(order: OrderRecord, { stopId, dealId, role, positionId } = NO_NEWS): string {
    const printer = this.#printers.of(order.marketId);
    const isFilled = order.filledLots !== 0n;
    const { leverage, positionType } = this.#settings(order.userId, printer);
    const closes = order.aim !== "trade";
    return (
      `"order_id":${order.orderId},"position_id":${closes ? (positionId ?? this.#closedBy(order)) : 0},"stop_id":${stopId},${commonFields(printer, order)},` +
      `"target":${closes ? CLOSES : TRADES},"effect_type":${EFFECT[order.type]},"option":${optionOf(order)},` +
      `"price":"${printer.priceOrNothing(order.price)}","amount":"${printer.amount(order.amount)}",` +
      `"left":"${printer.amount(order.left)}","deal_stock":"${printer.value(order.filledValue)}",` +
      `"deal_fee":"${printer.value(order.quoteFee)}","deal_asset_fee":"0","deal_profit":"${printer.value(order.realizedPnl)}",` +
      `"taker_fee":"${rateText(order.takerFeeRateE8)}","maker_fee":"${rateText(order.makerFeeRateE8)}",` +
      `"fee_asset":"","fee_discount":"1","leverage":"${leverage}","position_type":${positionType},` +
      `"last_deal_amount":"${isFilled ? printer.amount(order.lastFilledLots) : NOTHING}",` +
      `"last_deal_price":"${isFilled ? printer.price(order.lastFilledPrice) : NOTHING}",` +
      `"last_deal_time":${isFilled ? exactSeconds(order.updatedAt) : 0},"last_deal_id":${dealId},"last_deal_type":0,` +
      `"last_deal_role":${role},"take_profit_price":"0","take_profit_type":0,"stop_loss_price":"0","stop_loss_type":0`
    );
  }

  /** A PerpetualStopOrder. `more` is what the records of finished ones and their status have beside. */
  stop(stop: StopRecord, more = ""): JsonText {
    const printer = this.#printers.of(stop.marketId);
    const { market } = printer;
    return asJson(
      `{"order_id":${stop.stopId},${commonFields(printer, stop)},"target":${TRADES},` +
        `"effect_type":${EFFECT[stop.type]},"option":${optionOf(stop)},"stop_type":${STOP_TYPE[stop.triggerType]},` +
        `"state":${directionNumber(stop)},"stop_price":"${printer.price(stop.trigger)}",` +
        `"price":"${printer.priceOrNothing(stop.price)}","amount":"${printer.amount(stop.amount)}",` +
        `"taker_fee":"${rateText(market.takerFeeRateE8)}","maker_fee":"${rateText(market.makerFeeRateE8)}",` +
        `"fee_asset":"","fee_discount":"1"${more}}`,
    );
  }

  /** The position that a resting order closes; 0 once it is gone. One that was opened after the order is another one. */
  #closedBy({ userId, marketId, side, createdAt }: OrderRecord): number {
    const { positions, seats } = this.#state.futures;
    const row = rowOf(this.#state, userId, marketId);
    const slot = row === NONE ? NONE : seats.position(row, side === "buy");
    return slot === NONE || positions.createdAt(slot) > createdAt ? 0 : positions.positionId(slot);
  }

  /** How the user trades in the market now. */
  #settings(
    userId: number,
    { market, terms }: MarketPrinter,
  ): { leverage: number; positionType: PerpetualPositionType } {
    const { seats } = this.#state.futures;
    const row = rowOf(this.#state, userId, market.id);
    if (row === NONE) return { leverage: defaultLeverage(terms), positionType: POSITION_TYPE.cross };
    return {
      leverage: seats.leverage(row),
      positionType: seats.isIsolated(row) ? POSITION_TYPE.isolated : POSITION_TYPE.cross,
    };
  }
}

export const POSITION_TYPE = { isolated: 1, cross: 2 } as const satisfies Record<string, PerpetualPositionType>;

/** What orders and stop orders have in common. */
function commonFields({ market }: MarketPrinter, order: OrderRecord | StopRecord): string {
  return (
    `"market":"${market.name}","type":${order.type === "market" ? 2 : 1},"side":${SIDE[order.side]},` +
    `"user_id":${order.userId},"create_time":${exactSeconds(order.createdAt)},` +
    `"update_time":${exactSeconds(order.updatedAt)},"source":"${SOURCE}","client_id":"${order.clientId}"`
  );
}

function optionOf({ type, hidden }: OrderRecord | StopRecord): PerpetualOption {
  return ((type === "maker_only" ? MAKER_ONLY : 0) | (hidden ? HIDDEN : 0)) as PerpetualOption;
}

/** The type of a limit order with this effect and option; undefined where they exclude each other. */
export function typeOf(effect: PerpetualEffectType, option: PerpetualOption): OrderType | undefined {
  const isMakerOnly = (option & MAKER_ONLY) !== 0;
  if (effect === 2 || effect === 3) return isMakerOnly ? undefined : effect === 2 ? "ioc" : "fok";
  return isMakerOnly ? "maker_only" : "limit";
}

export function isHidden(option: PerpetualOption): boolean {
  return (option & HIDDEN) !== 0;
}
