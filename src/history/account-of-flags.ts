import { sql } from "kysely";
import { ACCOUNTS, type Account } from "../engine/command.ts";

/** The account, as its place in ACCOUNTS, that the column `flags` tells of by these two bits of it. */
export function accountIn(futures: number, margin: number) {
  const is = (bit: number) => sql<number>`(flags & ${sql.lit(bit)}) <> 0`;
  const place = (account: Account) => sql.lit(ACCOUNTS.indexOf(account));
  return sql<number>`case when ${is(futures)} then ${place("futures")} when ${is(margin)} then ${place("margin")}
    else ${place("spot")} end`;
}
