/** The tasks that operators do with users most: freeze, free, credit. */
import { compare, isDecimal, minus, plus } from "../../number/decimal.ts";
import { grouped, plain, shown } from "../../number/show.ts";
import type { Act, Fact, Row } from "../area.ts";
import type { Subject } from "./task.ts";

const CALL = "POST /admin/users/USER_ID";
/** More do not fit below the field. */
const FOUND_MAX = "8";

export const USER: Subject = {
  word: "User",
  source: (name) => ({ path: "/admin/users", query: { name, limit: FOUND_MAX } }),
  rows: "users",
  key: (row) => String(row["user_id"]),
  says: (row) => `${row["name"]}, user ${row["user_id"]}${row["frozen"] === true ? ", frozen" : ""}`,
  one: (row) => `/admin/users/${row["user_id"]}`,
  none: "No user has this in the name.",
};

/** Of a list's row less is known than of the user's page. */
function factsOf(row: Row): readonly Fact[] {
  const facts: Fact[] = [
    ["User", `${row["name"]}, ${row["user_id"]}`],
    ["Status", row["frozen"] === true ? "frozen" : row["trade_barred"] === true ? "barred from trading" : "open"],
  ];
  if (row["worth_usd"] !== undefined) facts.push(["Worth by index", `${shown(row["worth_usd"], 2)} USD`]);
  if (row["open_orders"] !== undefined)
    facts.push(["Open orders", grouped(`${row["open_orders"] + row["stop_orders"]}`)]);
  return facts;
}

export function freezeOrFree(row: Row): Act {
  const { user_id, name } = row;
  if (row["frozen"] === true) {
    return {
      word: "Unfreeze",
      call: CALL,
      says: `${name} may sign requests again.`,
      fixed: { user_id, frozen: false },
      facts: factsOf(row),
      ask: [],
      effects: () => [
        `${name} trades, transfers and withdraws again, with keys ` +
          "and from pages, from the moment on in which this is done.",
      ],
    };
  }
  return {
    word: "Freeze",
    call: CALL,
    says: `No signed request of ${name} is taken any more, from keys or pages. Orders that rest stay in the books.`,
    fixed: { user_id, frozen: true },
    facts: factsOf(row),
    ask: [],
    effects: () => [
      `${name} can neither trade, cancel, transfer nor withdraw, ` +
        "with keys or from pages, until somebody unfreezes the account.",
      "Orders that rest stay in the books and may still fill. Positions stay open and may be liquidated.",
      "Deposits are credited all the same. Nothing is taken from the account.",
    ],
    isDangerous: true,
  };
}

export function credit(row: Row): Act {
  const { user_id, name } = row;
  return {
    word: "Credit",
    call: "POST /admin/deposits",
    says:
      `Money that ${name} brought in by another way than a chain, ` +
      "such as a wire: it is available in the spot account at once.",
    fixed: { user_id },
    facts: factsOf(row),
    ask: ["ccy", "amount", "note", "reference"],
    effects: ({ ccy, amount }) => {
      if (typeof ccy !== "string" || typeof amount !== "string" || !isDecimal(amount)) return [];
      const before = (row["balances"] as Row[] | undefined)?.find((each) => each["ccy"] === ccy)?.["available"] ?? "0";
      const change =
        row["balances"] === undefined ? "" : `: ${grouped(plus(before, amount))} ${ccy} instead of ${plain(before)}`;
      return [
        `${name} has ${grouped(amount)} ${ccy} more available${change}.`,
        `The books say that ${grouped(amount)} ${ccy} came in from outside: the venue must hold them.`,
        "Only an adjustment takes it back, and only what is still available then.",
      ];
    },
  };
}

export function adjust(row: Row): Act {
  const { user_id, name } = row;
  return {
    word: "Adjust",
    call: "POST /admin/adjustments",
    fixed: { user_id },
    facts: factsOf(row),
    effects: ({ ccy, amount }) => {
      if (typeof ccy !== "string" || typeof amount !== "string" || !isDecimal(amount.replace("-", ""))) return [];
      const before = (row["balances"] as Row[] | undefined)?.find((each) => each["ccy"] === ccy)?.["available"];
      const size = amount.replace("-", "");
      const isLess = amount.startsWith("-");
      const words = `${name} has ${grouped(size)} ${ccy} ${isLess ? "less" : "more"} available`;
      if (before === undefined) return [`${words}.`];
      if (isLess && compare(size, before) > 0)
        return [`${name} has ${plain(before)} ${ccy} available: more cannot be taken away.`];
      return [
        `${words}: ${grouped(isLess ? minus(before, size) : plus(before, size))} ${ccy} instead of ${plain(before)}.`,
      ];
    },
  };
}
