import { part } from "../part.ts";
import "./events.ts";
import { assignAddress } from "./addresses.ts";
import { setAssetChain, setInterTransfer } from "./asset-settings.ts";
import { noteHead, payNetwork } from "./chain-head.ts";
import { PAYMENT_SCHEMAS } from "./command-schemas.ts";
import { creditsDue } from "./confirm-deposit.ts";
import { paymentHoldings } from "./holdings.ts";
import {
  broadcastWithdrawal,
  failWithdrawal,
  leaveUnstopped,
  loseWithdrawal,
  mineWithdrawal,
  startWithdrawal,
} from "./pay.ts";
import { PaymentsAudit } from "./payments-audit.ts";
import { checkPayments } from "./payments-invariants.ts";
import { paymentsSection } from "./payments-section.ts";
import { owesToChain, refuseReversibleOutflow, refuseReversibleResult } from "./reversible.ts";
import { resolveDeposit, reviewWithdrawal } from "./review.ts";
import { loseDeposit, seeDeposit } from "./see-deposit.ts";
import { cancelWithdrawal, withdraw } from "./withdraw.ts";
import { allowAddress, forbidAddress } from "./withdraw-address.ts";
import { setWithdrawLimit } from "./withdraw-limit.ts";

/** Money that comes over chains and leaves over them, or goes from one user to another. */
export const payments = part({
  name: "payments",
  commandSchemas: PAYMENT_SCHEMAS,
  commands: {
    assign_address: assignAddress,
    deposit_seen: seeDeposit,
    deposit_gone: loseDeposit,
    chain_head: noteHead,
    network_paid: payNetwork,
    withdraw,
    cancel_withdrawal: cancelWithdrawal,
    review_withdrawal: reviewWithdrawal,
    withdrawal_started: startWithdrawal,
    withdrawal_broadcast: broadcastWithdrawal,
    withdrawal_mined: mineWithdrawal,
    withdrawal_gone: loseWithdrawal,
    withdrawal_unstoppable: leaveUnstopped,
    withdrawal_failed: failWithdrawal,
    resolve_deposit: resolveDeposit,
    allow_withdraw_address: allowAddress,
    forbid_withdraw_address: forbidAddress,
    set_withdraw_limit: setWithdrawLimit,
    set_asset_chain: setAssetChain,
    set_inter_transfer: setInterTransfer,
  },
  sections: [paymentsSection],
  check: checkPayments,
  audits: (state) => [new PaymentsAudit(state)],
  due: creditsDue,
  owes: owesToChain,
  refuseOutflow: refuseReversibleOutflow,
  refuseResult: refuseReversibleResult,
  looksAtFairOrders: owesToChain,
  holdings: paymentHoldings,
});
