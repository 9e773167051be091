import { part } from "../part.ts";
import "./events.ts";
import { CREDIT_SCHEMAS } from "./command-schemas.ts";
import { CreditAudit } from "./credit-audit.ts";
import { checkCredit } from "./credit-invariants.ts";
import { creditSection } from "./credit-section.ts";
import { grantCredit } from "./grant.ts";
import { repayCredit } from "./repay.ts";
import {
  owesCredit,
  owesCreditIn,
  refuseBorrowedOutflow,
  refuseBorrowedResult,
  refuseBorrowedTrading,
} from "./risk.ts";
import { setCreditTerms } from "./terms.ts";

/** Money that operators lend to users, and what users may do with it. */
export const credit = part({
  name: "credit",
  commandSchemas: CREDIT_SCHEMAS,
  commands: { grant_credit: grantCredit, repay_credit: repayCredit, set_credit_terms: setCreditTerms },
  sections: [creditSection],
  check: checkCredit,
  audits: (state) => [new CreditAudit(state)],
  refuseOutflow: refuseBorrowedOutflow,
  owes: owesCredit,
  owesAsset: owesCreditIn,
  refuseTrading: refuseBorrowedTrading,
  refuseResult: refuseBorrowedResult,
});
