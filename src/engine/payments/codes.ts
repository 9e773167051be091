/** Codes of deposits and withdrawals that travel in records; they never change. */
import { DUE_RANKS } from "../due.ts";
import { CELLS } from "../ledger/cell.ts";
import { POSTINGS } from "../ledger/posting.ts";
import { declareRefusals } from "../refusal.ts";

const PAYMENT_REFUSALS = declareRefusals({
  chain_not_found: 125,
  address_not_found: 126,
  address_taken: 127,
  address_superseded: 128,
  address_unused: 129,
  too_many_addresses: 130,
  deposits_closed: 131,
  deposit_not_found: 132,
  deposit_buried: 133,
  deposit_status: 134,
  withdrawals_closed: 135,
  withdrawal_not_found: 136,
  withdrawal_status: 137,
  withdrawal_too_small: 138,
  withdrawal_precision: 139,
  withdrawal_limit: 140,
  withdraw_address_not_allowed: 141,
  withdraw_barred: 142,
  memo_required: 143,
  own_address: 144,
  no_index_price: 145,
  too_many_withdrawals: 146,
  sub_account_withdrawal: 147,
  counterparty_not_found: 148,
  chain_unavailable: 149,
  reversible_deposit: 150,
});

export const PAYMENT_CELL = CELLS.declare({
  /** Venue money that networks have taken, until an operator makes up for it. */
  network_cost: { code: 18, owner: "venue", sign: "negative", place: "asset" },
  /** The debt of a user because a chain took a credited deposit back and he no longer had all of it. */
  deposit_debt: { code: 19, owner: "user", sign: "negative", place: "asset" },
  /** Money that the venue has paid beyond its holdings for others, because others owe. */
  own_purse: { code: 20, owner: "venue", sign: "positive", place: "asset", adjustsAs: "sys:own_purse" },
});

export const PAYMENT_POSTING = POSTINGS.declare({
  /** A chain took a deposit back, or what is owed for one is paid. */
  take_back: { code: 22, statement: "deposit" },
  withdraw: { code: 23, statement: "withdraw" },
  /** A debt, of the venue for its networks or of a user for a deposit; no balance of a user. */
  owe: { code: 24 },
});

/** The rank of deposits that may be credited now: before anything that looks at balances. */
export const PAYMENT_RANK = DUE_RANKS.declare({ deposit_credit: { code: 25 } });

type OwnRefusals = typeof PAYMENT_REFUSALS;
type OwnCells = typeof PAYMENT_CELL;
type OwnPostings = typeof PAYMENT_POSTING;

declare module "../refusal.ts" {
  interface Refusals extends OwnRefusals {}
}
declare module "../ledger/cell.ts" {
  interface CellKinds extends OwnCells {}
}
declare module "../ledger/posting.ts" {
  interface PostingKinds extends OwnPostings {}
}
