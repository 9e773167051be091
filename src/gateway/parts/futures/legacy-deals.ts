/** Own deals in futures markets, and what could be ordered there, in the legacy generation: /perpetual/v1/market/… */
import { largestOrder } from "../../../engine/futures/orders/largest-order.ts";
import { shownPrice } from "../../../engine/futures/positions/figures.ts";
import type { FinishedType } from "../../../engine/futures/positions/position-event.ts";
import { onGrid } from "../../../engine/money/on-grid.ts";
import { divCeil, divHalfAwayFromZero } from "../../../engine/money/rounding.ts";
import type { UserDeal } from "../../../history/deals/deal-queries.ts";
import type { DealEffect } from "../../../history/positions/position-queries.ts";
import type { Backend } from "../../backend.ts";
import type { LegacyHandlers } from "../../legacy/call.ts";
import { legacyRecord } from "../../legacy/contract.ts";
import { answerOffset } from "../../legacy/pages.ts";
import { ownDealShape } from "../../legacy/records/deal-shape.ts";
import { POSITION_TYPE, SIDE } from "../../legacy/records/order-shape.ts";
import type { PerpetualDealType } from "../../legacy/types.generated.ts";
import { fromHistory, pageFromHistory } from "../../reading/from-history.ts";
import { NOTHING, type Printers, rateText } from "../../reading/market-printer.ts";
import { inMarket, inPastMarket } from "../../reading/named-markets.ts";
import { recordPrinter, type Shape } from "../../reading/record-printer.ts";
import { Refused } from "../../refused.ts";
import { sideOf } from "./legacy-orders.ts";

/** The effect of a deal on its position. */
const DEAL_TYPE = { opens: 1, adds: 2, reduces: 3, closes: 4, byVenue: 5, liquidates: 6, deleverages: 7 } as const;
const ENDING: { readonly [Type in FinishedType]?: PerpetualDealType } = {
  liq: DEAL_TYPE.liquidates,
  adl: DEAL_TYPE.deleverages,
  sys: DEAL_TYPE.byVenue,
};

export function legacyDealHandlers({ state, history }: Backend, printers: Printers): LegacyHandlers {
  return {
    "GET /perpetual/v1/market/user_deals": (call) => {
      const { caller, params } = call;
      const { userId } = caller;
      return inPastMarket(state, "futures", call, params.market, async ({ id: marketId }) => {
        const page = await pageFromHistory((query) => history.userDeals(query), {
          userId,
          account: "futures" as const,
          marketId,
          side: sideOf(params.side),
          startTime: params.start_time,
          endTime: params.end_time,
          page: 1,
          limit: params.limit,
          offset: params.offset,
        });
        if (page instanceof Refused) {
          call.refuse(page);
          return;
        }
        const deals = page.rows.map(({ dealId, orderId }) => ({ dealId, orderId }));
        const effects = await fromHistory(history.dealEffects({ deals }));
        if (effects instanceof Refused) {
          call.refuse(effects);
          return;
        }
        const rows = page.rows.map((deal, at) => ({ deal, effect: effects[at] }));
        answerOffset(call, { rows, hasNext: page.hasNext }, ({ deal, effect }) =>
          printDeal(deal, printers.of(marketId), { userId, effect }),
        );
      });
    },

    "POST /perpetual/v1/market/position_expect": (call) => {
      const { caller, params } = call;
      inMarket(state, "futures", call, params.market, (market) => {
        const price = onGrid(params.price, market.pricePrecision);
        const lots = largestOrder(state, caller.userId, market, params.side === SIDE.sell, price);
        call.answer({ position_expect: printers.of(market.id).amount(lots) });
      });
    },
  };
}

/**
 * Data about a deal that its own record does not hold. `effect` is undefined for deals from before history kept effects
 * on positions.
 */
interface Known {
  readonly userId: number;
  readonly effect: DealEffect | undefined;
}

/** The other side of a deal is nobody's business. */
const SHAPE: Shape<UserDeal, Known> = {
  ...ownDealShape,
  others: {
    ...ownDealShape.others,
    dealUserId: 0,
    dealOrderId: 0,
    feeDiscount: "1",
    feePrice: NOTHING,
    userId: (_deal, _printer, { userId }) => userId,
    dealType: (deal, _printer, { effect }) => (effect === undefined ? 0 : typeOf(deal, effect)),
    positionType: (_deal, _printer, { effect }) => (effect?.isIsolated ? POSITION_TYPE.isolated : POSITION_TYPE.cross),
    leverage: (_deal, _printer, { effect }) => effect?.leverage ?? 0,
    openPrice: (_, printer, { effect: { amount, entryCost } = NO_EFFECT }) =>
      printer.priceOrNothing(shownPrice(printer.terms, amount, entryCost)),
    positionAmount: (_, printer, { effect: { amount } = NO_EFFECT }) => printer.amount(amount),
    marginAmount: (_, printer, { effect = NO_EFFECT }) => printer.value(marginOf(effect)),
    dealMargin: (_, printer, { effect }) => printer.value(effect?.marginChange ?? 0n),
    dealProfit: (_, printer, { effect }) => printer.value(effect?.pnl ?? 0n),
    dealInsurance: (_, printer, { effect }) => printer.value(effect?.covered ?? 0n),
    feeRate: ({ fee, value }) => rateText(Number(feeRateE8(fee, value))),
  },
};

const printDeal = recordPrinter(legacyRecord("futures-http", "PerpetualUserDeal"), SHAPE);

/** A cross position has no margin of its own: it is told by its leverage. */
function marginOf({ isIsolated, margin, leverage, entryCost }: Pick<DealEffect, keyof typeof NO_EFFECT>): bigint {
  if (isIsolated) return margin;
  return leverage === 0 ? 0n : divCeil(entryCost, BigInt(leverage));
}

const NO_EFFECT = { amount: 0n, entryCost: 0n, leverage: 0, isIsolated: false, margin: 0n } as const;

function typeOf({ lots }: UserDeal, { reason, finishedType, amount }: DealEffect): PerpetualDealType {
  // More than was traded: there was a position before.
  if (reason === "increase") return amount > lots ? DEAL_TYPE.adds : DEAL_TYPE.opens;
  return finishedType === "" ? DEAL_TYPE.reduces : (ENDING[finishedType] ?? DEAL_TYPE.closes);
}

/** The rate that a fee came to, to 10^-8, which is that of the order but for the rounding of the fee to whole units. */
function feeRateE8(fee: bigint, value: bigint): bigint {
  return value === 0n ? 0n : divHalfAwayFromZero(fee * 100_000_000n, value);
}
