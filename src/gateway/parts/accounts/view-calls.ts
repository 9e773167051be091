import { isFrozen, isTradeBarred } from "../../../engine/accounts/freeze.ts";
import { USD_SCALE } from "../../../engine/listing/usd-price.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import { holdingsOf, worthByIndex } from "../../../engine/wallet/worth.ts";
import { type AdminCall, call } from "../../admin/call.ts";
import { required, userId } from "../../admin/field.ts";
import { futuresBalancesOf } from "../../current/records/futures-balances.ts";
import { rateText } from "../../reading/market-printer.ts";
import { Refused } from "../../refused.ts";
import { keyRow } from "./list-calls.ts";

const showUser = call({
  method: "GET",
  path: "/admin/users/USER_ID",
  verbs: { "user show": "Show a user: what it may do and pays, its balances, how many orders it has, its keys." },
  fields: { user_id: required(userId, "the user") },
  serve({ state }, { user_id: id }) {
    const user = state.users.get(id);
    if (user === undefined) return new Refused("user_not_found", "There is no user with that id.");
    const terms = state.users.feeTermsOf(id);
    return {
      user_id: id,
      name: user.name,
      main_user_id: user.mainUserId ?? null,
      created_at: user.createdAt,
      worth_usd: formatDecimal(worthByIndex(state, holdingsOf(state, id)), USD_SCALE),
      frozen: isFrozen(state, id),
      frozen_by_main: user.frozenByMain,
      trade_barred: isTradeBarred(state, id),
      fee_level: terms.level ?? null,
      maker_fee_rate: ownRateText(terms.makerFeeRateE8),
      taker_fee_rate: ownRateText(terms.takerFeeRateE8),
      open_orders: openOrdersOf(state, id),
      stop_orders: state.stops.ofUser(id, 0).length,
      balances: balancesOf(state, id),
      futures_balances: futuresBalancesOf(state, id),
      api_keys: keysOf(state, id),
    };
  },
});

/** null: the level's or the market's holds. */
function ownRateText(rateE8: number): string | null {
  return rateE8 < 0 ? null : rateText(rateE8);
}

function openOrdersOf({ seats }: State, id: number): number {
  let count = 0;
  for (const seat of seats.ofUser(id)) count += seats.openOrders(seat);
  return count;
}

/** Of each asset that the user ever held, in the order of listing. */
function balancesOf({ assets, ledger }: State, id: number): object[] {
  return assets.flatMap(({ id: assetId, ccy, scale }) => {
    const cell = ledger.findSpotCell(id, assetId);
    if (cell < 0) return [];
    const text = (units: bigint) => formatDecimal(units, scale);
    return [{ ccy, available: text(ledger.available(cell)), frozen: text(ledger.frozen(cell)) }];
  });
}

function keysOf({ keys }: State, id: number): object[] {
  return [...keys.ofUser(id).values()].map(keyRow);
}

export const USER_VIEW_CALLS: readonly AdminCall[] = [showUser];
