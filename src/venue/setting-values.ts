/** How values of settings are read: what a flag holds is a text, what the configuration file holds may be more. */
import { isDecimal } from "../engine/money/decimal.ts";
import { isIpEntry } from "../gateway/auth/ip-whitelist.ts";
import { loadContract } from "../gateway/current/contract.ts";
import { RATE_MAX } from "../gateway/limits/buckets.ts";
import { LONG_PERIODS, type LongPeriod } from "../gateway/limits/figures.ts";
import { readAddress } from "../history/postgresql/address.ts";

/** How the values of a setting look, and how they are read. */
export interface Form {
  /** The form of the value, for the help. */
  readonly values: string;
  /** Completes the sentence "The setting … must be …". */
  readonly expected: string;
  /** The value behind what a flag or the file holds; undefined when it is no such value. */
  read(raw: unknown): unknown;
}

export const SERVICE_NAMES_MAX = 8;
const PROXIES_MAX = 256;
const SERVERS_MAX = 16;
export const LONG_LIMIT_MAX = 1_000_000_000;
/** End of the year 9998, so that a clock can still be moved. */
const START_TIME_MAX_MS = 253_370_764_799_999;
const PAST_UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000 } as const;
const PAST_MAX_MS = 366 * PAST_UNITS.d;
export const LONG_PERIOD_NAMES = Object.keys(LONG_PERIODS) as LongPeriod[];

/** ms, of a number of days, hours or minutes. */
export function readBackfill(raw: unknown): number | undefined {
  if (raw === "0" || raw === 0) return 0;
  const [, count, unit] = /^(\d{1,6})([dhm])$/.exec(String(raw)) ?? [];
  const ms = Number(count) * (PAST_UNITS[unit as keyof typeof PAST_UNITS] ?? 0);
  return ms > 0 && ms <= PAST_MAX_MS ? ms : undefined;
}

/** ms since 1970, of them or of a time with its zone. */
export function readTime(raw: unknown): number | undefined {
  const isMs = typeof raw === "number" || (typeof raw === "string" && /^\d+$/.test(raw));
  const isTime =
    typeof raw === "string" && /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))$/.test(raw);
  const ms = isMs ? Number(raw) : isTime ? Date.parse(raw as string) : Number.NaN;
  return Number.isSafeInteger(ms) && ms > 0 && ms <= START_TIME_MAX_MS ? ms : undefined;
}

export function text(values: string, expected: string): Form {
  return { values, expected, read: (raw) => (typeof raw === "string" && raw !== "" ? raw : undefined) };
}

export function address(values: string): Form {
  const isAddress = (raw: unknown) => typeof raw === "string" && /^[A-Za-z0-9.:-]{1,253}$/.test(raw);
  return { values, expected: "an IP address or a host name", read: (raw) => (isAddress(raw) ? raw : undefined) };
}

export function choice(names: readonly string[]): Form {
  return {
    values: names.join("|"),
    expected: `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`,
    read: (raw) => (names.includes(raw as string) ? raw : undefined),
  };
}

/** In the file also true and false. */
export function onOff(): Form {
  const read = (raw: unknown) => {
    if (raw === "on" || raw === true) return true;
    return raw === "off" || raw === false ? false : undefined;
  };
  return { values: "on|off", expected: "on or off", read };
}

export function whole(values: string, min: number, max: number): Form {
  const read = (raw: unknown) => {
    const number = typeof raw === "string" && /^\d{1,16}$/.test(raw) ? Number(raw) : raw;
    return Number.isSafeInteger(number) && (number as number) >= min && (number as number) <= max ? number : undefined;
  };
  return { values, expected: `a whole number from ${min} to ${max}`, read };
}

/** A share of the whole with up to four decimals, read as units of 10^-4. */
export function share(): Form {
  const read = (raw: unknown) =>
    /^(?:0(?:\.\d{1,4})?|1)$/.test(String(raw)) ? Math.round(Number(raw) * 10_000) : undefined;
  return { values: "SHARE", expected: "a share from 0 to 1 with at most 4 decimals", read };
}

/** An object in the file, its JSON text on the command line. */
export function readGroupRates(raw: unknown): ReadonlyMap<string, number> | undefined {
  const known = new Set(loadContract().rateGroups.map(({ name }) => name));
  return readFigures(typeof raw === "string" ? jsonOf(raw) : raw, known, RATE_MAX);
}

/** An object in the file, or pairs joined by commas. */
export function readAmounts(raw: unknown): ReadonlyMap<string, string> | undefined {
  if (raw === "none" || raw === "") return new Map();
  const pairs = typeof raw === "string" ? raw.split(",").map((pair) => pair.split("=")) : undefined;
  if (pairs?.some((pair) => pair.length !== 2)) return undefined;
  const entries =
    pairs ?? (typeof raw === "object" && raw !== null && !Array.isArray(raw) ? Object.entries(raw) : [[]]);
  const isPair = ([ccy, amount]: readonly unknown[]) =>
    /^[A-Z0-9]{1,20}$/.test(String(ccy)) && isDecimal(String(amount));
  return entries.every(isPair) ? new Map(entries.map(([ccy, amount]) => [String(ccy), String(amount)])) : undefined;
}

