import type { Kysely } from "kysely";
import type { RecordOf } from "../../engine/record.ts";
import { COUNTED_MAX, type CountedPage, countUpTo, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { TablesOf } from "../table.ts";
import { type SUB_TRANSFER_FIELDS, subTransferRecords, type subTransferRows } from "./tables.ts";

export interface SubTransfersQuery extends PageRequest {
  /** The main account. */
  readonly userId: number;
  /** Only those from or to this sub-account. */
  readonly subUserId?: number | undefined;
  readonly ccy?: string | undefined;
  /** Both bounds are inclusive, in ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

export type SubTransferRow = RecordOf<typeof SUB_TRANSFER_FIELDS>;

/** Newest first. */
export async function subTransfersOf(
  db: Kysely<TablesOf<typeof subTransferRows>>,
  query: SubTransfersQuery,
): Promise<CountedPage<SubTransferRow>> {
  const { skip, take } = windowOf(query);
  const { subUserId, ccy, startTime, endTime } = query;
  let rows = db.selectFrom("sub_transfers").where("user_id", "=", BigInt(query.userId));
  if (subUserId !== undefined) {
    const sub = BigInt(subUserId);
    rows = rows.where((either) => either.or([either("from_user_id", "=", sub), either("to_user_id", "=", sub)]));
  }
  if (ccy !== undefined) rows = rows.where("ccy", "=", ccy);
  if (startTime !== undefined) rows = rows.where("time_ms", ">=", BigInt(startTime));
  if (endTime !== undefined) rows = rows.where("time_ms", "<=", BigInt(endTime));
  const total = await countUpTo(db, rows.select("transfer_id").limit(COUNTED_MAX));
  const page = await rows.selectAll().orderBy("transfer_id", "desc").limit(take).offset(skip).execute();
  return { ...pageOf(page.map(subTransferRecords.fieldsOf), query.limit), total };
}
