/**
 * Where the fields of orders and stop orders come from in this generation: over HTTP and on sockets, of spot, margin
 * and futures.
 */
import type { OrderTraits, OrderType, TriggerType } from "../../../engine/command.ts";
import type { OrderRecord } from "../../../engine/event.ts";
import { ORDER_FIELDS } from "../../../engine/event.ts";
import { defaultLeverage, rowOf } from "../../../engine/futures/positions/futures-seat.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import { trimmedDecimal } from "../../../engine/money/decimal.ts";
import { RATE_SCALE } from "../../../engine/money/rate.ts";
import type { State } from "../../../engine/state.ts";
import type { StopRecord } from "../../../engine/stops/stop-event.ts";
import { STOP_FIELDS } from "../../../engine/stops/stop-event.ts";
import { NONE } from "../../../engine/trading/order.ts";
import { feeRatesOf } from "../../reading/fee-rates.ts";
import { type MarketPrinter, NOTHING, rateText } from "../../reading/market-printer.ts";
import { type Shape, UNIT_TEXTS } from "../../reading/record-printer.ts";
import { accountIdOf } from "../accounts.ts";
import type {
  LegacyOrderStatus,
  PerpetualEffectType,
  PerpetualOption,
  PerpetualPositionType,
  PerpetualRole,
  PerpetualSide,
  PerpetualStopType,
} from "../types.generated.ts";
import type { exactSeconds, seconds } from "./time.ts";

/** Data about an order that is known at the time of its event and that no record keeps. */
export interface OrderNews {
  /** The stop order that it came from; 0: none that is known. */
  readonly stopId: number;
  /** Its last deal, and its role in it. */
  readonly dealId: number;
  readonly role: PerpetualRole;
  /** The position that its execution changed; undefined where that is not known. */
  readonly positionId?: number | undefined;
  /** The source that the client gave the order. */
  readonly sourceId?: string | undefined;
}

export const NO_NEWS: OrderNews = { stopId: 0, dealId: 0, role: 0 };

/** Data about a stop order that its own record does not hold. */
export interface StopNews {
  readonly status: number | string;
}

export const SIDE = { sell: 1, buy: 2 } as const satisfies Record<string, PerpetualSide>;
export const POSITION_TYPE = { isolated: 1, cross: 2 } as const satisfies Record<string, PerpetualPositionType>;
export const EFFECT = { market: 0, limit: 1, maker_only: 1, ioc: 2, fok: 3 } as const satisfies Record<
  OrderType,
  PerpetualEffectType
>;
const STOP_TYPE = { latest_price: 1, mark_price: 2, index_price: 3 } as const satisfies Record<
  TriggerType,
  PerpetualStopType
>;
const STATUS = {
  open: "not_deal",
  part_filled: "part_deal",
  filled: "done",
  part_canceled: "cancel",
  canceled: "cancel",
} as const satisfies Record<string, LegacyOrderStatus>;

/** Bits of `option`. */
export const MAKER_ONLY = 1;
export const HIDDEN = 2;

/** The target of an order that closes a position, and that of every other order. */
const CLOSES = 2;
const TRADES = 0;

/** Times as whole seconds, or with a fraction. */
export type TimeText = typeof seconds | typeof exactSeconds;

/** Of an order. */
export function orderShape(state: State, timeText: TimeText): Shape<OrderRecord, OrderNews> {
  const traits = traitsOf(state);
  return {
    fields: ORDER_FIELDS,
    units: { ...traits.units, ms: timeText },
    others: {
      ...traits.others,
      status: ({ status }) => STATUS[status],
      averagePrice: (order, printer) => averagePrice(printer, order),
      received: ({ side, baseFee, quoteFee }, printer) =>
        side === "buy" ? printer.baseFee(baseFee) : printer.value(quoteFee),
      feeAsset: ({ discountFee }) =>
        discountFee === 0n ? null : (state.assets[state.deduction.chargedAssetId] as Asset).ccy,
      feeDiscount: ({ discountFee }) => (discountFee === 0n ? "1" : factorOf(state)),
      finishedTime: ({ status, updatedAt }) =>
        status === "open" || status === "part_filled" ? null : timeText(updatedAt),
      sourceId: (_order, _printer, { sourceId = "" }) => JSON.stringify(sourceId).slice(1, -1),
      lastFilledLots: ({ lastFilledLots }, printer) =>
        lastFilledLots === 0n ? NOTHING : printer.amount(lastFilledLots),
      lastFilledAt: ({ filledLots, updatedAt }) => (filledLots === 0n ? 0 : timeText(updatedAt)),
      lastDealId: (_order, _printer, { dealId }) => dealId,
      lastRole: (_order, _printer, { role }) => role,
      stopId: (_order, _printer, { stopId }) => stopId,
      target: ({ aim }) => (aim === "trade" ? TRADES : CLOSES),
      positionId: (order, _printer, { positionId }) =>
        order.aim === "trade" ? 0 : (positionId ?? closedBy(state, order)),
      leverage: ({ userId }, { market, terms }) => {
        const row = rowOf(state, userId, market.id);
        return row === NONE ? defaultLeverage(terms) : state.futures.seats.leverage(row);
      },
      positionType: ({ userId }, { market }) => {
        const row = rowOf(state, userId, market.id);
        return row !== NONE && state.futures.seats.isIsolated(row) ? POSITION_TYPE.isolated : POSITION_TYPE.cross;
      },
    },
  };
}