/** An object in the file, or pairs joined by commas. */
export function readLongLimits(raw: unknown): ReadonlyMap<string, number> | undefined {
  if (raw === "none") return new Map();
  const pairs = typeof raw === "string" ? raw.split(",").map((pair) => pair.split("=")) : undefined;
  if (pairs?.some((pair) => pair.length !== 2)) return undefined;
  return readFigures(pairs === undefined ? raw : Object.fromEntries(pairs), new Set(LONG_PERIOD_NAMES), LONG_LIMIT_MAX);
}

/** Whole numbers from 1 to `max` by name; undefined when something is no such thing. */
function readFigures(raw: unknown, known: ReadonlySet<string>, max: number): ReadonlyMap<string, number> | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  const { read } = whole("N", 1, max);
  const figures = Object.entries(raw).map(([name, figure]) => [name, read(figure) as number | undefined] as const);
  const areSound = figures.every(([name, figure]) => known.has(name) && figure !== undefined);
  return areSound ? new Map(figures as [string, number][]) : undefined;
}

/** "" stands for none. */
export function readOrigin(raw: unknown): string | undefined {
  if (raw === "none") return "";
  if (typeof raw !== "string" || !/^https?:\/\//.test(raw) || !URL.canParse(raw)) return undefined;
  return new URL(raw).origin === raw ? raw : undefined;
}

/** "" stands for none. */
export function readHistory(raw: unknown): string | undefined {
  return raw === "none" ? "" : readAddress(raw);
}

/** A text with commas or, in the file, a list; empty for none. */
export function readServers(raw: unknown): readonly string[] | undefined {
  if (raw === "none") return [];
  const servers: unknown[] = typeof raw === "string" ? raw.split(",") : Array.isArray(raw) ? raw : [];
  const isServer = (one: unknown) =>
    typeof one === "string" &&
    /^https?:\/\/(?:[^\s/@]+@)?[^\s/@]+(?:\/[A-Za-z0-9._/-]*)?$/.test(one) &&
    URL.canParse(one);
  return servers.length > 0 && servers.length <= SERVERS_MAX && servers.every(isServer)
    ? (servers as string[])
    : undefined;
}

const NODE_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/;

/** "" stands for none. */
export function readNodeName(raw: unknown): string | undefined {
  if (raw === "none") return "";
  return typeof raw === "string" && NODE_NAME.test(raw) ? raw : undefined;
}

/** "" stands for none. */
export function readNodeAddress(raw: unknown): string | undefined {
  if (raw === "none") return "";
  if (typeof raw !== "string" || !/^(?:\[[0-9a-fA-F:]+\]|[^\s:[\]/]+):\d{1,5}$/.test(raw)) return undefined;
  return addressOf(raw).port <= 65_535 ? raw : undefined;
}

/** "" stands for none. */
export function readSmtp(raw: unknown): string | undefined {
  if (raw === "none") return "";
  return typeof raw === "string" && /^smtps?:\/\/[^\s/]+/.test(raw) && URL.canParse(raw) ? raw : undefined;
}

/** "" stands for none. */
export function readQuotas(raw: unknown): string | undefined {
  if (raw === "none") return "";
  if (typeof raw !== "string" || !/^rediss?:\/\/[^\s/?#]+(?:\/\d{0,4})?$/.test(raw) || !URL.canParse(raw))
    return undefined;
  const { hostname, username, password } = new URL(raw);
  return hostname !== "" && isEncoded(username) && isEncoded(password) ? raw : undefined;
}

/** Whether what is percent-encoded in a text stands for something. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the value of a JSON text; undefined when the text is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text with commas or, in the file, a list. Headers are compared without regard to case, so one spelling is kept. */
export function readAddresses(raw: unknown): readonly string[] | undefined {
  if (raw === "none") return [];
  const entries: unknown[] = typeof raw === "string" ? raw.split(",") : Array.isArray(raw) ? raw : [];
  const isEntry = (entry: unknown): entry is string => typeof entry === "string" && isIpEntry(entry);
  return entries.length > 0 && entries.length <= PROXIES_MAX && entries.every(isEntry) ? entries : undefined;
}

export function readServiceNames(raw: unknown): readonly string[] | undefined {
  const names: unknown[] = typeof raw === "string" ? raw.split(",") : Array.isArray(raw) ? raw : [];
  const isName = (name: unknown) => typeof name === "string" && /^[A-Za-z0-9]{1,32}$/.test(name);
  if (names.length === 0 || names.length > SERVICE_NAMES_MAX || !names.every(isName)) return undefined;
  return [...new Set(names.map((name) => (name as string).toUpperCase()))];
}

/** `HOST:PORT`, with an IPv6 address in brackets. */
export function addressOf(text: string): { readonly host: string; readonly port: number } {
  const at = text.lastIndexOf(":");
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ""), port: Number(text.slice(at + 1)) };
}

/** An object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
