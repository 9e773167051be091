/** Who trades here, and by what he comes in. */
import type { Act, Area, Row } from "../area.ts";
import { number, tag, text, time, user } from "../columns.tsx";
import { adjust, credit, freezeOrFree } from "../tasks/user-tasks.tsx";
import { UserPage } from "../user-page.tsx";

function userActs(row: Row): Act[] {
  const call = "POST /admin/users/USER_ID";
  const user_id = row["user_id"];
  return [
    freezeOrFree(row),
    row["trade_barred"] === true
      ? {
          word: "Allow trading",
          call,
          says: `${row["name"]} may trade again.`,
          fixed: { user_id, trade_barred: false },
        }
      : {
          word: "Block trading",
          call,
          says: `${row["name"]} may sign in, read and cancel, but place no orders.`,
          fixed: { user_id, trade_barred: true },
          isDangerous: true,
        },
    {
      word: "Set fees",
      call,
      says: `What future orders of ${row["name"]} pay, in the place of what the market says.`,
      fixed: { user_id },
      ...{ now: row, isChange: true },
      ask: ["fee_level", "maker_fee_rate", "taker_fee_rate"],
    },
    credit(row),
    adjust(row),
    { word: "Create API key", call: "POST /admin/api-keys", fixed: { user_id } },
    { word: "Set sign-in e-mail", call: "POST /admin/identities", fixed: { user_id } },
    {
      word: "End all sessions",
      call: "POST /admin/identities/USER_ID/sign-out",
      fixed: { user_id },
      isDangerous: true,
    },
  ];
}

const FLAGS = ["true", "false"];

const users: Area = {
  id: "users",
  name: "Users",
  group: "Users",
  says: "Accounts with what they may do, hold and pay.",
  acts: [{ word: "Create user", call: "POST /admin/users" }],
  lists: [
    {
      id: "users",
      name: "Users",
      path: "/admin/users",
      rows: "users",
      isPaged: true,
      key: (row) => String(row["user_id"]),
      title: (row) => `${row["name"]}, user ${row["user_id"]}`,
      one: (row) => `/admin/users/${row["user_id"]}`,
      page: (row) => ({ area: "user", params: { user_id: String(row["user_id"]) } }),
      filters: [
        { name: "name", word: "Name holds" },
        { name: "user_id", word: "Name or ID" },
        { name: "frozen", word: "Frozen", choices: FLAGS },
        { name: "trade_barred", word: "Barred", choices: FLAGS },
        { name: "fee_level", word: "Fee level" },
        { name: "main_user_id", word: "Sub-accounts of" },
      ],
      empty: "There is no user, or none who fits.",
      columns: [
        text("ID", "user_id"),
        { name: "Name", cell: (row) => <b>{row["name"]}</b> },
        {
          name: "Status",
          cell: (row) => {
            if (row["frozen"] === true) return <span class="state down">frozen</span>;
            if (row["trade_barred"] === true) return <span class="state warning">barred</span>;
            return <span class="state up">open</span>;
          },
        },
        user("Main account", "main_user_id", { isMinor: true }),
        text("Fee level", "fee_level", { isMinor: true }),
        time("Since", "created_at", { isMinor: true }),
      ],
      acts: userActs,
    },
    {
      id: "subs",
      name: "Sub-accounts",
      path: "/admin/subs",
      rows: "subs",
      isPaged: true,
      key: (row) => String(row["user_id"]),
      title: (row) => `Sub-account ${row["user_id"]}`,
      one: (row) => `/admin/subs/${row["user_id"]}`,
      filters: [
        { name: "main_user_id", word: "Main account" },
        { name: "frozen", word: "Frozen", choices: FLAGS },
      ],
      empty: "Nobody has a sub-account.",
      columns: [
        text("ID", "user_id"),
        text("Name", "name"),
        user("Main account", "main_user_id"),
        text("Permissions", "permissions"),
        text("Frozen", "frozen"),
      ],
      acts: (row) => [
        {
          word: "Freeze or free",
          call: "POST /admin/subs/USER_ID",
          fixed: { user_id: row["user_id"] },
          ...{ now: row, isChange: true },
          ask: ["frozen"],
        },
        {
          word: "Change permissions",
          call: "POST /admin/subs/USER_ID",
          fixed: { user_id: row["user_id"] },
          ...{ now: row, isChange: true },
          ask: ["permissions"],
        },
      ],
    },
    {
      id: "identities",
      name: "Sign-in",
      path: "/admin/identities",
      rows: "identities",
      isPaged: true,
      key: (row) => String(row["user_id"]),
      title: (row) => `How user ${row["user_id"]} signs in`,
      one: (row) => `/admin/identities/${row["user_id"]}`,
      filters: [{ name: "email", word: "E-mail" }],
      empty: "Nobody signs in with a password yet.",
      columns: [
        user(),
        text("E-mail", "email"),
        text("Authenticator", "totp"),
        number("Passkeys", "passkeys"),
        time("Since", "created_at", { isMinor: true }),
      ],
      acts: (row) => [
        {
          word: "End all sessions",
          call: "POST /admin/identities/USER_ID/sign-out",
          fixed: { user_id: row["user_id"] },
          isDangerous: true,
        },
        {
          word: "Reset credentials",
          call: "POST /admin/identities/USER_ID/reset",
          fixed: { user_id: row["user_id"] },
          isDangerous: true,
        },
      ],
    },
  ],
};

