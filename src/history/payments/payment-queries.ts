import type { Kysely } from "kysely";
import type { DepositStatus } from "../../engine/payments/deposit.ts";
import type { Method } from "../../engine/payments/method.ts";
import type { WithdrawalStatus } from "../../engine/payments/withdrawal.ts";
import type { RecordOf } from "../../engine/record.ts";
import { COUNTED_MAX, type CountedPage, countUpTo, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { TablesOf } from "../table.ts";
import {
  type DEPOSIT_FIELDS,
  depositRecords,
  type depositRows,
  type WITHDRAWAL_FIELDS,
  withdrawalRecords,
  type withdrawalRows,
} from "./tables.ts";

type Db = Kysely<TablesOf<typeof depositRows | typeof withdrawalRows>>;

/** The filters of both queries; a filter that is not given is not applied. */
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

export interface DepositRow extends RecordOf<typeof DEPOSIT_FIELDS> {
  readonly method: Method;
  readonly status: DepositStatus;
}

export interface WithdrawalRow extends RecordOf<typeof WITHDRAWAL_FIELDS> {
  readonly method: Method;
  readonly status: WithdrawalStatus;
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
  return { ...pageOf(page.map(depositRecords.fieldsOf) as DepositRow[], query.limit), total };
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
  return { ...pageOf(page.map(withdrawalRecords.fieldsOf) as WithdrawalRow[], query.limit), total };
}
