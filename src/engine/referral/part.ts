import { part } from "../part.ts";
import "./events.ts";
import { REFERRAL_SCHEMAS } from "./command-schemas.ts";
import { bindReferee, createReferCode, setAgent } from "./commands.ts";
import { countDeposit } from "./deposits.ts";
import { rebatesDue } from "./rebates.ts";
import { ReferralAudit } from "./referral-audit.ts";
import { checkReferral } from "./referral-invariants.ts";
import { referralSection } from "./referral-section.ts";
import { countDeal } from "./trades.ts";

/** Who invited whom, and what that brings of the fees. */
export const referral = part({
  name: "referral",
  commandSchemas: REFERRAL_SCHEMAS,
  commands: { create_refer_code: createReferCode, bind_referee: bindReferee, set_agent: setAgent },
  sections: [referralSection],
  check: checkReferral,
  audits: (state) => [new ReferralAudit(state)],
  due: rebatesDue,
  onDeal: countDeal,
  onDeposit: countDeposit,
});