/** Of a stop order. */
export function stopShape(state: State, timeText: TimeText): Shape<StopRecord, StopNews> {
  const traits = traitsOf(state);
  return {
    fields: STOP_FIELDS,
    units: { ...traits.units, ms: timeText },
    others: {
      ...traits.others,
      status: (_stop, _printer, { status }) => status,
      feeAsset: () => null,
      target: TRADES,
      direction: (stop) => directionNumber(stop),
      stopType: ({ triggerType }) => STOP_TYPE[triggerType],
      makerFee: (_, { market }) => rateText(market.makerFeeRateE8),
      takerFee: (_, { market }) => rateText(market.takerFeeRateE8),
      // The order that it becomes takes the rates of its time; until then those of today are shown.
      ownMakerFee: ({ userId }, { market }) => rateText(feeRatesOf(state, userId, market).maker),
      ownTakerFee: ({ userId }, { market }) => rateText(feeRatesOf(state, userId, market).taker),
    },
  };
}

/** Returns the units and fields that orders and stop orders have in common. */
function traitsOf(state: State) {
  type Row = OrderTraits & { readonly marketId: number };
  return {
    units: {
      ...UNIT_TEXTS,
      asked: (amount: bigint, printer: MarketPrinter, { amountIn }: Row) =>
        amountIn === "quote" ? printer.value(amount) : printer.amount(amount),
    },
    others: {
      market: (_: Row, { market }: MarketPrinter) => market.name,
      accountId: (row: Row) => accountIdOf(state, row),
      side: ({ side }: Row) => side,
      sideNumber: ({ side }: Row) => SIDE[side],
      limitOrMarket: ({ type }: Row) => (type === "market" ? "market" : "limit"),
      limitOrMarketNumber: ({ type }: Row) => (type === "market" ? 2 : 1),
      effectType: ({ type }: Row) => EFFECT[type],
      option: ({ type, hidden }: Row) =>
        ((type === "maker_only" ? MAKER_ONLY : 0) | (hidden ? HIDDEN : 0)) as PerpetualOption,
      // Where orders come from, as far as anybody is told, and what no order here has.
      source: "api",
      noOption: 0,
      noFeeDiscount: "1",
      noFeeAsset: "",
      dealAssetFee: NOTHING,
      lastDealType: 0,
      takeProfitPrice: NOTHING,
      takeProfitType: 0,
      stopLossPrice: NOTHING,
      stopLossType: 0,
    },
  };
}

/** The position that a resting order closes; 0 once it is gone. One that was opened after the order is another one. */
function closedBy(state: State, { userId, marketId, side, createdAt }: OrderRecord): number {
  const { positions, seats } = state.futures;
  const row = rowOf(state, userId, marketId);
  const slot = row === NONE ? NONE : seats.position(row, side === "buy");
  return slot === NONE || positions.createdAt(slot) > createdAt ? 0 : positions.positionId(slot);
}

/** The share of a deducted fee that was left to pay. */
function factorOf({ deduction }: State): string {
  return trimmedDecimal(10n ** 8n - BigInt(deduction.discountE8), RATE_SCALE);
}

/** A trigger that is reached by falling is 1, by rising 2; `higher` says that the price stood above it. */
function directionNumber({ direction }: Pick<StopRecord, "direction">): 1 | 2 {
  return direction === "higher" ? 1 : 2;
}

/** Returns the average price of the fills, rounded down to a tick; 0 without a fill. */
function averagePrice(printer: MarketPrinter, { filledLots, filledValue }: OrderRecord): string {
  if (filledLots === 0n) return NOTHING;
  const { market, quote } = printer;
  const up = 10n ** BigInt(market.amountPrecision + market.pricePrecision);
  return printer.price((filledValue * up) / (filledLots * 10n ** BigInt(quote.scale)));
}
