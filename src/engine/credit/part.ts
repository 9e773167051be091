import { part } from "../part.ts";
import "./events.ts";
import { CreditAudit } from "./credit-audit.ts";
import { checkCredit } from "./credit-invariants.ts";
import { creditSection } from "./credit-section.ts";
import { CREDIT_FORMS } from "./forms.ts";
import { grantCredit } from "./grant.ts";
import { repayCredit } from "./repay.ts";
import {
  owesCredit,
  owesCreditIn,
  refuseBorrowedLeaving,
  refuseBorrowedResult,
  refuseBorrowedTrading,
} from "./risk.ts";
import { setCreditTerms } from "./terms.ts";

/** Money that operators lend to users, and what users may do with it. */
export const credit = part({
  name: "credit",
  forms: CREDIT_FORMS,
  commands: { grant_credit: grantCredit, repay_credit: repayCredit, set_credit_terms: setCreditTerms },
  sections: [creditSection],
  check: checkCredit,
  audits: (state) => [new CreditAudit(state)],
  refuseLeaving: refuseBorrowedLeaving,
  owes: owesCredit,
  owesAsset: owesCreditIn,
  refuseTrading: refuseBorrowedTrading,
  refuseResult: refuseBorrowedResult,
});
