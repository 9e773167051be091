import type { DatabaseSync } from "node:sqlite";
import type { dealRows } from "../deals/tables.ts";
import { type OpenTables, prepared } from "../part.ts";
import type { TablesOf } from "../table.ts";
import type { balanceChanges } from "./tables.ts";

/** Entries that a deal takes: two lines of each side, and one of each side's fee. */
const ENTRIES_PER_DEAL = 6;

/** Numbers the lines of statements over all users: those of deals, which lie with the deals, and all others. */
export class Entries {
  #last: number;

  constructor({ database, db }: OpenTables<TablesOf<typeof dealRows | typeof balanceChanges>>) {
    const newestChange = db.selectFrom("balance_changes").select(({ fn }) => fn.max("entry").as("entry"));
    const newestDeal = db
      .selectFrom("deals")
      .select("first_entry as entry")
      .where("deal_id", "=", ({ selectFrom }) =>
        selectFrom("deals").select(({ fn }) => fn.max("deal_id").as("newest")),
      );
    const lastChange = Number(prepared(database, newestChange).get()?.["entry"] ?? 0);
    const lastDeal = Number(prepared(database, newestDeal).get()?.["entry"] ?? 1 - ENTRIES_PER_DEAL);
    this.#last = Math.max(lastChange, lastDeal + ENTRIES_PER_DEAL - 1);
  }

  next(): number {
    return ++this.#last;
  }

  /** The first of those of a deal. */
  ofDeal(): number {
    const first = this.#last + 1;
    this.#last += ENTRIES_PER_DEAL;
    return first;
  }
}

const entries = new WeakMap<DatabaseSync, Entries>();

/** The one count of a file, for all who write lines. */
export function entriesOf(file: OpenTables<TablesOf<typeof dealRows | typeof balanceChanges>>): Entries {
  const known = entries.get(file.database) ?? new Entries(file);
  entries.set(file.database, known);
  return known;
}
