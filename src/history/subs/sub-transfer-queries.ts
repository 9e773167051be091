import type { Kysely } from "kysely";
import { COUNTED_MAX, type CountedPage, countUpTo, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { TablesOf } from "../table.ts";
import type { subTransferRows } from "./tables.ts";

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

/** The amount is a decimal of its currency. */
export interface SubTransferRow {
  readonly transferId: number;
  readonly createdAt: number;
  readonly fromUserId: number;
  readonly toUserId: number;
  readonly from: string;
  readonly to: string;
  readonly ccy: string;
  readonly amount: string;
}

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
  const shown = page.map((row) => ({
    transferId: Number(row.transfer_id),
    createdAt: Number(row.time_ms),
    fromUserId: Number(row.from_user_id),
    toUserId: Number(row.to_user_id),
    from: row.from_account,
    to: row.to_account,
    ccy: row.ccy,
    amount: row.amount,
  }));
  return { ...pageOf(shown, query.limit), total };
}
