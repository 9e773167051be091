/** Pages about money: what comes in and goes out, what waits for consent, and what stands for losses. */
import { grouped } from "../../number/show.ts";
import type { Area } from "../area.ts";
import { amount, number, tag, text, time, user } from "../columns.tsx";
import { Reconciliation } from "../reconciliation.tsx";
import { operator } from "../session.ts";
import { reviewActs } from "../tasks/money-tasks.tsx";
import { UserName } from "../user-name.tsx";

const DEPOSIT_STATES = ["processing", "confirming", "finished", "too_small", "exception", "cancelled"];
const WITHDRAWAL_STATES = [
  "created",
  "audit_required",
  "audited",
  "processing",
  "confirming",
  "finished",
  "cancelled",
  "cancellation_failed",
  "failed",
];
const STATE_TONES = {
  finished: "up",
  audit_required: "warning",
  exception: "warning",
  failed: "down",
  cancellation_failed: "down",
} as const;

const deposits: Area = {
  id: "deposits",
  name: "Deposits",
  group: "Money",
  says: "What came in over chains, and what operators have credited, with why.",
  acts: [
    { word: "Credit", call: "POST /admin/deposits" },
    { word: "Adjust", call: "POST /admin/adjustments" },
  ],
  lists: [
    {
      id: "exceptions",
      name: "Waiting",
      path: "/admin/deposits",
      rows: "deposits",
      isPaged: true,
      query: { status: "exception" },
      key: (row) => String(row["deposit_id"]),
      title: (row) => `Deposit ${row["deposit_id"]}`,
      filters: [
        { name: "user_id", word: "User" },
        { name: "ccy", word: "Currency" },
      ],
      empty: "No deposit waits for an operator.",
      columns: chainColumns(),
      acts: (row) => [
        {
          word: "Credit to a user",
          call: "POST /admin/deposits/DEPOSIT_ID",
          fixed: { deposit_id: row["deposit_id"] },
          ask: ["assign_to", "note"],
        },
        {
          word: "Discard deposit",
          call: "POST /admin/deposits/DEPOSIT_ID",
          says: "Nobody is credited, for ever.",
          fixed: { deposit_id: row["deposit_id"], cancel: true },
          ask: ["note"],
          isDangerous: true,
        },
      ],
    },
    {
      id: "chain",
      name: "Over chains",
      path: "/admin/deposits",
      rows: "deposits",
      isPaged: true,
      key: (row) => String(row["deposit_id"]),
      title: (row) => `Deposit ${row["deposit_id"]}`,
      filters: [
        { name: "status", word: "Status", choices: DEPOSIT_STATES, standard: "finished" },
        { name: "user_id", word: "User" },
        { name: "ccy", word: "Currency" },
      ],
      empty: "No deposit is in this status.",
      columns: chainColumns(),
    },
    {
      id: "credits",
      name: "Credited by operators",
      path: "/admin/deposits",
      rows: "deposits",
      isPaged: true,
      key: (row) => String(row["deposit_id"]),
      title: (row) => `Credit ${row["deposit_id"]}`,
      filters: [
        { name: "user_id", word: "User" },
        { name: "actor", word: "Operator" },
      ],
      empty: "No operator has credited anybody.",
      columns: [
        text("No", "deposit_id"),
        { name: "To", cell: (row) => row["cell"] ?? <UserName id={row["user_id"]} /> },
        amount("Amount", "amount"),
        text("By", "actor"),
        text("Why", "note"),
        time("Time", "created_at"),
      ],
    },
  ],
};

function chainColumns() {
  return [
    text("No", "deposit_id"),
    user(),
    amount("Amount", "amount"),
    text("Chain", "chain"),
    tag("Status", "status", STATE_TONES),
    number("Confirmed", "confirmations", { isMinor: true }),
    time("Time", "created_at", { isMinor: true }),
  ];
}

const withdrawals: Area = {
  id: "withdrawals",
  name: "Withdrawals",
  group: "Money",
  says: "What users take out. Above the bounds of the settings an operator lets it go, or two do.",
  acts: [
    { word: "Add address", call: "POST /admin/withdraw-addresses" },
    { word: "Limit withdrawals", call: "POST /admin/withdraw-limits" },
  ],
  lists: [
    {
      id: "withdrawals",
      name: "Withdrawals",
      path: "/admin/withdrawals",
      rows: "withdrawals",
      isPaged: true,
      beatMs: 10_000,
      key: (row) => String(row["withdraw_id"]),
      title: (row) => `Withdrawal ${row["withdraw_id"]}`,
      filters: [
        { name: "status", word: "Status", choices: WITHDRAWAL_STATES },
        { name: "user_id", word: "User" },
        { name: "ccy", word: "Currency" },
      ],
      empty: "Nobody has withdrawn, or nothing fits.",
      columns: [
        text("No", "withdraw_id"),
        user(),
        amount("Amount", "amount"),
        text("Chain", "chain", { isMinor: true }),
        text("To", "to_address", { isMinor: true }),
        tag("Status", "status", STATE_TONES),
        time("Time", "created_at", { isMinor: true }),
      ],
      acts: reviewActs,
    },
    {
      id: "addresses",
      name: "Addresses of keys",
      path: "/admin/withdraw-addresses",
      rows: "withdraw_addresses",
      isPaged: true,
      key: (row) => String(row["address_id"]),
      title: (row) => `Address ${row["address_id"]}`,
      filters: [
        { name: "user_id", word: "User" },
        { name: "chain", word: "Chain" },
      ],
      empty: "Keys may withdraw nowhere yet.",
      columns: [
        text("No", "address_id"),
        user(),
        text("Chain", "chain"),
        text("Address", "address"),
        text("Remark", "remark", { isMinor: true }),
      ],
      acts: (row) => [
        {
          word: "Remove address",
          call: "DELETE /admin/withdraw-addresses/ADDRESS_ID",
          fixed: { address_id: row["address_id"] },
          isDangerous: true,
        },
      ],
    },
    {
      id: "limits",
      name: "Limits a day",
      path: "/admin/withdraw-limits",
      rows: "withdraw_limits",
      isPaged: true,
      key: (row) => `${row["user_id"] ?? "all"} ${row["ccy"]}`,
      title: (row) => `Limit of ${row["ccy"]}`,
      filters: [{ name: "user_id", word: "User" }],
      empty: "Nothing limits what may be withdrawn in a day.",
      columns: [
        { name: "User", cell: (row) => (row["user_id"] == null ? "every user" : <UserName id={row["user_id"]} />) },
        amount("A day", "amount"),
      ],
    },
  ],
};

