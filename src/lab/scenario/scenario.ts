/** A scenario file, read and checked. The format for people: docs/guides/scenarios.md. */

export interface Scenario {
  readonly title: string;
  readonly about: string;
  /** ms since 1970. */
  readonly startMs: number;
  /** Scale by currency. */
  readonly assets: Readonly<Record<string, number>>;
  /** As the operator lists them, in the words of the admin interface. */
  readonly markets: readonly ScenarioMarket[];
  /** The amounts that the insurance fund starts with, by currency. */
  readonly insurance: Readonly<Record<string, string>>;
  readonly users: Readonly<Record<string, ScenarioUser>>;
  readonly steps: readonly Step[];
}

export interface ScenarioMarket {
  readonly market: string;
  /** Weight by source. */
  readonly sources: Readonly<Record<string, string>>;
  /** All other settings of the listing, by the names that they have in the engine's command. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface ScenarioUser {
  readonly funds: Readonly<Record<string, string>>;
  readonly hedge: boolean;
  /** Margin mode and leverage by market, as "isolated 20". */
  readonly markets: Readonly<Record<string, string>>;
}

/** One thing that is done, in the order of the file. */
export type Step =
  | { readonly do: "note"; readonly text: string }
  | { readonly do: "orders"; readonly orders: readonly string[] }
  /** "USER MARKET": all orders there. */
  | { readonly do: "cancel"; readonly whose: string }
  /** Prices that single sources say from now on instead, by market and source; all others say the market's. */
  | { readonly do: "astray"; readonly prices: Readonly<Record<string, Readonly<Record<string, string>>>> }
  /** Sources that are silent from now on, by market; all others speak. */
  | { readonly do: "silence"; readonly sources: Readonly<Record<string, readonly string[]>> }
  /** Prices that the sources say, by market: at once, or, when time passes, moving there in a straight line. */
  | {
      readonly do: "pass";
      readonly ms: number;
      readonly tickMs: number;
      readonly index: Readonly<Record<string, string>>;
    }
  | { readonly do: "expect"; readonly figures: Readonly<Record<string, string>> };

/** A file that is no scenario, in a sentence. */
export class ScenarioFault extends Error {
  readonly code = "SCENARIO";
}

export const TICK_MS = 1_000;
/** More would not end while somebody watches. */
const TICKS_MAX = 200_000;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Settings of a futures market: what POST /admin/markets calls them, and what the engine's command does. */
const SETTINGS: Readonly<Record<string, string>> = {
  base_ccy: "baseCcy",
  quote_ccy: "quoteCcy",
  base_ccy_precision: "amountPrecision",
  quote_ccy_precision: "pricePrecision",
  min_amount: "minAmount",
  max_amount: "maxAmount",
  max_price: "maxPrice",
  maker_fee_rate: "makerFeeRate",
  taker_fee_rate: "takerFeeRate",
  contract_type: "contractType",
  tick_size: "tickSize",
  leverage: "leverages",
  level: "levels",
};
const OPTIONAL_SETTINGS = ["max_amount", "max_price", "tick_size"];
const LEVEL_SETTINGS: Readonly<Record<string, string>> = {
  amount: "amount",
  leverage: "leverage",
  maintenance_margin_rate: "maintenanceMarginRate",
  min_initial_margin_rate: "minInitialMarginRate",
};

/** The actions that a step can have; tick belongs to wait, and index may stand beside it. */
const ACTIONS = ["note", "orders", "cancel", "astray", "silence", "index", "wait", "expect"] as const;

/** Reads the text of a scenario file. Throws ScenarioFault. */
export function parseScenario(text: string): Scenario {
  const file = fieldsOf(jsonOfScenario(text), "The scenario", [
    "title",
    "about",
    "start",
    "assets",
    "markets",
    "insurance",
    "users",
    "steps",
  ]);
  const startMs = Date.parse(String(file.start));
  if (!Number.isSafeInteger(startMs) || startMs <= 0)
    throw new ScenarioFault("start is a time as 2026-01-01T00:00:00Z.");
  return {
    title: textOf(file.title, "title"),
    about: textOf(file.about ?? "", "about"),
    startMs,
    assets: recordOf(file.assets, "assets", (scale, where) => {
      if (!Number.isInteger(scale)) throw new ScenarioFault(`${where} is the number of decimals of the currency.`);
      return scale as number;
    }),
    markets: listOf(file.markets, "markets", marketOf),
    insurance: recordOf(file.insurance ?? {}, "insurance", textOf),
    users: recordOf(file.users, "users", userOf),
    steps: listOf(file.steps, "steps", (step, _where, at) => stepOf(step, `Step ${at + 1}`)),
  };
}

/** Parses the JSON of a scenario file. Throws ScenarioFault. */
export function jsonOfScenario(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ScenarioFault(`A scenario is JSON: ${placed(text, (error as Error).message)}.`, { cause: error });
  }
}

/**
 * Describes the fault in a text that is no JSON, with its line: of an unexpected sign the parser shows the neighbours,
 * but does not say where it is.
 */
function placed(text: string, message: string): string {
  const told = message.replaceAll(/\s+/g, " ");
  if (!message.startsWith("Unexpected token")) return told;
  const lines = text.split("\n");
  let [before, at] = [0, lines.length];
  while (at - before > 1) {
    const middle = (before + at) >> 1;
    if (isUnexpected(lines.slice(0, middle).join("\n"))) at = middle;
    else before = middle;
  }
  return `${told} (line ${at})`;
}

