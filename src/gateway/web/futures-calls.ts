/**
 * The futures settings of an account that no call of the API returns before there is a position: a page must not guess
 * them.
 */
import { USER_FLAG } from "../../engine/accounts/user.ts";
import { defaultLeverage, rowOf } from "../../engine/futures/positions/futures-seat.ts";
import { NONE } from "../../engine/trading/order.ts";
import { required, text } from "../admin/field.ts";
import { Refused } from "../refused.ts";
import { type WebCall, webCall } from "./call.ts";

const MARKET_CHARS_MAX = 40;

const settings = webCall({
  method: "GET",
  path: "/web/futures-settings/{market}",
  needs: "session",
  fields: { market: required(text("MARKET", 1, MARKET_CHARS_MAX), "a futures market") },
  serve({ backend }, { session }, { market: name }) {
    const { state } = backend;
    const market = state.marketNamed(name, true);
    if (market?.futures === undefined) {
      return new Refused("market_not_found", `There is no futures market named ${name}.`);
    }
    const { users, futures } = state;
    const row = rowOf(state, session.userId, market.id);
    return {
      data: {
        market: market.name,
        margin_mode: row !== NONE && futures.seats.isIsolated(row) ? "isolated" : "cross",
        leverage: row === NONE ? defaultLeverage(market.futures) : futures.seats.leverage(row),
        position_mode: (users.flags(session.userId) & USER_FLAG.hedge) === 0 ? "one_way" : "hedge",
      },
    };
  },
});

export const FUTURES_CALLS: readonly WebCall[] = [settings];