const approvals: Area = {
  id: "approvals",
  name: "Approvals",
  group: "Money",
  says: "What an operator has asked for and another one must consent to. Nobody consents to what he asked for himself.",
  lists: [
    {
      id: "approvals",
      name: "Approvals",
      path: "/admin/approvals",
      rows: "approvals",
      isPaged: true,
      beatMs: 5_000,
      key: (row) => String(row["approval_id"]),
      title: (row) => `Approval ${row["approval_id"]}`,
      empty: "Nothing waits for a second operator.",
      columns: [
        text("No", "approval_id"),
        text("Asked by", "actor"),
        { name: "Action", cell: (row) => row["action"].replaceAll("_", " ") },
        {
          name: "Details",
          cell: (row) => {
            const { amount: much, ccy, withdrawId, userId } = row["details"];
            if (withdrawId !== undefined) return `withdrawal ${withdrawId}`;
            return (
              <>
                {much === undefined ? "" : grouped(much)} {ccy ?? ""}
                {userId === undefined ? "" : " to "}
                {userId === undefined ? "" : <UserName id={userId} />}
              </>
            );
          },
        },
        time("Since", "created_at"),
      ],
      acts: (row) => [
        ...(row["actor"] === operator()?.name
          ? []
          : [
              {
                word: "Consent",
                call: "POST /admin/approvals/APPROVAL_ID",
                says: `What ${row["actor"]} asked for is done at once, in his name and with your consent.`,
                fixed: { approval_id: row["approval_id"], approve: true },
              },
            ]),
        {
          word: "Cancel request",
          call: "POST /admin/approvals/APPROVAL_ID",
          says: `What ${row["actor"]} asked for is not done.`,
          fixed: { approval_id: row["approval_id"], approve: false },
          isDangerous: true,
        },
      ],
    },
  ],
};

const funds: Area = {
  id: "funds",
  name: "Funds and savings",
  group: "Money",
  says: "What stands for losses, what it may lose to jumps of an index, and the interest of savings.",
  acts: [
    {
      word: "Pay into a fund",
      call: "POST /admin/deposits",
      ask: ["cell", "ccy", "amount", "note", "reference"],
    },
    { word: "Set the budgets", call: "POST /admin/fund-budget" },
    { word: "Set interest of savings", call: "POST /admin/savings-rates" },
    { word: "Move savings", call: "POST /admin/savings" },
  ],
  lists: [
    {
      id: "budgets",
      name: "Insurance funds",
      path: "/admin/fund-budget",
      rows: "markets",
      key: (row) => `${row["market"]} ${row["fund_of"]} ${row["ccy"]}`,
      title: (row) => `Insurance fund of ${row["market"]}, ${row["fund_of"]}, ${row["ccy"]}`,
      empty: "No futures market is listed.",
      columns: [
        { name: "Market", cell: (row) => <b>{row["market"]}</b> },
        text("Kind", "fund_of"),
        text("Currency", "ccy"),
        number("Balance", "fund"),
        number("Lost in an hour", "lost_in_hour"),
        number("Budget left", "left"),
      ],
    },
    {
      id: "savings",
      name: "Savings",
      path: "/admin/savings",
      rows: "savings",
      isPaged: true,
      key: (row) => `${row["user_id"]} ${row["ccy"]}`,
      title: (row) => `Savings of user ${row["user_id"]}`,
      filters: [{ name: "user_id", word: "User" }],
      empty: "Nobody has savings.",
      columns: [user(), text("Currency", "ccy"), number("Balance", "balance"), number("Owed", "accrued")],
    },
    {
      id: "rates",
      name: "Savings rates",
      path: "/admin/savings-rates",
      rows: "savings_rates",
      key: (row) => row["ccy"],
      title: (row) => row["ccy"],
      empty: "No currency earns interest.",
      columns: [{ name: "Currency", cell: (row) => <b>{row["ccy"]}</b> }, number("A day", "daily_interest_rate")],
    },
  ],
};

const chains: Area = {
  id: "chains",
  name: "Chains",
  group: "Money",
  says: "Where money comes in and goes out: how far each chain was read, and whether what the ledger says is there.",
  body: Reconciliation,
  lists: [
    {
      id: "chains",
      name: "Chains",
      path: "/admin/chains",
      rows: "chains",
      beatMs: 10_000,
      key: (row) => row["chain"],
      title: (row) => row["chain"],
      empty: "Money moves on no chain.",
      columns: [
        { name: "Chain", cell: (row) => <b>{row["chain"]}</b> },
        text("Kind", "kind"),
        number("Height", "height"),
        number("Payments under way", "payments"),
        number("To be swept", "unswept"),
        {
          name: "Trouble",
          cell: (row) => (row["trouble"] === "" ? <span class="state up">none</span> : row["trouble"]),
        },
      ],
    },
  ],
};

export const MONEY_AREAS: readonly Area[] = [deposits, withdrawals, approvals, funds, chains];
