/** The tasks that operators do with markets most: halt, resume, change fees. */
import { compare, isDecimal, times } from "../../number/decimal.ts";
import { grouped, percent } from "../../number/show.ts";
import type { Act, Fact, Row } from "../area.ts";
import type { Subject } from "./task.ts";

const CALL = "POST /admin/markets";
/** By which a rate is shown as money. */
const SAMPLE = "10000";
const RATE_DECIMALS = 4;

export const MARKET: Subject = {
  word: "Market",
  source: () => ({ path: "/admin/markets" }),
  rows: "markets",
  key: (row) => `${row["market"]} ${row["market_type"]}`,
  says: (row) => `${nameOf(row)}, ${row["suspended"] === true ? "halted" : String(row["market_status"])}`,
  none: "No market is listed.",
};

export function nameOf(row: Row): string {
  return `${row["market"]} (${String(row["market_type"]).toLowerCase()})`;
}

/** Returns the fields that name a market in calls. */
export function named(row: Row): Record<string, unknown> {
  return { market: row["market"], market_type: row["market_type"] };
}

function factsOf(row: Row): readonly Fact[] {
  const price = (value: unknown) => (value == null || value === "none" ? "none yet" : grouped(String(value)));
  return [
    ["Market", nameOf(row)],
    [
      "Takes orders",
      row["suspended"] === true ? "no, it is halted" : row["market_status"] === "online" ? "yes" : row["market_status"],
    ],
    ["Last price", price(row["latest_price"])],
    ["Index", price(row["index_price"])],
  ];
}

export function haltOrResume(row: Row): Act {
  const name = nameOf(row);
  const futures = row["market_type"] === "FUTURES";
  if (row["suspended"] === true) {
    return {
      word: "Resume trading",
      call: CALL,
      says: `${name} takes orders again.`,
      fixed: { ...named(row), suspended: false },
      facts: factsOf(row),
      ask: [],
      effects: () => [
        `${name} takes new orders from the moment on in which this is done.`,
        "Orders that rested through the halt trade at their prices: say beforehand when trading goes on.",
      ],
    };
  }
  return {
    word: "Halt trading",
    call: CALL,
    says: `${name} takes no new orders until it is resumed. What rests stays, and can be cancelled.`,
    fixed: { ...named(row), suspended: true },
    facts: factsOf(row),
    ask: [],
    effects: () => [
      `${name} refuses new orders at once. Stop orders wait, and are looked at when trading goes on.`,
      "Orders that rest stay in the book; their users may change and cancel them.",
      ...(futures ? ["Positions stay open."] : []),
      "Other markets go on. Nothing is taken from anybody.",
    ],
    isDangerous: true,
  };
}

export function changeFees(row: Row): Act {
  const quote = row["quote_ccy"];
  return {
    word: "Change fees",
    call: CALL,
    says: `What orders in ${nameOf(row)} pay, of users without a level or rates of their own.`,
    fixed: named(row),
    facts: factsOf(row),
    now: row,
    isChange: true,
    ask: ["maker_fee_rate", "taker_fee_rate"],
    initial: { maker_fee_rate: row["maker_fee_rate"], taker_fee_rate: row["taker_fee_rate"] },
    effects: (given) => [
      ...(["maker", "taker"] as const).flatMap((role) => {
        const [before, rate] = [String(row[`${role}_fee_rate`]), given[`${role}_fee_rate`]];
        if (typeof rate !== "string" || !isDecimal(rate) || compare(rate, before) === 0) return [];
        const fee = (of: string) =>
          `${percent(of, RATE_DECIMALS)}, ${grouped(times(SAMPLE, of))} ${quote} of ${grouped(SAMPLE)}`;
        return [`A ${role} pays ${fee(rate)}, instead of ${fee(before)}.`];
      }),
      "Users with a fee level or rates of their own pay what they paid before.",
    ],
  };
}
