/** The review of a withdrawal: let it go, or stop it. */
import { plain } from "../../number/show.ts";
import { Copyable } from "../../ui/figure.tsx";
import type { Act, Fact, Row } from "../area.ts";
import { timeText } from "../record.tsx";
import { UserName } from "../user-name.tsx";
import type { Subject } from "./task.ts";

const CALL = "POST /admin/withdrawals/WITHDRAW_ID";
const ENDED = ["finished", "cancelled", "failed"];

export const WITHDRAWAL: Subject = {
  word: "Withdrawal that waits",
  source: () => ({ path: "/admin/withdrawals", query: { status: "audit_required", limit: "50" } }),
  rows: "withdrawals",
  key: (row) => String(row["withdraw_id"]),
  says: (row) => `${row["withdraw_id"]}: ${plain(row["amount"])} ${row["ccy"]} of user ${row["user_id"]}`,
  none: "No withdrawal waits for an operator.",
};

function factsOf(row: Row): readonly Fact[] {
  const memo: readonly Fact[] = row["memo"] ? [["Memo", row["memo"]]] : [];
  return [
    ["User", <UserName id={row["user_id"]} />],
    ["Amount", `${plain(row["amount"])} ${row["ccy"]}`],
    ["Chain", row["chain"] || "within the venue"],
    ["To", <Copyable value={String(row["to_address"])} label="the address" />],
    ...memo,
    ["Asked for", timeText(row["created_at"])],
  ];
}

export function reviewActs(row: Row): readonly Act[] {
  const withdraw_id = row["withdraw_id"];
  if (ENDED.includes(row["status"])) return [];
  const what = `${plain(row["amount"])} ${row["ccy"]}`;
  const facts = factsOf(row);
  const stop: Act = {
    word: "Reject",
    call: CALL,
    says: "Say why in the note: the user and other operators will ask.",
    fixed: { withdraw_id, approve: false },
    facts,
    effects: () => [
      `${what} does not leave the venue, unless it is on its way already and can no longer be stopped.`,
      `User ${row["user_id"]} has all that it froze available again, and may ask for another withdrawal.`,
    ],
    moves: () => undefined,
    isDangerous: true,
  };
  if (row["status"] !== "audit_required") return [stop];
  const letGo: Act = {
    word: "Approve",
    call: CALL,
    says: "Compare the address with what the user has told you, to the last letter.",
    fixed: { withdraw_id, approve: true },
    facts,
    effects: () => [
      `${plain(row["actual_amount"])} ${row["ccy"]} arrives at ${row["to_address"]}.`,
      "Nothing that was sent can be called back.",
    ],
    moves: () => ({ amount: row["amount"], ccy: row["ccy"] }),
  };
  return [letGo, stop];
}
