import { type Answer, accepted, refused } from "../answer.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { RATE_SCALE } from "../money/rate.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { SetCreditTerms } from "./command-schemas.ts";
import { creditOf, EVERYBODY } from "./credit-state.ts";

/** A risk rate above it says nothing. */
const RISK_MAX_E8 = 1_000n * 100_000_000n;

export function setCreditTerms(state: State, { userId, withdrawalRisk, tradeRisk }: SetCreditTerms): Answer {
  if (userId !== undefined && !state.users.has(userId)) {
    return refused("user_not_found", "There is no user with that id.");
  }
  const [withdrawalRiskE8, tradeRiskE8] = [withdrawalRisk, tradeRisk].map((text) => parseDecimal(text, RATE_SCALE));
  if (!isRisk(withdrawalRiskE8) || !isRisk(tradeRiskE8)) {
    return refused("invalid_command", "A risk rate is a decimal from 0 to 1000 with at most 8 decimals.");
  }
  creditOf(state).terms.set(userId ?? EVERYBODY, { withdrawalRiskE8, tradeRiskE8 });
  const shown = {
    withdrawalRisk: formatDecimal(withdrawalRiskE8, RATE_SCALE),
    tradeRisk: formatDecimal(tradeRiskE8, RATE_SCALE),
  };
  emitRareEvent(state, { type: "credit_terms_set", userId: userId ?? null, ...shown });
  return accepted(shown);
}

function isRisk(rateE8: bigint | undefined): rateE8 is bigint {
  return rateE8 !== undefined && rateE8 >= 0n && rateE8 <= RISK_MAX_E8;
}
