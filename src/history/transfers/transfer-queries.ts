import type { Kysely } from "kysely";
import type { RecordOf } from "../../engine/record.ts";
import { COUNTED_MAX, type CountedPage, countUpTo, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { TablesOf } from "../table.ts";
import { type TRANSFER_FIELDS, transferRecords, type transferRows } from "./tables.ts";

type Db = Kysely<TablesOf<typeof transferRows>>;

export interface TransfersQuery extends PageRequest {
  readonly userId: number;
  /** Undefined: every currency. */
  readonly ccy: string | undefined;
  /** Only those from or to this account, such as FUTURES. */
  readonly account: string;
  /** Only those into that account, or only those out of it. */
  readonly into?: boolean | undefined;
  /** Nothing can be what is asked for. */
  readonly isNone: boolean;
  /** Both bounds are inclusive, in ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** A transfer between accounts of a user. */
export type TransferRow = RecordOf<typeof TRANSFER_FIELDS>;

/** Newest first. */
export async function transfersOf(db: Db, query: TransfersQuery): Promise<CountedPage<TransferRow>> {
  if (query.isNone) return { rows: [], hasNext: false, total: 0 };
  const { skip, take } = windowOf(query);
  let rows = db
    .selectFrom("transfers")
    .where("user_id", "=", BigInt(query.userId))
    .where((either) =>
      either.or([
        ...(query.into === true ? [] : [either("from_account", "=", query.account)]),
        ...(query.into === false ? [] : [either("to_account", "=", query.account)]),
      ]),
    );
  if (query.ccy !== undefined) rows = rows.where("ccy", "=", query.ccy);
  if (query.startTime !== undefined) rows = rows.where("time_ms", ">=", BigInt(query.startTime));
  if (query.endTime !== undefined) rows = rows.where("time_ms", "<=", BigInt(query.endTime));
  const total = await countUpTo(db, rows.select("transfer_id").limit(COUNTED_MAX));
  const page = await rows.selectAll().orderBy("transfer_id", "desc").limit(take).offset(skip).execute();
  return { ...pageOf(page.map(transferRecords.fieldsOf), query.limit), total };
}
