import { type Answer, accepted, refused } from "../answer.ts";
import { formatDecimal } from "../money/decimal.ts";
import { parseRateE8, RATE_SCALE } from "../money/rate.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { SetFeeDeduction } from "./command-schemas.ts";

/** In which currency the venue takes fees from those who wish it, and how much cheaper that is. */
export interface FeeDeduction {
  /** Undefined: fees are not deducted. Need not be listed: then nobody has any. */
  ccy: string | undefined;
  /** The discount on a deducted fee, 10^-8. */
  discountE8: number;
  /** Asset in which fees have been deducted, -1 before the first: sums over the fills of an order count its units. */
  chargedAssetId: number;
}

/** Returns the setting that holds until an operator changes it: 20 % off in the platform coin of the dev profile. */
export function standardDeduction(): FeeDeduction {
  return { ccy: "DSC", discountE8: 20_000_000, chargedAssetId: -1 };
}

/** Changes the currency, the discount or both. Source: domain 2.6. */
export function setFeeDeduction(state: State, command: SetFeeDeduction): Answer {
  const { deduction } = state;
  const { ccy, discountRate } = command;
  const discountE8 = discountRate === undefined ? deduction.discountE8 : parseRateE8(discountRate);
  if (discountE8 === undefined) {
    return refused("invalid_command", "discount_rate is a decimal from 0 to below 1 with at most 8 decimals.");
  }
  if (typeof ccy === "string") {
    const asset = state.assetByCcy.get(ccy);
    if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
    if (deduction.chargedAssetId >= 0 && deduction.chargedAssetId !== asset.id) {
      const charged = state.assets[deduction.chargedAssetId]?.ccy;
      return refused(
        "invalid_command",
        `Fees have been paid in ${charged}, and orders show their sum: it can only end.`,
      );
    }
  }
  if (ccy !== undefined) deduction.ccy = ccy ?? undefined;
  deduction.discountE8 = discountE8;
  const rate = formatDecimal(BigInt(discountE8), RATE_SCALE);
  emitRareEvent(state, { type: "fee_deduction_set", ccy: deduction.ccy ?? null, discountRate: rate });
  return accepted({});
}
