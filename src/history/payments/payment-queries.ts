import type { Kysely } from "kysely";
import type { DepositStatus } from "../../engine/payments/deposit.ts";
import type { Method } from "../../engine/payments/method.ts";
import type { WithdrawalStatus } from "../../engine/payments/withdrawal.ts";
import { COUNTED_MAX, type CountedPage, countUpTo, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { TablesOf } from "../table.ts";
import type { depositRows, withdrawalRows } from "./tables.ts";

type Db = Kysely<TablesOf<typeof depositRows | typeof withdrawalRows>>;

/** What is asked of both; what is not given is not looked at. */
interface PaymentsQuery extends PageRequest {
  /** Absent: of all users, and of nobody; for operators. */
  readonly userId?: number | undefined;
  readonly ccy?: string | undefined;
}

export interface DepositsQuery extends PaymentsQuery {
  readonly depositId?: number | undefined;
  readonly txId?: string | undefined;
  /** Those that stand in one of these ways. */
  readonly statuses?: readonly DepositStatus[] | undefined;
}

export interface WithdrawalsQuery extends PaymentsQuery {
  readonly withdrawId?: number | undefined;
  readonly txId?: string | undefined;
  readonly status?: WithdrawalStatus | undefined;
}

interface PaymentRow {
  /** 0: nobody knows whose. */
  readonly userId: number;
  readonly createdAt: number;
  readonly method: Method;
  readonly chain: string;
  readonly toAddress: string;
  readonly memo: string;
  readonly ccy: string;
  /** Decimals. */
  readonly amount: string;
  readonly actualAmount: string;
  readonly txId: string;
  /** Of its block, 0 while in none, and how many confirmations it had when it was last told of. */
  readonly height: number;
  readonly confirmations: number;
  readonly remark: string;
}

export interface DepositRow extends PaymentRow {
  readonly depositId: number;
  readonly status: DepositStatus;
}

export interface WithdrawalRow extends PaymentRow {
  readonly withdrawId: number;
  readonly feeCcy: string;
  readonly fee: string;
  readonly status: WithdrawalStatus;
  readonly note: string;
}

export async function depositsOf(db: Db, query: DepositsQuery): Promise<CountedPage<DepositRow>> {
  const { userId, ccy, depositId, txId, statuses } = query;
  const { skip, take } = windowOf(query);
  let rows = db.selectFrom("deposits");
  if (userId !== undefined) rows = rows.where("user_id", "=", BigInt(userId));
  if (ccy !== undefined) rows = rows.where("ccy", "=", ccy);
  if (depositId !== undefined) rows = rows.where("deposit_id", "=", BigInt(depositId));
  if (txId !== undefined) rows = rows.where("tx_id", "=", txId);
  if (statuses !== undefined) rows = rows.where("status", "in", statuses);
  const total = await countUpTo(db, rows.select("deposit_id").limit(COUNTED_MAX));
  const page = await rows.selectAll().orderBy("deposit_id", "desc").limit(take).offset(skip).execute();
  const shown = page.map(
    (row): DepositRow => ({
      ...paymentOf(row),
      depositId: Number(row.deposit_id),
      status: row.status as DepositStatus,
    }),
  );
  return { ...pageOf(shown, query.limit), total };
}

export async function withdrawalsOf(db: Db, query: WithdrawalsQuery): Promise<CountedPage<WithdrawalRow>> {
  const { userId, ccy, withdrawId, txId, status } = query;
  const { skip, take } = windowOf(query);
  let rows = db.selectFrom("withdrawals");
  if (userId !== undefined) rows = rows.where("user_id", "=", BigInt(userId));
  if (ccy !== undefined) rows = rows.where("ccy", "=", ccy);
  if (withdrawId !== undefined) rows = rows.where("withdraw_id", "=", BigInt(withdrawId));
  if (txId !== undefined) rows = rows.where("tx_id", "=", txId);
  if (status !== undefined) rows = rows.where("status", "=", status);
  const total = await countUpTo(db, rows.select("withdraw_id").limit(COUNTED_MAX));
  const page = await rows.selectAll().orderBy("withdraw_id", "desc").limit(take).offset(skip).execute();
  const shown = page.map(
    (row): WithdrawalRow => ({
      ...paymentOf(row),
      withdrawId: Number(row.withdraw_id),
      feeCcy: row.fee_ccy,
      fee: row.fee,
      status: row.status as WithdrawalStatus,
      note: row.note,
    }),
  );
  return { ...pageOf(shown, query.limit), total };
}

/** The columns that both tables have. */
interface Columns {
  readonly user_id: bigint;
  readonly time_ms: bigint;
  readonly method: string;
  readonly chain: string;
  readonly to_address: string;
  readonly memo: string;
  readonly ccy: string;
  readonly amount: string;
  readonly actual_amount: string;
  readonly tx_id: string;
  readonly height: bigint;
  readonly confirmations: bigint;
  readonly remark: string;
}

function paymentOf(row: Columns): PaymentRow {
  return {
    userId: Number(row.user_id),
    createdAt: Number(row.time_ms),
    method: row.method as Method,
    chain: row.chain,
    toAddress: row.to_address,
    memo: row.memo,
    ccy: row.ccy,
    amount: row.amount,
    actualAmount: row.actual_amount,
    txId: row.tx_id,
    height: Number(row.height),
    confirmations: Number(row.confirmations),
    remark: row.remark,
  };
}
