/** Holds unified records of ccxt to the rules in ccxt-rules.json, which says what each word there means. */
import { readFileSync } from "node:fs";

type Type = "text" | "number" | "flag" | "list" | "object" | "any";
type Row = Readonly<Record<string, unknown>>;

interface Rule {
  readonly by?: string;
  readonly kinds?: Readonly<Record<string, string>>;
  /** The rule that this one changes. */
  readonly like?: string;
  readonly fields?: Readonly<Record<string, Type>>;
  readonly absent?: readonly string[];
  /** Fields that may be absent besides, and fields that may not although the other rule lets them be. */
  readonly absent_too?: readonly string[];
  readonly present?: readonly string[];
  readonly undefined?: readonly string[];
  readonly exactly?: Row;
  readonly times?: readonly string[];
  readonly positive?: readonly string[];
  readonly not_negative?: readonly string[];
  readonly at_least?: Readonly<Record<string, number>>;
  readonly at_most?: Readonly<Record<string, number>>;
  readonly between?: Readonly<Record<string, readonly [number, number]>>;
  readonly one_of?: Readonly<Record<string, readonly unknown[]>>;
  readonly order?: readonly (readonly [string, "=" | ">" | ">=", string])[];
  readonly currency?: readonly string[];
  readonly fees?: readonly string[];
  readonly limits?: readonly string[];
  readonly each?: Readonly<Record<string, string>>;
  readonly list?: readonly Type[];
  readonly volume?: boolean;
  readonly levels?: boolean;
  readonly balance?: boolean;
  readonly candle?: boolean;
  readonly time?: boolean;
}

/** What a record is held against. */
export interface Ground {
  readonly currencies: ReadonlySet<string>;
  /** The venue's time. */
  readonly nowMs: number;
  /** The symbol that was asked for. */
  readonly symbol?: string | undefined;
  /** The step of amounts in that market. */
  readonly amountStep?: number | undefined;
}

const { records } = JSON.parse(readFileSync(new URL("ccxt-rules.json", import.meta.url), "utf8")) as {
  readonly records: Readonly<Record<string, Rule>>;
};

export const RECORD_KINDS: readonly string[] = Object.keys(records);

const EARLIEST_MS = Date.UTC(2009, 0, 3);
const LATEST_MS = 2_147_483_648_000;
const AHEAD_MS = 60_000;

/** What is wrong with a record, as "field: what". */
export function faultsOf(kind: string, record: unknown, ground: Ground): string[] {
  const rule = ruleOf(kind);
  if (rule.time === true) return timeFaults("time", record, ground);
  if (typeof record !== "object" || record === null) return ["record: is none"];
  const row = record as Row;
  if (rule.by !== undefined) return faultsOf(rule.kinds?.[String(row[rule.by])] ?? "", record, ground);
  const faults = [
    ...shapeFaults(rule, row),
    ...boundFaults(rule, row),
    ...wordFaults(rule, row, ground),
    ...(rule.times ?? []).flatMap((name) => timeFaults(name, row[name], ground, row["datetime"])),
    ...Object.entries(rule.each ?? {}).flatMap(([name, inner]) =>
      Object.values((row[name] ?? {}) as Row).flatMap((each) =>
        faultsOf(inner, each, ground).map((f) => `${name}.${f}`),
      ),
    ),
  ];
  if (rule.volume === true) faults.push(...volumeFaults(row, ground));
  if (rule.levels === true) faults.push(...levelFaults(row));
  if (rule.balance === true) faults.push(...balanceFaults(row, ground));
  if (rule.candle === true) faults.push(...candleFaults(record as number[], ground));
  return faults;
}

function ruleOf(kind: string): Rule {
  const rule = records[kind];
  if (rule === undefined) throw new Error(`ccxt-rules.json has no record ${kind}.`);
  if (rule.like === undefined) return rule;
  const base = ruleOf(rule.like);
  const absent = (base.absent ?? []).filter((name) => !rule.present?.includes(name));
  return { ...base, ...rule, absent: [...absent, ...(rule.absent_too ?? [])] };
}

function isOf(type: Type, value: unknown): boolean {
  switch (type) {
    case "any":
      return true;
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "flag":
      return typeof value === "boolean";
    case "list":
      return Array.isArray(value);
    case "object":
      return typeof value === "object";
  }
}

function shapeFaults(
  { fields = {}, absent = [], undefined: unset = [], exactly = {}, list }: Rule,
  row: Row,
): string[] {
  const items = (list ?? []).flatMap((type, at) => (isOf(type, row[at]) ? [] : [`${at}: is no ${type}`]));
  const named = Object.entries(fields).flatMap(([name, type]) => {
    if (!(name in row)) return [`${name}: is missing`];
    const value = row[name];
    if (value === undefined || value === null) return absent.includes(name) ? [] : [`${name}: is undefined`];
    return isOf(type, value) ? [] : [`${name}: is no ${type}`];
  });
  const empty = unset.filter((name) => row[name] !== undefined).map((name) => `${name}: is set`);
  const fixed = Object.entries(exactly).flatMap(([name, value]) =>
    row[name] === value ? [] : [`${name}: is not ${value}`],
  );
  return [...items, ...named, ...empty, ...fixed];
}

/** The value of a field, where it is a number. */
function numberIn(row: Row, name: string): number | undefined {
  const value = row[name];
  return typeof value === "number" ? value : undefined;
}