const keys: Area = {
  id: "keys",
  name: "API keys",
  group: "Users",
  says: "What programs sign with. A secret is shown once, when its key is made.",
  acts: [
    { word: "Create API key", call: "POST /admin/api-keys" },
    { word: "Replace the sealing key", call: "POST /admin/secret-key", isDangerous: true },
  ],
  lists: [
    {
      id: "keys",
      name: "API keys",
      path: "/admin/api-keys",
      rows: "api_keys",
      isPaged: true,
      key: (row) => row["access_id"],
      title: (row) => `Key ${row["api_id"]} of user ${row["user_id"]}`,
      filters: [{ name: "user_id", word: "User" }],
      empty: "There is no key, or none that fits.",
      columns: [
        user(),
        text("Access id", "access_id"),
        text("Permissions", "permissions"),
        text("From", "ip_whitelist", { isMinor: true }),
        text("Remark", "remark", { isMinor: true }),
        time("Until", "expired_at", { isMinor: true }),
      ],
      acts: (row) => [
        {
          word: "Delete the key",
          call: "DELETE /admin/api-keys/ACCESS_ID",
          fixed: { access_id: row["access_id"] },
          isDangerous: true,
        },
      ],
    },
  ],
};

const fees: Area = {
  id: "fees",
  name: "Fees and referral",
  group: "Users",
  says: "Fee levels of spot markets, the currency in which fees may be paid, and codes that users invite with.",
  acts: [
    { word: "Create fee level", call: "POST /admin/fee-levels" },
    { word: "Set fee deduction", call: "POST /admin/fee-deduction" },
    { word: "Create referral code", call: "POST /admin/refer-codes" },
    { word: "Set referrer", call: "POST /admin/referees" },
    { word: "Set agent", call: "POST /admin/agents" },
  ],
  lists: [
    {
      id: "levels",
      name: "Fee levels",
      path: "/admin/fee-levels",
      rows: "fee_levels",
      key: (row) => row["level"],
      title: (row) => `Level ${row["level"]}`,
      empty: "There are no fee levels: every user pays what the market says.",
      columns: [
        { name: "Level", cell: (row) => <b>{row["level"]}</b> },
        number("Maker", "maker_fee_rate"),
        number("Taker", "taker_fee_rate"),
        number("Users", "users"),
      ],
      acts: (row) => [
        {
          word: "Change the rates",
          call: "POST /admin/fee-levels",
          fixed: { level: row["level"] },
          initial: { maker_fee_rate: row["maker_fee_rate"], taker_fee_rate: row["taker_fee_rate"] },
        },
        {
          word: "Delete the level",
          call: "DELETE /admin/fee-levels/LEVEL",
          fixed: { level: row["level"] },
          isDangerous: true,
        },
      ],
    },
    {
      id: "codes",
      name: "Codes",
      path: "/admin/refer-codes",
      rows: "refer_codes",
      isPaged: true,
      key: (row) => row["code"],
      title: (row) => `Code ${row["code"]}`,
      filters: [{ name: "user_id", word: "User" }],
      empty: "Nobody has a code.",
      columns: [
        { name: "Code", cell: (row) => <b>{row["code"]}</b> },
        user(),
        tag("Default", "is_default", {}),
        number("For its owner", "referrer_rebate_rate"),
        number("For whom it invites", "referee_rebate_rate"),
      ],
    },
  ],
};

const page: Area = {
  id: "user",
  name: "User",
  group: "Users",
  says: "All that the venue knows of one user. A row opens it.",
  isHidden: true,
  body: () => <UserPage acts={userActs} />,
};

export const USER_AREAS: readonly Area[] = [users, page, keys, fees];
