/**
 * Deposits, withdrawals and sign-ins, of which no push tells: they are asked after on a beat, and what is new or has
 * changed is told.
 */
import { createEffect, createRoot, on, onCleanup } from "solid-js";
import { userId } from "../account/session.ts";
import { get, getPage } from "../api/client.ts";
import type { Deposit, Withdrawal } from "../api/records.ts";
import { grouped } from "../number/show.ts";
import { tell } from "./notice-list.ts";

const BEAT_MS = 5_000;
/** Newest ones that are asked for. */
const LOOKED_AT = 20;

interface WebSession {
  readonly session_id: number;
  readonly is_current: boolean;
  readonly by: string;
  readonly address: string;
}

/** The state of each record as it was last seen. */
type Seen = Map<number, string>;

/** Calls `news` for what is not as it was; the first look only takes it in. */
export function changesSince<Row>(
  seen: Seen | undefined,
  rows: readonly Row[],
  of: (row: Row) => readonly [id: number, state: string],
  news: (row: Row) => void,
): Seen {
  for (const row of rows) {
    const [id, state] = of(row);
    if (seen !== undefined && seen.get(id) !== state) news(row);
  }
  return new Map(rows.map(of));
}

const DEPOSIT_WORDS: Readonly<Partial<Record<Deposit["status"], string>>> = {
  processing: "is on its way",
  confirming: "waits for its blocks",
  finished: "has arrived in your spot account",
  too_small: "is below the minimum and was not credited",
  exception: "needs the help of the venue",
  cancelled: "was cancelled",
};

function tellDeposit({ amount, ccy, status }: Deposit): void {
  const word = DEPOSIT_WORDS[status] ?? status;
  const isBad = status === "too_small" || status === "exception" || status === "cancelled";
  tell(`Your deposit of ${grouped(amount)} ${ccy} ${word}.`, status === "finished" ? "good" : isBad ? "bad" : "plain");
}

function tellWithdrawal({ amount, ccy, status }: Withdrawal): void {
  const isBad = /cancel|fail/.test(status);
  const tone = status === "finished" ? "good" : isBad ? "bad" : "plain";
  tell(`Your withdrawal of ${grouped(amount)} ${ccy}: ${status.replaceAll("_", " ")}.`, tone);
}

export function followAccount(): void {
  createRoot(() => {
    createEffect(
      on(userId, (who) => {
        if (who === undefined) return;
        let [deposits, withdrawals, sessions]: (Seen | undefined)[] = [];
        let isOver = false;
        const look = async () => {
          const query = { limit: LOOKED_AT };
          const [came, left, signedIn] = await Promise.all([
            getPage<Deposit>("/v2/assets/deposit-history", query),
            getPage<Withdrawal>("/v2/assets/withdraw", query),
            get<{ readonly sessions: readonly WebSession[] }>("/web/sessions"),
          ]);
          if (isOver) return;
          const stateOf = (id: number, status: string) => [id, status] as const;
          deposits = changesSince(deposits, came.rows, (row) => stateOf(row.deposit_id, row.status), tellDeposit);
          withdrawals = changesSince(
            withdrawals,
            left.rows,
            (row) => stateOf(row.withdraw_id, row.status),
            tellWithdrawal,
          );
          sessions = changesSince(
            sessions,
            signedIn.sessions.filter(({ is_current }) => !is_current),
            (row) => stateOf(row.session_id, ""),
            ({ by, address }) =>
              tell(
                `Somebody signed in to your account by ${by.replaceAll("_", " ")} ` +
                  `from ${address}. If it was not you, end that session under Security.`,
                "bad",
              ),
          );
        };
        // Not to be reached is what the connection's dot says; the next beat asks again.
        const quietly = () => void look().catch(() => {});
        const beat = setInterval(quietly, BEAT_MS);
        quietly();
        onCleanup(() => {
          isOver = true;
          clearInterval(beat);
        });
      }),
    );
  });
}
