import type { dealRows } from "../deals/tables.ts";
import type { WrittenTables } from "../part.ts";
import type { TablesOf } from "../table.ts";
import type { balanceChanges } from "./tables.ts";

type Tables = WrittenTables<TablesOf<typeof dealRows | typeof balanceChanges>>;

/** Entries that a deal takes: two lines of each side, and one of each side's fee. */
const ENTRIES_PER_DEAL = 6;

/** Numbers the lines of statements over all users: those of deals, which lie with the deals, and all others. */
export class Entries {
  #last: number;

  private constructor(last: number) {
    this.#last = last;
  }

  static async after({ db }: Tables): Promise<Entries> {
    const newestChange = await db
      .selectFrom("balance_changes")
      .select(({ fn }) => fn.max("entry").as("entry"))
      .executeTakeFirst();
    const newestDeal = await db
      .selectFrom("deals")
      .select("first_entry as entry")
      .where("deal_id", "=", ({ selectFrom }) => selectFrom("deals").select(({ fn }) => fn.max("deal_id").as("newest")))
      .executeTakeFirst();
    const lastChange = Number(newestChange?.entry ?? 0);
    const lastDeal = Number(newestDeal?.entry ?? 1 - ENTRIES_PER_DEAL);
    return new Entries(Math.max(lastChange, lastDeal + ENTRIES_PER_DEAL - 1));
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

const entries = new WeakMap<Tables, Promise<Entries>>();

/** The one count of a history, for all who write lines. */
export function entriesOf(tables: Tables): Promise<Entries> {
  const known = entries.get(tables) ?? Entries.after(tables);
  entries.set(tables, known);
  return known;
}
