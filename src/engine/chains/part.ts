import { part } from "../part.ts";
import "./events.ts";
import "./codes.ts";
import { checkChains } from "./chain-invariants.ts";
import { chainSection } from "./chain-section.ts";
import { CHAIN_SCHEMAS } from "./command-schemas.ts";
import { forgetUnswept, keepChainSeed, noteChain, noteUnswept, resealChainSeeds } from "./commands.ts";
import { PaymentAudit } from "./payment-audit.ts";
import { settlePayment, signPayment } from "./payments.ts";
import { haltWithdrawals, noteShortfalls, resumeWithdrawals } from "./withdrawal-halt.ts";
import { withdrawalHaltSection } from "./withdrawal-halt-section.ts";

/** Everything that the venue has signed and read on chains. The users' side of it belongs to the wallet. */
export const chains = part({
  name: "chains",
  commandSchemas: CHAIN_SCHEMAS,
  commands: {
    keep_chain_seed: keepChainSeed,
    reseal_chain_seeds: resealChainSeeds,
    note_chain: noteChain,
    note_unswept: noteUnswept,
    forget_unswept: forgetUnswept,
    sign_payment: signPayment,
    settle_payment: settlePayment,
    note_shortfalls: noteShortfalls,
    halt_withdrawals: haltWithdrawals,
    resume_withdrawals: resumeWithdrawals,
  },
  sections: [chainSection, withdrawalHaltSection],
  check: checkChains,
  audits: (state) => [new PaymentAudit(state)],
});