function boundFaults(rule: Rule, row: Row): string[] {
  const faults: string[] = [];
  const hold = (name: string, isRight: (value: number) => boolean, what: string) => {
    const value = numberIn(row, name);
    if (value !== undefined && !isRight(value)) faults.push(`${name}: ${what}`);
  };
  for (const name of rule.positive ?? []) hold(name, (value) => value > 0, "is not above 0");
  for (const name of rule.not_negative ?? []) hold(name, (value) => value >= 0, "is below 0");
  for (const [name, least] of Object.entries(rule.at_least ?? {})) {
    hold(name, (value) => value >= least, `is below ${least}`);
  }
  for (const [name, most] of Object.entries(rule.at_most ?? {}))
    hold(name, (value) => value <= most, `is above ${most}`);
  for (const [name, [least, most]] of Object.entries(rule.between ?? {})) {
    hold(name, (value) => value > least && value < most, `is not between ${least} and ${most}`);
  }
  for (const [left, sign, right] of rule.order ?? []) {
    const [a, b] = [numberIn(row, left), numberIn(row, right)];
    if (a === undefined || b === undefined) continue;
    if (!(sign === "=" ? a === b : sign === ">" ? a > b : a >= b)) faults.push(`${left}: is not ${sign} ${right}`);
  }
  for (const name of rule.limits ?? []) {
    const { min, max } = ((row["limits"] as Row | undefined)?.[name] ?? {}) as { min?: number; max?: number };
    if (min !== undefined && min < 0) faults.push(`limits.${name}.min: is below 0`);
    if (max !== undefined && !(max > 0 && max >= (min ?? 0))) faults.push(`limits.${name}.max: is below min`);
  }
  return faults;
}

function wordFaults(rule: Rule, row: Row, { currencies, symbol }: Ground): string[] {
  const faults = Object.entries(rule.one_of ?? {}).flatMap(([name, values]) =>
    row[name] === undefined || values.includes(row[name]) ? [] : [`${name}: is ${row[name]}`],
  );
  if (symbol !== undefined && "symbol" in row && row["symbol"] !== undefined && row["symbol"] !== symbol) {
    faults.push("symbol: is another");
  }
  for (const name of rule.currency ?? []) {
    if (row[name] !== undefined && !currencies.has(String(row[name]))) faults.push(`${name}: is no currency`);
  }
  for (const name of rule.fees ?? []) {
    const fee = row[name] as { cost?: unknown; currency?: unknown } | undefined;
    if (fee === undefined || fee === null) continue;
    if (!("cost" in fee && "currency" in fee)) faults.push(`${name}: has no cost or no currency`);
    else if (fee.currency !== undefined && !currencies.has(String(fee.currency))) {
      faults.push(`${name}.currency: is no currency`);
    }
  }
  return faults;
}

function timeFaults(name: string, value: unknown, { nowMs }: Ground, datetime?: unknown): string[] {
  if (value === undefined) return [];
  if (!Number.isInteger(value)) return [`${name}: is no whole number`];
  const time = value as number;
  if (time <= EARLIEST_MS || time >= LATEST_MS) return [`${name}: is not between 2009 and 2038`];
  if (time >= nowMs + AHEAD_MS) return [`${name}: is ahead of the venue`];
  const isSame = datetime === undefined || new Date(time).toISOString() === datetime;
  return isSame ? [] : [`datetime: is not ${name}`];
}

/**
 * The value traded lies between what the volume is worth at the lowest and at the highest price, give or take one step
 * of amounts.
 */
function volumeFaults(row: Row, { amountStep = 0 }: Ground): string[] {
  const [base, quote] = [numberIn(row, "baseVolume"), numberIn(row, "quoteVolume")];
  const [low, high] = [numberIn(row, "low"), numberIn(row, "high")];
  if (base === undefined || quote === undefined || low === undefined || high === undefined) return [];
  // What doubles lose is far below a step.
  const slack = 1 + 1e-12;
  return (base - amountStep) * low <= quote * slack && quote <= (base + amountStep) * high * slack
    ? []
    : ["quoteVolume: is not between those of low and high"];
}

function levelFaults(row: Row): string[] {
  const faults: string[] = [];
  const sides = { bids: row["bids"] as number[][], asks: row["asks"] as number[][] };
  for (const [name, levels] of Object.entries(sides)) {
    for (const [at, [price = 0, amount = 0]] of levels.entries()) {
      const next = levels[at + 1]?.[0];
      if (!(price > 0 && amount > 0)) faults.push(`${name}: a level is not above 0`);
      if (next !== undefined && !(name === "bids" ? price > next : price < next)) faults.push(`${name}: out of order`);
    }
  }
  const [bid, ask] = [sides.bids[0]?.[0], sides.asks[0]?.[0]];
  if (bid !== undefined && ask !== undefined && bid >= ask) faults.push("bids: cross the asks");
  return faults;
}

function balanceFaults(row: Row, { currencies }: Ground): string[] {
  const { free = {}, used = {}, total = {} } = row as Record<string, Record<string, number | undefined>>;
  return Object.keys(total).flatMap((code) => {
    if (!currencies.has(code)) return [`total.${code}: is no currency`];
    const [all, some, rest] = [total[code], free[code], used[code]];
    if (all === undefined || some === undefined || rest === undefined) return [`total.${code}: a part is undefined`];
    // Doubles of amounts with ten decimals: their sum is right to much less than the last of them.
    return Math.abs(all - some - rest) < 1e-9 ? [] : [`total.${code}: is not free and used`];
  });
}

function candleFaults([time, open = 0, high = 0, low = 0, close = 0]: readonly number[], ground: Ground): string[] {
  const faults = timeFaults("0", time, ground);
  if (open > high) faults.push("1: is above the highest");
  if (low > high) faults.push("3: is above the highest");
  if (low > close) faults.push("3: is above the last");
  return faults;
}
