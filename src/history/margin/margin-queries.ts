import type { Kysely } from "kysely";
import type { LoanStatus } from "../../engine/margin/loan.ts";
import type { RecordOf } from "../../engine/record.ts";
import { COUNTED_MAX, type CountedPage, countUpTo, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { TablesOf } from "../table.ts";
import {
  type LOAN_FIELDS,
  loanRecords,
  type loanRows,
  type MARGIN_TRANSFER_FIELDS,
  marginTransferRecords,
  type marginTransferRows,
} from "./tables.ts";

type Db = Kysely<TablesOf<typeof loanRows | typeof marginTransferRows>>;

export interface LoansQuery extends PageRequest {
  /** Absent: those of everybody. */
  readonly userId?: number | undefined;
  readonly marketId?: number | undefined;
  readonly status?: LoanStatus | undefined;
}

/** A loan as it stood when something was last done to it. */
export interface LoanRow extends RecordOf<typeof LOAN_FIELDS> {
  readonly status: LoanStatus;
}

export interface MarginTransfersQuery extends PageRequest {
  readonly userId: number;
  readonly ccy?: string | undefined;
  readonly marketId?: number | undefined;
  /** Only those into margin accounts, or only those out of them. */
  readonly isIn?: boolean | undefined;
  /** Nothing can be what is asked for. */
  readonly isNone?: boolean | undefined;
  /** Both bounds are inclusive, in ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

export type MarginTransferRow = RecordOf<typeof MARGIN_TRANSFER_FIELDS>;

/** Newest first. */
export async function loansOf(db: Db, query: LoansQuery): Promise<CountedPage<LoanRow>> {
  const { skip, take } = windowOf(query);
  let rows = db.selectFrom("loans");
  if (query.userId !== undefined) rows = rows.where("user_id", "=", BigInt(query.userId));
  if (query.marketId !== undefined) rows = rows.where("market_id", "=", BigInt(query.marketId));
  if (query.status !== undefined) rows = rows.where("status", "=", query.status);
  const total = await countUpTo(db, rows.select("borrow_id").limit(COUNTED_MAX));
  const page = await rows.selectAll().orderBy("borrow_id", "desc").limit(take).offset(skip).execute();
  return { ...pageOf(page.map(loanRecords.fieldsOf) as LoanRow[], query.limit), total };
}

/** Newest first. */
export async function marginTransfersOf(db: Db, query: MarginTransfersQuery): Promise<CountedPage<MarginTransferRow>> {
  if (query.isNone) return { rows: [], hasNext: false, total: 0 };
  const { skip, take } = windowOf(query);
  let rows = db.selectFrom("margin_transfers").where("user_id", "=", BigInt(query.userId));
  if (query.ccy !== undefined) rows = rows.where("ccy", "=", query.ccy);
  if (query.isIn !== undefined) rows = rows.where("is_in", "=", query.isIn ? 1n : 0n);
  if (query.marketId !== undefined) rows = rows.where("market_id", "=", BigInt(query.marketId));
  if (query.startTime !== undefined) rows = rows.where("time_ms", ">=", BigInt(query.startTime));
  if (query.endTime !== undefined) rows = rows.where("time_ms", "<=", BigInt(query.endTime));
  const total = await countUpTo(db, rows.select("transfer_id").limit(COUNTED_MAX));
  const page = await rows.selectAll().orderBy("transfer_id", "desc").limit(take).offset(skip).execute();
  return { ...pageOf(page.map(marginTransferRecords.fieldsOf), query.limit), total };
}