function isUnexpected(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as Error).message.startsWith("Unexpected token");
  }
}

function marketOf(value: unknown, where: string): ScenarioMarket {
  const { market, sources, ...rest } = fieldsOf(value, where, ["market", "sources", ...Object.keys(SETTINGS)]);
  const levels = listOf(rest.level, `${where}.level`, (level, which) =>
    renamed(fieldsOf(level, which, Object.keys(LEVEL_SETTINGS)), which, LEVEL_SETTINGS),
  );
  return {
    market: textOf(market, `${where}.market`),
    sources: recordOf(sources, `${where}.sources`, textOf),
    settings: { ...renamed(rest, where, SETTINGS, OPTIONAL_SETTINGS), levels },
  };
}

/** Fields under their other names; all but the optional ones must be there. */
function renamed(
  fields: Readonly<Record<string, unknown>>,
  where: string,
  names: Readonly<Record<string, string>>,
  optional: readonly string[] = [],
): Record<string, unknown> {
  const missing = Object.keys(names).find((name) => fields[name] === undefined && !optional.includes(name));
  if (missing !== undefined) throw new ScenarioFault(`${where}.${missing} is missing.`);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name], value]));
}

function userOf(value: unknown, where: string): ScenarioUser {
  const user = fieldsOf(value, where, ["funds", "hedge", "markets"]);
  if (typeof (user.hedge ?? false) !== "boolean") throw new ScenarioFault(`${where}.hedge must be true or false.`);
  return {
    funds: recordOf(user.funds ?? {}, `${where}.funds`, textOf),
    hedge: user.hedge === true,
    markets: recordOf(user.markets ?? {}, `${where}.markets`, textOf),
  };
}

function stepOf(value: unknown, where: string): Step {
  const step = fieldsOf(value, where, [...ACTIONS, "tick"]);
  const [action, ...others] = ACTIONS.filter((name) => step[name] !== undefined);
  if (action === undefined) throw new ScenarioFault(`${where} says none of ${ACTIONS.join(", ")}.`);
  if (others.length > 0 && !(action === "index" && others.join() === "wait")) {
    throw new ScenarioFault(`${where} says ${[action, ...others].join(" and ")}; make a step of each.`);
  }
  if (step.tick !== undefined && step.wait === undefined)
    throw new ScenarioFault(`${where} has a tick without a wait.`);
  const at = `${where}: ${action}`;
  switch (action) {
    case "note":
      return { do: "note", text: textOf(step.note, at) };
    case "orders":
      return { do: "orders", orders: listOf(step.orders, at, textOf) };
    case "cancel":
      return { do: "cancel", whose: textOf(step.cancel, at) };
    case "expect":
      return { do: "expect", figures: recordOf(step.expect, at, textOf) };
    case "astray":
      return { do: "astray", prices: recordOf(step.astray, at, (list, which) => recordOf(list, which, textOf)) };
    case "silence":
      return { do: "silence", sources: recordOf(step.silence, at, (list, which) => listOf(list, which, textOf)) };
    default:
      return passOf(step, where);
  }
}

function passOf({ index, wait, tick }: Readonly<Record<string, unknown>>, where: string): Step {
  const ms = wait === undefined ? 0 : durationOf(wait, `${where}: wait`);
  const tickMs = tick === undefined ? TICK_MS : durationOf(tick, `${where}: tick`);
  if (tickMs < TICK_MS) throw new ScenarioFault(`${where}: tick must be a second or more.`);
  if (ms / tickMs > TICKS_MAX) {
    throw new ScenarioFault(`${where} takes more than ${TICKS_MAX} ticks; a longer tick makes fewer of them.`);
  }
  return { do: "pass", ms, tickMs, index: recordOf(index ?? {}, `${where}: index`, textOf) };
}

/** "90s", "15m", "8h" or "2d" in ms. */
export function durationOf(value: unknown, where: string): number {
  const found = /^(\d{1,6})([smhd])$/.exec(String(value));
  if (found === null) throw new ScenarioFault(`${where} is a time as 90s, 15m, 8h or 2d.`);
  return Number(found[1]) * UNITS[found[2] as keyof typeof UNITS];
}

export function textOf(value: unknown, where: string): string {
  if (value === undefined) throw new ScenarioFault(`${where} is missing.`);
  if (typeof value !== "string") throw new ScenarioFault(`${where} must be a text, in quotation marks.`);
  return value;
}

export function listOf<Item>(
  value: unknown,
  where: string,
  read: (item: unknown, where: string, at: number) => Item,
): Item[] {
  if (!Array.isArray(value)) throw new ScenarioFault(`${where} must be a list.`);
  return value.map((item, at) => read(item, `${where}[${at}]`, at));
}

export function recordOf<Item>(value: unknown, where: string, read: (item: unknown, where: string) => Item) {
  const fields = Object.entries(fieldsOf(value, where));
  return Object.fromEntries(fields.map(([name, item]) => [name, read(item, `${where}.${name}`)]));
}

/** An object's fields; with `known`, none but these. */
export function fieldsOf(value: unknown, where: string, known?: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ScenarioFault(`${where} must be an object.`);
  }
  const odd = known && Object.keys(value).find((name) => !known.includes(name));
  if (odd !== undefined) throw new ScenarioFault(`${where} has a field ${odd}, which nobody understands.`);
  return value as Record<string, unknown>;
}
