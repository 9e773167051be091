import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { sortedTextsOf, type UnitsByCcy, unitsOf } from "../snapshot/units.ts";
import type { State } from "../state.ts";
import { enterAddress } from "./addresses.ts";
import { termsOn } from "./chain-terms.ts";
import { enterDelayed, noteHeight } from "./confirm-deposit.ts";
import { countReversible, type Deposit, rememberDeposit } from "./deposit.ts";
import { confirmWithdrawal } from "./pay.ts";
import { type Address, type ChainBook, chainBook, holdingOf, type Payments, payments } from "./payments.ts";
import { enterAllowed } from "./withdraw-address.ts";
import { isOpen, type Withdrawal } from "./withdrawal.ts";

/** Rows are written in pieces, so that no text grows beyond what a text can hold. */
const ROWS_PER_CHUNK = 100_000;

type Texts<Row, Units extends keyof Row> = Omit<Row, Units> & Record<Units, string>;
type DepositText = Texts<Deposit, "amount" | "actualAmount">;
type WithdrawalText = Texts<Withdrawal, "amount" | "fee" | "actualAmount" | "networkFee">;
interface Head {
  readonly chains: readonly { readonly name: string; readonly head: number; readonly buried: number }[];
  readonly nextWithdrawId: number;
  readonly nextAddressId: number;
  readonly debtors: readonly { readonly userId: number; readonly assetId: number }[];
  readonly limits: UnitsByCcy;
  readonly limitsOf: readonly (readonly [userId: number, limits: UnitsByCcy])[];
  readonly spentDay: number;
  readonly spent: readonly (readonly [userId: number, units: UnitsByCcy])[];
  readonly networkReferences: readonly (readonly [string, number])[];
}

/**
 * The section of chains and of payments over them. Addresses stand in the order in which they were given, users' limits
 * by user, the rest by id. Values that follow from the rest are not written: when a payment moves on, the deposits that
 * could be taken back, the withdrawals that are open.
 */
export const paymentsSection: Section = {
  name: "payments",
  version: 1,
  write: (state) => {
    const own = payments.of(state);
    const addresses = booksOf(own).flatMap(({ name, owners }) =>
      [...owners.values()].map((address) => ({ ...address, chain: name })),
    );
    const deposits = byId(own.deposits).map((one) => textOf(one, ["amount", "actualAmount"]));
    const withdrawals = byId(own.withdrawals).map((one) =>
      textOf(one, ["amount", "fee", "actualAmount", "networkFee"]),
    );
    return [
      jsonChunk(headOf(own)),
      ...chunksOf("addresses", addresses),
      ...chunksOf("deposits", deposits),
      ...chunksOf("withdrawals", withdrawals),
      ...chunksOf("allowed", byId(own.allowed)),
    ];
  },
  read: (state, [head, ...chunks]) => {
    readHead(state, jsonOf(head) as Head);
    for (const chunk of chunks) {
      const { kind, rows } = jsonOf(chunk) as { kind: keyof typeof READERS; rows: readonly never[] };
      for (const row of rows) READERS[kind](state, row);
    }
  },
};

const READERS = {
  addresses: (state: State, { chain, ...address }: Address & { readonly chain: string }) =>
    enterAddress(chainBook(state, chain), address),
  deposits: readDeposit,
  withdrawals: readWithdrawal,
  allowed: enterAllowed,
};

function headOf(own: Payments): Head {
  return {
    chains: booksOf(own).map(({ name, head, buried }) => ({ name, head, buried })),
    nextWithdrawId: own.nextWithdrawId,
    nextAddressId: own.nextAddressId,
    debtors: [...own.debtors.values()].sort((one, other) => one.userId - other.userId || one.assetId - other.assetId),
    limits: sortedTextsOf(own.limits),
    limitsOf: byKey(own.limitsOf).map(([userId, limits]) => [userId, sortedTextsOf(limits)]),
    spentDay: own.spentDay,
    spent: byKey(own.spent).map(([userId, units]) => [userId, sortedTextsOf(units)]),
    networkReferences: [...own.networkReferences],
  };
}

function readHead(state: State, head: Head): void {
  const own = payments.of(state);
  for (const { name, head: height, buried } of head.chains) {
    const book = chainBook(state, name);
    book.head = height;
    book.buried = buried;
  }
  own.nextWithdrawId = head.nextWithdrawId;
  own.nextAddressId = head.nextAddressId;
  for (const debtor of head.debtors) own.debtors.set(holdingOf(debtor.userId, debtor.assetId), debtor);
  for (const [ccy, units] of head.limits) own.limits.set(ccy, BigInt(units));
  for (const [userId, limits] of head.limitsOf) own.limitsOf.set(userId, unitsOf(limits));
  own.spentDay = head.spentDay;
  for (const [userId, units] of head.spent) own.spent.set(userId, unitsOf(units));
  for (const [reference, until] of head.networkReferences) own.networkReferences.set(reference, until);
}

function readDeposit(state: State, text: DepositText): void {
  const deposit: Deposit = { ...text, amount: BigInt(text.amount), actualAmount: BigInt(text.actualAmount) };
  rememberDeposit(state, deposit);
  if (deposit.creditAt > 0) enterDelayed(state, deposit);
  if (deposit.status === "finished" && !deposit.settled) countReversible(state, deposit, deposit.actualAmount);
  const asset = state.assets[deposit.assetId];
  const terms = asset === undefined ? undefined : termsOn(asset, deposit.chain);
  if (terms !== undefined) noteHeight(state, deposit, terms);
}

function readWithdrawal(state: State, text: WithdrawalText): void {
  const one: Withdrawal = {
    ...text,
    amount: BigInt(text.amount),
    fee: BigInt(text.fee),
    actualAmount: BigInt(text.actualAmount),
    networkFee: BigInt(text.networkFee),
  };
  const { withdrawals, openOf } = payments.of(state);
  withdrawals.set(one.withdrawId, one);
  if (isOpen(one)) openOf.set(one.userId, (openOf.get(one.userId) ?? 0) + 1);
  // Only enters when it goes on: what could go on has.
  if (one.method === "on_chain") confirmWithdrawal(state, one);
}

function chunksOf(kind: keyof typeof READERS, rows: readonly unknown[]): Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < rows.length; at += ROWS_PER_CHUNK) {
    chunks.push(jsonChunk({ kind, rows: rows.slice(at, at + ROWS_PER_CHUNK) }));
  }
  return chunks;
}

function textOf<Row extends object, Units extends keyof Row & string>(row: Row, units: readonly Units[]) {
  const texts = Object.fromEntries(units.map((name) => [name, String(row[name])]));
  return { ...row, ...texts };
}

function booksOf({ chains }: Payments): ChainBook[] {
  return [...chains.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function byKey<Value>(of: ReadonlyMap<number, Value>): [number, Value][] {
  return [...of].sort(([one], [other]) => one - other);
}

function byId<Value>(of: ReadonlyMap<number, Value>): Value[] {
  return byKey(of).map(([, value]) => value);
}
