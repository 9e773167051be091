/** Own deals in futures markets, and what could be ordered there, in the legacy generation: /perpetual/v1/market/… */
import { largestOrder } from "../../../engine/futures/orders/largest-order.ts";
import { tradeValue } from "../../../engine/futures/positions/contract.ts";
import { shownPrice } from "../../../engine/futures/positions/figures.ts";
import type { FinishedType } from "../../../engine/futures/positions/position-event.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { divCeil, divHalfAwayFromZero } from "../../../engine/money/rounding.ts";
import type { UserDeal } from "../../../history/deals/deal-queries.ts";
import type { DealEffect } from "../../../history/positions/position-queries.ts";
import type { Backend } from "../../backend.ts";
import type { LegacyHandlers } from "../../legacy/call.ts";
import { answerOffset } from "../../legacy/pages.ts";
import { POSITION_TYPE, SIDE } from "../../legacy/records/order-shape.ts";
import { exactSeconds } from "../../legacy/records/time.ts";
import type { PerpetualDealType, PerpetualRole, PerpetualUserDeal } from "../../legacy/types.generated.ts";
import { fromHistory, pageFromHistory } from "../../reading/from-history.ts";
import { onGrid } from "../../reading/grid.ts";
import { type MarketPrinter, NOTHING, type Printers, rateText } from "../../reading/market-printer.ts";
import { inMarket, inPastMarket } from "../../reading/named-markets.ts";
import { Refused } from "../../refused.ts";
import { sideOf } from "./legacy-orders.ts";

const ROLE = { maker: 1, taker: 2 } as const satisfies Record<UserDeal["role"], PerpetualRole>;

/** What a deal did to its position. */
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
          JSON.stringify(dealOf(userId, printers.of(marketId), state.assets[deal.feeAssetId] as Asset, deal, effect)),
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

/** What the position came to is 0 of a deal from before history kept that. The other side of a deal is nobody's business. */
function dealOf(
  userId: number,
  printer: MarketPrinter,
  feeAsset: Asset,
  deal: UserDeal,
  effect: DealEffect | undefined,
): PerpetualUserDeal {
  const { market, terms } = printer;
  const value = tradeValue(terms, deal.price, deal.lots);
  const { amount, entryCost, leverage, isIsolated } = effect ?? NO_EFFECT;
  const rate = rateText(Number(feeRateE8(deal.fee, value)));
  return {
    id: deal.dealId,
    time: exactSeconds(deal.createdAt),
    deal_type: effect === undefined ? 0 : typeOf(deal, effect),
    market: market.name,
    user_id: userId,
    deal_user_id: 0,
    order_id: deal.orderId,
    deal_order_id: 0,
    position_id: deal.positionId,
    side: SIDE[deal.side],
    role: ROLE[deal.role],
    position_type: isIsolated ? POSITION_TYPE.isolated : POSITION_TYPE.cross,
    price: printer.price(deal.price),
    open_price: printer.priceOrNothing(shownPrice(terms, amount, entryCost)),
    amount: printer.amount(deal.lots),
    position_amount: printer.amount(amount),
    // A cross position has no margin of its own: it is told by its leverage.
    margin_amount: printer.value(
      isIsolated ? (effect?.margin ?? 0n) : leverage === 0 ? 0n : divCeil(entryCost, BigInt(leverage)),
    ),
    leverage: String(leverage),
    deal_stock: printer.value(value),
    deal_fee: formatDecimal(deal.fee, feeAsset.scale),
    deal_margin: printer.value(effect?.marginChange ?? 0n),
    deal_profit: printer.value(effect?.pnl ?? 0n),
    deal_insurance: printer.value(effect?.covered ?? 0n),
    fee_rate: rate,
    fee_real_rate: rate,
    fee_asset: feeAsset.ccy,
    fee_discount: "1",
    fee_price: NOTHING,
  };
}

const NO_EFFECT = { amount: 0n, entryCost: 0n, leverage: 0, isIsolated: false } as const;

function typeOf({ lots }: UserDeal, { reason, finishedType, amount }: DealEffect): PerpetualDealType {
  // More than was traded: there was a position before.
  if (reason === "increase") return amount > lots ? DEAL_TYPE.adds : DEAL_TYPE.opens;
  return finishedType === "" ? DEAL_TYPE.reduces : (ENDING[finishedType] ?? DEAL_TYPE.closes);
}

/** The rate that a fee came to, to 10^-8, which is that of the order but for the rounding of the fee to whole units. */
function feeRateE8(fee: bigint, value: bigint): bigint {
  return value === 0n ? 0n : divHalfAwayFromZero(fee * 100_000_000n, value);
}
