/** A scenario for a living venue, read and checked. The format for people: docs/guides/scenarios.md. */
import { durationOf, fieldsOf, jsonOfScenario, listOf, recordOf, ScenarioFault, TICK_MS, textOf } from "../scenario.ts";

export interface LivingScenario {
  readonly title: string;
  readonly about: string;
  /** The user whose account is looked at. */
  readonly bot: string;
  /** Users of the scenario's own, by name. */
  readonly traders: Readonly<Record<string, Funds>>;
  /** The funds that the bot gets besides. */
  readonly funds: Funds;
  /** By market: one of the background traders keeps a book around the index there. */
  readonly quotes: Readonly<Record<string, Quotes>>;
  readonly steps: readonly LivingStep[];
}

/** Amounts by currency, in the two accounts. */
export interface Funds {
  readonly spot: Readonly<Record<string, string>>;
  readonly futures: Readonly<Record<string, string>>;
}

export interface Quotes {
  readonly by: string;
  /** Levels of each side, so far apart, as a share of the price, with so much at each. */
  readonly levels: number;
  readonly gap: number;
  readonly amount: string;
}

export type LivingStep =
  | { readonly do: "note"; readonly text: string }
  | { readonly do: "orders"; readonly orders: readonly string[] }
  /** Markets whose sources say nothing from now on; all others speak. */
  | { readonly do: "silence"; readonly markets: readonly string[] }
  /** Shares by which the books of these markets stand above the index from now on. */
  | { readonly do: "premium"; readonly shares: Readonly<Record<string, number>> }
  /** Books that are taken back. */
  | { readonly do: "withdraw"; readonly markets: readonly string[] }
  | { readonly do: "operator"; readonly calls: readonly OperatorCall[] }
  | Pass
  | {
      readonly do: "until";
      readonly figures: Readonly<Record<string, string>>;
      readonly withinMs: number;
      readonly tickMs: number;
    }
  | { readonly do: "expect"; readonly figures: Readonly<Record<string, string>> };

/** Time passes, and indexes move in a straight line, or as a file has recorded them. */
export interface Pass {
  readonly do: "pass";
  readonly ms: number;
  readonly tickMs: number;
  readonly index: Readonly<Record<string, string>>;
  /** Names of CSV files by market, beside the scenario. */
  readonly recorded: Readonly<Record<string, string>>;
}

export interface OperatorCall {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

const ACTIONS = [
  "note",
  "orders",
  "silence",
  "premium",
  "withdraw",
  "operator",
  "index",
  "recorded",
  "wait",
  "until",
  "expect",
] as const;
const CALL = /^(GET|POST|DELETE) (\/admin\/\S+)$/;
const LEVELS_MAX = 10;
const SHARE_MAX = 0.5;

/** Whether a file is for a living venue: it names the account that it looks at. */
export function isLiving(text: string): boolean {
  const file: unknown = jsonOfScenario(text);
  return typeof file === "object" && file !== null && "bot" in file;
}

/** Reads the text of a scenario file. Throws ScenarioFault. */
export function parseLivingScenario(text: string): LivingScenario {
  const names = ["title", "about", "bot", "crowd", "funds", "quotes", "steps"];
  const file = fieldsOf(jsonOfScenario(text), "The scenario", names);
  return {
    title: textOf(file["title"], "title"),
    about: textOf(file["about"] ?? "", "about"),
    bot: textOf(file["bot"], "bot"),
    traders: recordOf(file["crowd"] ?? {}, "crowd", fundsOf),
    funds: fundsOf(file["funds"] ?? {}, "funds"),
    quotes: recordOf(file["quotes"] ?? {}, "quotes", quotesOf),
    steps: listOf(file["steps"], "steps", (step, _where, at) => stepOf(step, `Step ${at + 1}`)),
  };
}

function fundsOf(value: unknown, where: string): Funds {
  const { spot, futures } = fieldsOf(value, where, ["spot", "futures"]);
  return {
    spot: recordOf(spot ?? {}, `${where}.spot`, textOf),
    futures: recordOf(futures ?? {}, `${where}.futures`, textOf),
  };
}

function quotesOf(value: unknown, where: string): Quotes {
  const { by, levels, gap, amount } = fieldsOf(value, where, ["by", "levels", "gap", "amount"]);
  if (!Number.isInteger(levels) || Number(levels) < 1 || Number(levels) > LEVELS_MAX) {
    throw new ScenarioFault(`${where}.levels must be a whole number from 1 to ${LEVELS_MAX}.`);
  }
  return {
    by: textOf(by, `${where}.by`),
    levels: Number(levels),
    gap: shareOf(gap, `${where}.gap`),
    amount: textOf(amount, `${where}.amount`),
  };
}

function shareOf(value: unknown, where: string): number {
  const share = Number(textOf(value, where));
  if (!(Math.abs(share) <= SHARE_MAX)) throw new ScenarioFault(`${where} is a share of the price, as "0.001".`);
  return share;
}

function stepOf(value: unknown, where: string): LivingStep {
  const step = fieldsOf(value, where, [...ACTIONS, "tick", "within"]);
  const actions = ACTIONS.filter((name) => step[name] !== undefined);
  const [action] = actions;
  if (action === undefined) throw new ScenarioFault(`${where} says none of ${ACTIONS.join(", ")}.`);
  if (actions.length > 1 && actions.join() !== "index,wait") {
    throw new ScenarioFault(`${where} says ${actions.join(" and ")}; make a step of each.`);
  }
  if (step["within"] !== undefined && action !== "until")
    throw new ScenarioFault(`${where} says within, but not what is waited for until then.`);
  const at = `${where}: ${action}`;
  const said = step[action];
  const tickMs = step["tick"] === undefined ? TICK_MS : durationOf(step["tick"], `${where}: tick`);
  switch (action) {
    case "note":
      return { do: "note", text: textOf(said, at) };
    case "orders":
      return { do: "orders", orders: listOf(said, at, textOf) };
    case "silence":
    case "withdraw":
      return { do: action, markets: listOf(said, at, textOf) };
    case "premium":
      return { do: "premium", shares: recordOf(said, at, shareOf) };
    case "operator":
      return { do: "operator", calls: listOf(said, at, callOf) };
    case "until": {
      const withinMs = durationOf(step["within"] ?? "10m", `${where}: within`);
      return { do: "until", figures: recordOf(said, at, textOf), withinMs, tickMs };
    }
    case "expect":
      return { do: "expect", figures: recordOf(said, at, textOf) };
    default: {
      const ms = step["wait"] === undefined ? 0 : durationOf(step["wait"], `${where}: wait`);
      const index = recordOf(step["index"] ?? {}, `${where}: index`, textOf);
      return { do: "pass", ms, tickMs, index, recorded: recordOf(step["recorded"] ?? {}, at, textOf) };
    }
  }
}

function callOf(value: unknown, where: string): OperatorCall {
  const { call, body } = fieldsOf(value, where, ["call", "body"]);
  const [, method, path] = CALL.exec(textOf(call, `${where}.call`)) ?? [];
  if (method === undefined || path === undefined) {
    throw new ScenarioFault(`${where}.call is a call of the operators' interface, as "POST /admin/markets".`);
  }
  return { method, path, body: body === undefined ? undefined : fieldsOf(body, `${where}.body`) };
}
