/**
 * Tells of what happens to one's orders and positions by itself: fills, triggers, liquidations. The pushes of the
 * private channels say it.
 */
import type {
  FuturesOrderUpdate,
  FuturesStopUpdate,
  PositionUpdate,
  SpotOrderUpdate,
  SpotStopUpdate,
} from "../../../client/sockets.generated.ts";
import type { Product } from "../api/records.ts";
import { sockets } from "../api/venue.ts";
import { averageOf } from "../entry/estimate.ts";
import { amountCcyOf, type Market, marketOf, moneyOf } from "../market/markets.ts";
import { compare, isPositive, isZero } from "../number/decimal.ts";
import { grouped, shown, signed } from "../number/show.ts";
import { tell } from "./notice-list.ts";

type Order = SpotOrderUpdate["order"] | FuturesOrderUpdate["order"];

/** Orders that end in the command that places them: that nothing of one filled is news. */
const AT_ONCE: readonly string[] = ["market", "ioc", "fok"];

/** Follows both products for as long as the page lives; what needs a login waits for one. */
export function followNotices(): void {
  for (const product of ["spot", "futures"] as const) {
    sockets[product].follow({ channel: "order", items: [], hear: (push) => hearOrder(product, push) });
    sockets[product].follow({ channel: "stop", items: [], hear: (push) => hearStop(product, push) });
  }
  sockets.futures.follow({ channel: "position", items: [], hear: hearPosition });
}

function hearOrder(product: Product, { event, order }: SpotOrderUpdate | FuturesOrderUpdate): void {
  const market = marketOf(product, order.market);
  if (market === undefined) return;
  if (event === "finish") {
    if (isPositive(order.filled_amount)) tell(filledText(market, order), "good");
    else if (AT_ONCE.includes(order.type)) tell(`${sideOf(order)} ${order.market}: nothing filled.`, "plain");
  } else if (event === "update" && compare(order.filled_amount, order.last_filled_amount) === 0) {
    // Of a large order that fills in many parts only the first part is told, and the end.
    if (isPositive(order.filled_amount) && isPositive(order.unfilled_amount)) tell(partText(market, order), "plain");
  }
}

function filledText(market: Market, order: Order): string {
  const whole = isZero(order.unfilled_amount) || order.type === "market" ? "" : ` of ${grouped(order.amount)}`;
  const amount = `${shown(order.filled_amount, market.amountDecimals)}${whole} ${amountCcyOf(market)}`;
  const fee = feeText(market, order);
  return (
    `${sideOf(order)} ${amount} filled at ${averageText(market, order)} ` +
    `on average${fee === "" ? "" : `, fee ${fee}`}.`
  );
}

function partText(market: Market, order: Order): string {
  const amount =
    `${shown(order.filled_amount, market.amountDecimals)} ` + `of ${grouped(order.amount)} ${amountCcyOf(market)}`;
  return `${sideOf(order)} ${amount} filled at ${averageText(market, order)}; the rest stays open.`;
}

function averageText(market: Market, { filled_amount, filled_value }: Order): string {
  return shown(averageOf(market, filled_amount, filled_value), market.priceDecimals, "nearest");
}

/** Returns the text of the fees that have been paid, in each currency. */
function feeText(market: Market, order: Order): string {
  const paid: readonly (readonly [amount: string, ccy: string])[] =
    "fee" in order
      ? [[order.fee, order.fee_ccy]]
      : [
          [order.base_ccy_fee, market.baseCcy],
          [order.quote_ccy_fee, market.quoteCcy],
          [order.discount_ccy_fee, "of the deduction currency"],
        ];
  return paid
    .filter(([amount]) => isPositive(amount))
    .map(([amount, ccy]) => `${grouped(amount)} ${ccy}`)
    .join(" and ");
}

function sideOf({ side }: { readonly side: string }): string {
  return side === "buy" ? "Buy" : "Sell";
}

function hearStop(product: Product, { event, stop }: SpotStopUpdate | FuturesStopUpdate): void {
  if (event !== "active") return;
  const market = marketOf(product, stop.market);
  const at = shown(stop.trigger_price, market?.priceDecimals ?? 2);
  tell(`Stop order of ${stop.market} triggered at ${at}.`, "plain");
}

const POSITION_NEWS: Readonly<Record<string, string>> = {
  liq: "is being liquidated",
  adl: "was reduced by auto-deleveraging",
  sys_close: "was closed by the venue",
  alert: "is close to liquidation",
};

function hearPosition({ event, position }: PositionUpdate): void {
  const news = POSITION_NEWS[event];
  if (news !== undefined) {
    tell(`Your ${position.side} position in ${position.market} ${news}.`, "bad");
  } else if (event === "close") {
    const market = marketOf("futures", position.market);
    const gained =
      `${signed(position.realized_pnl, market?.isInverse ? 8 : 2)} ` + `${market === undefined ? "" : moneyOf(market)}`;
    tell(`Your ${position.side} position in ${position.market} is closed: ${gained} realized.`, "plain");
  }
}
