import type { GatewayPart } from "../part.ts";
import { addressHandlers } from "./addresses.ts";
import { depositHandlers } from "./deposits.ts";
import { PAYMENT_FIGURES } from "./figures.ts";
import { findAddresses, findPayments } from "./find-payments.ts";
import { legacyPaymentHandlers } from "./legacy-payments.ts";
import { PAYMENT_CALLS } from "./payment-calls.ts";
import { WITHDRAW_ADDRESS_CALLS } from "./withdraw-address-calls.ts";
import { withdrawalHandlers } from "./withdrawals.ts";

/** Deposits and withdrawals over chains, and payments from one user to another. */
export const payments = {
  name: "payments",
  refusals: {
    chain_not_found: { v2: 3639, v1: 2, rule: "7.1", message: "Invalid Parameter: there is no such chain." },
    address_not_found: { v2: 3639, v1: 2, rule: "7.1", message: "Invalid Parameter: there is no such address." },
    address_taken: { v2: 3639, v1: 2, rule: "7.1", message: "Invalid Parameter: the address is somebody's already." },
    address_superseded: {
      v2: 3639,
      v1: 2,
      rule: "7.1",
      message: "Invalid Parameter: another address has been given meanwhile.",
    },
    address_unused: {
      v2: 3639,
      v1: 2,
      rule: "7.1",
      message: "Invalid Parameter: the present address has not been used.",
    },
    too_many_addresses: { v2: 3639, v1: 2, rule: "7.1", message: "Invalid Parameter: there are too many addresses." },
    deposits_closed: { v2: 3639, v1: 2, rule: "7.1", message: "Invalid Parameter: deposits are closed at present." },
    deposit_not_found: { v2: 3639, v1: 2, rule: "7.1", message: "Invalid Parameter: there is no such deposit." },
    deposit_buried: {
      v2: 3639,
      v1: 2,
      rule: "7.1",
      message: "Invalid Parameter: the block of the deposit was told before.",
    },
    deposit_status: {
      v2: 3639,
      v1: 2,
      rule: "7.1",
      message: "Invalid Parameter: the deposit does not wait for a decision.",
    },
    withdrawals_closed: {
      v2: 3639,
      v1: 2,
      rule: "7.2",
      message: "Invalid Parameter: withdrawals are closed at present.",
    },
    withdrawal_not_found: { v2: 3639, v1: 2, rule: "7.2", message: "Invalid Parameter: there is no such withdrawal." },
    withdrawal_status: {
      v2: 3639,
      v1: 2,
      rule: "7.2",
      message: "Invalid Parameter: the withdrawal is too far for that.",
    },
    withdrawal_too_small: { v2: 3127, v1: 602, rule: "7.2", message: "The amount is below the minimum." },
    withdrawal_precision: {
      v2: 3639,
      v1: 2,
      rule: "7.2",
      message: "Invalid Parameter: the amount has too many decimals.",
    },
    withdrawal_limit: {
      v2: 3639,
      v1: 2,
      rule: "7.2",
      message: "Invalid Parameter: the amount is above the limit of the day.",
    },
    withdraw_address_not_allowed: {
      v2: 3639,
      v1: 2,
      rule: "7.2",
      message: "Invalid Parameter: the address is not on the list.",
    },
    withdraw_barred: { v2: 3639, v1: 2, rule: "7.2", message: "Invalid Parameter: the account owes money." },
    reversible_deposit: {
      v2: 3109,
      v1: 107,
      rule: "7.1",
      message: "A deposit that its chain could still take back has to stay in the account, or its worth.",
    },
    memo_required: { v2: 3639, v1: 2, rule: "7.2", message: "Invalid Parameter: the chain needs a memo." },
    own_address: { v2: 3639, v1: 2, rule: "7.2", message: "Invalid Parameter: the address is one of this venue." },
    no_index_price: {
      v2: 3639,
      v1: 2,
      rule: "7.2",
      message: "Invalid Parameter: the fee has no price in that currency.",
    },
    too_many_withdrawals: {
      v2: 3639,
      v1: 2,
      rule: "7.2",
      message: "Invalid Parameter: too many withdrawals are under way.",
    },
    sub_account_withdrawal: { v2: 4512, v1: 158, rule: "7.2", message: "Only the main account withdraws." },
    chain_unavailable: {
      v2: 4001,
      v1: 35,
      rule: "7.1",
      message: "The chain cannot be asked at present; try again later.",
    },
    counterparty_not_found: {
      v2: 3639,
      v1: 2,
      rule: "7.2",
      message: "Invalid Parameter: there is no such user to withdraw to.",
    },
  },
  figures: PAYMENT_FIGURES,
  handlers: (backend) => ({
    ...addressHandlers(backend),
    ...depositHandlers(backend),
    ...withdrawalHandlers(backend),
  }),
  legacy: legacyPaymentHandlers,
  calls: [...PAYMENT_CALLS, ...WITHDRAW_ADDRESS_CALLS],
  nouns: {
    withdrawal: "look at withdrawals, let them go or stop them",
    "withdraw-address": "say where keys may withdraw to",
    "withdraw-limit": "say how much may be withdrawn in a day",
  },
  finds: [findPayments, findAddresses],
} satisfies GatewayPart;
