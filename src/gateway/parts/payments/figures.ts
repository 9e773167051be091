/** The figures that decide refusals of withdrawals. Source: domain 7. */
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { ADDRESSES_MAX } from "../../../engine/payments/addresses.ts";
import { termsOn } from "../../../engine/payments/chain-terms.ts";
import { payments } from "../../../engine/payments/payments.ts";
import { OPEN_MAX, withdrawable } from "../../../engine/payments/withdraw.ts";
import { leftToday } from "../../../engine/payments/withdraw-limit.ts";
import type { AskedFor, FigureSource } from "../../reading/figures.ts";
import type { Figures } from "../../refused.ts";

function withdrawal({ state, command }: AskedFor): Figures | undefined {
  const { ccy, chain, userId, amount } = command as unknown as Readonly<Record<string, unknown>>;
  const asset = typeof ccy === "string" ? state.assetByCcy.get(ccy) : undefined;
  if (asset === undefined || typeof userId !== "number") return undefined;
  const terms = typeof chain === "string" ? termsOn(asset, chain) : undefined;
  const show = (units: bigint) => formatDecimal(units, asset.scale);
  const left = leftToday(state, userId, asset);
  return {
    amount: String(amount),
    decimals: terms?.precision ?? asset.scale,
    ...(terms === undefined ? {} : { min_amount: show(terms.minWithdrawal), fee: show(terms.withdrawalFee) }),
    left_today: left === undefined ? "no limit" : show(left),
    withdrawable: show(withdrawable(state, userId, asset)),
    under_way: payments.of(state).openOf.get(userId) ?? 0,
    most_under_way: OPEN_MAX,
  };
}

export const PAYMENT_FIGURES: Readonly<Record<string, FigureSource>> = {
  withdrawal_too_small: withdrawal,
  withdrawal_precision: withdrawal,
  withdrawal_limit: withdrawal,
  too_many_withdrawals: withdrawal,
  no_index_price: withdrawal,
  too_many_addresses: () => ({ most: ADDRESSES_MAX }),
};
