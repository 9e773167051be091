/** Savings: what users have in FINANCIAL, put there and taken back by operators. Source: domain 6.4 and 6.6. */
import { type Answer, accepted, refused } from "../answer.ts";
import { POSTING } from "../ledger/posting.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { parseRateE8, RATE_SCALE } from "../money/rate.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { MoveSavings, SetSavingsRate } from "./command-schemas.ts";
import { bookEarly } from "./interest.ts";
import { DAY_MS, isBehind, savings } from "./savings-state.ts";

const BEHIND = "The interest of days that have passed is still being booked.";

export function moveSavings(state: State, { userId, to, ccy, amount: text }: MoveSavings): Answer {
  const { ledger, events } = state;
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  if (to !== "FINANCIAL" && to !== "SPOT") {
    return refused("transfer_not_possible", `Savings are moved to FINANCIAL or to SPOT, not to ${to}.`);
  }
  const amount = parseDecimal(text, asset.scale);
  if (amount === undefined || amount <= 0n) {
    return refused("invalid_command", `amount must be a decimal above 0 with at most ${asset.scale} decimals.`);
  }
  if (state.cancelOnly) return refused("venue_cancel_only", "The venue takes cancels only at present.");
  if (isBehind(state)) return refused("savings_behind", BEHIND);
  const isIn = to === "FINANCIAL";
  const own = savings.of(state);
  const found = isIn ? -1 : own.accounts.find(userId, asset.id);
  const from = isIn ? ledger.findSpotCell(userId, asset.id) : found < 0 ? -1 : own.accounts.cell(found);
  const free = from < 0 ? 0n : ledger.available(from);
  if (amount > free) {
    const has = formatDecimal(free, asset.scale);
    return refused("insufficient_balance", `The user has ${has} ${ccy} available in ${isIn ? "SPOT" : "FINANCIAL"}.`);
  }

  // Nothing is refused below this line.
  if (own.accounts.count === 0) own.day = Math.floor(state.timeMs / DAY_MS);
  const row = own.accounts.of(ledger, userId, asset.id, own.day);
  // What lay there at midnight earns, whatever is moved before the account has its turn.
  bookEarly(state, row);
  const change = isIn ? amount : -amount;
  const transferId = state.nextTransferId++;
  ledger.post(events, ledger.spotCell(userId, asset.id), -change, 0n, POSTING.transfer, transferId);
  ledger.post(events, own.accounts.cell(row), change, 0n, POSTING.transfer, transferId);
  own.of(asset.id).saved += change;
  const moved = { ccy, amount: formatDecimal(amount, asset.scale) };
  emitRareEvent(state, {
    type: "transferred",
    transferId,
    userId,
    from: isIn ? "SPOT" : "FINANCIAL",
    to,
    ...moved,
  });
  return accepted({ transferId });
}

export function setSavingsRate(state: State, { ccy, dailyRate }: SetSavingsRate): Answer {
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  const rateE8 = parseRateE8(dailyRate);
  if (rateE8 === undefined) {
    return refused("invalid_command", "A daily rate is a decimal from 0 to below 1 with at most 8 decimals.");
  }
  if (isBehind(state)) return refused("savings_behind", BEHIND);
  savings.of(state).of(asset.id).dailyRateE8 = rateE8;
  const shown = formatDecimal(BigInt(rateE8), RATE_SCALE);
  emitRareEvent(state, { type: "savings_rate_set", ccy, dailyRate: shown });
  return accepted({ ccy, dailyRate: shown });
}
