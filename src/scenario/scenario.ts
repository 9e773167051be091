/** What a scenario file says, read and checked. The format for people: docs/scenarios.md. */

export interface Scenario {
  readonly title: string;
  readonly about: string;
  /** ms since 1970. */
  readonly startMs: number;
  /** Scale by currency. */
  readonly assets: Readonly<Record<string, number>>;
  /** As the operator lists them, in the words of the admin interface. */
  readonly markets: readonly ScenarioMarket[];
  /** What the insurance fund starts with, by currency. */
  readonly insurance: Readonly<Record<string, string>>;
  readonly users: Readonly<Record<string, ScenarioUser>>;
  readonly steps: readonly Step[];
}

export interface ScenarioMarket {
  readonly market: string;
  /** Weight by source. */
  readonly sources: Readonly<Record<string, string>>;
  /** All other settings of the listing. */
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

const TICK_MS = 1_000;
/** More would not end while somebody watches. */
const TICKS_MAX = 200_000;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads the text of a scenario file. Throws ScenarioFault. */
export function parseScenario(text: string): Scenario {
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch (error) {
    throw new ScenarioFault(`A scenario is JSON: ${(error as Error).message}.`, { cause: error });
  }
  const file = fieldsOf(whole, "The scenario", [
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
    steps: listOf(file.steps, "steps", stepOf),
  };
}

function marketOf(value: unknown, where: string): ScenarioMarket {
  const { market, sources, ...settings } = fieldsOf(value, where);
  return {
    market: textOf(market, `${where}.market`),
    sources: recordOf(sources, `${where}.sources`, textOf),
    settings,
  };
}

function userOf(value: unknown, where: string): ScenarioUser {
  const user = fieldsOf(value, where, ["funds", "hedge", "markets"]);
  return {
    funds: recordOf(user.funds ?? {}, `${where}.funds`, textOf),
    hedge: user.hedge === true,
    markets: recordOf(user.markets ?? {}, `${where}.markets`, textOf),
  };
}

function stepOf(value: unknown, where: string): Step {
  const step = fieldsOf(value, where, [
    "note",
    "orders",
    "cancel",
    "astray",
    "silence",
    "index",
    "wait",
    "tick",
    "expect",
  ]);
  if (step.note !== undefined) return { do: "note", text: textOf(step.note, `${where}.note`) };
  if (step.orders !== undefined) return { do: "orders", orders: listOf(step.orders, `${where}.orders`, textOf) };
  if (step.cancel !== undefined) return { do: "cancel", whose: textOf(step.cancel, `${where}.cancel`) };
  if (step.expect !== undefined) {
    return { do: "expect", figures: recordOf(step.expect, `${where}.expect`, textOf) };
  }
  if (step.astray !== undefined) {
    const prices = (list: unknown, which: string) => recordOf(list, which, textOf);
    return { do: "astray", prices: recordOf(step.astray, `${where}.astray`, prices) };
  }
  if (step.silence !== undefined) {
    const names = (list: unknown, which: string) => listOf(list, which, textOf);
    return { do: "silence", sources: recordOf(step.silence, `${where}.silence`, names) };
  }
  if (step.index === undefined && step.wait === undefined) {
    throw new ScenarioFault(`${where} says neither note, orders, cancel, astray, silence, index, wait nor expect.`);
  }
  const ms = step.wait === undefined ? 0 : durationOf(step.wait, `${where}.wait`);
  const tickMs = step.tick === undefined ? TICK_MS : durationOf(step.tick, `${where}.tick`);
  if (tickMs < TICK_MS || ms / tickMs > TICKS_MAX) {
    throw new ScenarioFault(`${where} takes more than ${TICKS_MAX} ticks, or ticks within a second.`);
  }
  return { do: "pass", ms, tickMs, index: recordOf(step.index ?? {}, `${where}.index`, textOf) };
}

/** "90s", "15m", "8h" or "2d" in ms. */
function durationOf(value: unknown, where: string): number {
  const found = /^(\d{1,6})([smhd])$/.exec(String(value));
  if (found === null) throw new ScenarioFault(`${where} is a time as 90s, 15m, 8h or 2d.`);
  return Number(found[1]) * UNITS[found[2] as keyof typeof UNITS];
}

function textOf(value: unknown, where: string): string {
  if (typeof value !== "string") throw new ScenarioFault(`${where} must be a text.`);
  return value;
}

function listOf<Item>(value: unknown, where: string, read: (item: unknown, where: string) => Item): Item[] {
  if (!Array.isArray(value)) throw new ScenarioFault(`${where} must be a list.`);
  return value.map((item, at) => read(item, `${where}[${at}]`));
}

function recordOf<Item>(value: unknown, where: string, read: (item: unknown, where: string) => Item) {
  const fields = Object.entries(fieldsOf(value, where));
  return Object.fromEntries(fields.map(([name, item]) => [name, read(item, `${where}.${name}`)]));
}

/** An object's fields; with `known`, none but these. */
function fieldsOf(value: unknown, where: string, known?: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ScenarioFault(`${where} must be an object.`);
  }
  const odd = known && Object.keys(value).find((name) => !known.includes(name));
  if (odd !== undefined) throw new ScenarioFault(`${where} has a field ${odd}, which nobody understands.`);
  return value as Record<string, unknown>;
}
