/** The events of deposits and withdrawals. Amounts are decimals of their currency. */
import type { DepositStatus } from "./deposit.ts";
import type { Method } from "./method.ts";
import type { WithdrawalStatus } from "./withdrawal.ts";

declare module "../event.ts" {
  interface RareEvents {
    address_assigned: {
      readonly userId: number;
      readonly chain: string;
      readonly renewals: number;
      readonly address: string;
      readonly memo: string;
    };
    /** A deposit is new, or has moved on: all that is known of it. `settled`: no chain takes it back any more. */
    deposit_moved: {
      readonly depositId: number;
      /** null: nobody knows whose it is. */
      readonly userId: number | null;
      readonly method: Method;
      readonly chain: string;
      readonly txId: string;
      readonly output: number;
      readonly toAddress: string;
      readonly memo: string;
      readonly ccy: string;
      readonly amount: string;
      readonly actualAmount: string;
      readonly status: DepositStatus;
      readonly settled: boolean;
      readonly height: number;
      readonly confirmations: number;
      readonly remark: string;
      readonly createdAt: number;
    };
    /** The chain took a credited deposit back: `taken` of it was still there, the rest is owed. */
    deposit_taken_back: {
      readonly depositId: number;
      readonly userId: number;
      readonly ccy: string;
      readonly taken: string;
      readonly owed: string;
    };
    deposit_debt_paid: { readonly userId: number; readonly ccy: string; readonly amount: string };
    /** Of what left, so much was the venue's own: it was no longer held for anybody. */
    purse_paid: { readonly ccy: string; readonly amount: string };
    network_cost: { readonly chain: string; readonly ccy: string; readonly amount: string };
    /** A withdrawal is new, or has moved on: all that is known of it. */
    withdrawal_moved: {
      readonly withdrawId: number;
      readonly userId: number;
      readonly method: Method;
      readonly chain: string;
      readonly toAddress: string;
      /** Who receives it, between users. */
      readonly toUserId: number | null;
      readonly memo: string;
      readonly ccy: string;
      readonly amount: string;
      readonly feeCcy: string;
      readonly fee: string;
      readonly actualAmount: string;
      readonly remark: string;
      readonly status: WithdrawalStatus;
      readonly txId: string;
      readonly height: number;
      readonly confirmations: number;
      /** Why it was stopped or failed; for operators. */
      readonly note: string;
      readonly createdAt: number;
    };
    /** A withdrawal that had its confirmations is in the chain no more: somebody has to look. */
    withdrawal_lost: { readonly withdrawId: number; readonly chain: string; readonly txId: string };
    withdraw_address_allowed: {
      readonly addressId: number;
      readonly userId: number;
      readonly chain: string;
      readonly address: string;
      readonly memo: string;
    };
    withdraw_address_forbidden: { readonly addressId: number; readonly userId: number };
    withdraw_limit_set: { readonly userId: number | null; readonly ccy: string; readonly amount: string | null };
    asset_chain_set: { readonly ccy: string; readonly chain: string };
    inter_transfer_set: { readonly ccy: string; readonly enabled: boolean };
  }
}
