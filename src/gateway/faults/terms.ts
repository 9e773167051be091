/** The options of a fault: its kind, whom it strikes and how often. */
import { invalidParameter, type Refused } from "../refused.ts";

const ON_REQUESTS = ["delay", "drop", "busy", "unavailable", "timeout", "limited"] as const;
const ON_SOCKETS = ["close_sockets", "stall_sockets"] as const;

/** Those that are no failures of the log. */
export const FAULTS = [...ON_REQUESTS, ...ON_SOCKETS, "stale_index"] as const;
export type FaultKind = (typeof FAULTS)[number];

/** Whether the effect of a command comes before the cut. */
export const DROPS = ["before", "after"] as const;

export interface FaultSpec {
  readonly fault: FaultKind;
  /** A path, `user_id=N`, a channel, a method of sockets or a market; undefined: all. */
  readonly match?: string | undefined;
  /** Of what matches, in (0, 1]; undefined: all of it. */
  readonly share?: number | undefined;
  readonly ms?: number | undefined;
  /** It ends when it has struck so often. */
  readonly count?: number | undefined;
  readonly when?: (typeof DROPS)[number] | undefined;
}

/** Whom a `match` means; what is undefined matches all. */
export interface Matched {
  readonly userId?: number;
  /** Every spelling of a path. */
  readonly paths?: ReadonlySet<string>;
  /** Of a channel, a method of sockets or a market. */
  readonly name?: string;
}

const VERSION = "/v2";
/** A method of sockets has two words. */
const NAME = /^\w{1,40}(?:\.\w{1,40})?$/;

export function isOnRequests(fault: FaultKind): boolean {
  return (ON_REQUESTS as readonly string[]).includes(fault);
}

function isOnSockets(fault: FaultKind): boolean {
  return (ON_SOCKETS as readonly string[]).includes(fault);
}

/** Undefined when the text means nobody. */
export function matchOf(match: string | undefined): Matched | undefined {
  if (match === undefined) return {};
  if (match.startsWith("/")) {
    const bare = match.startsWith(`${VERSION}/`) ? match.slice(VERSION.length) : match;
    return { paths: new Set([match, bare, VERSION + bare]) };
  }
  const [, userId] = /^user_id=([1-9]\d{0,8})$/.exec(match) ?? [];
  if (userId !== undefined) return { userId: Number(userId) };
  return NAME.test(match) ? { name: match } : undefined;
}

function matchText(match: string | undefined): string {
  return match === undefined ? "" : `on ${match}`;
}

/** Returns why the options of a fault are refused; undefined when nothing is wrong with them. */
export function refuseTerms({ fault, match, ms, when }: FaultSpec): Refused | undefined {
  const matched = matchOf(match);
  if (matched === undefined)
    return invalidParameter("match must be a path, user_id=N, a channel, a method of sockets or a market.");
  const { paths, name, userId } = matched;
  const isMethod = name?.includes(".") === true;
  if (isOnSockets(fault) && (paths !== undefined || isMethod)) {
    return invalidParameter(`match of ${fault} must be a channel or user_id=N.`);
  }
  if (fault === "stale_index" && (paths !== undefined || userId !== undefined || isMethod)) {
    return invalidParameter("match of stale_index must be a market.");
  }
  if ((fault === "delay" || fault === "stall_sockets") && ms === undefined) {
    return invalidParameter(`ms is required for ${fault}.`);
  }
  if (when !== undefined && fault !== "drop" && fault !== "timeout") {
    return invalidParameter("when is of drop and timeout only.");
  }
  return undefined;
}

/** Returns the text of the note about a fault that begins. */
export function faultText({ fault, match, share, ms, count, when }: FaultSpec): string {
  const parts = [
    fault,
    ms === undefined ? "" : `${ms} ms`,
    when === undefined ? "" : `${when} the effect`,
    matchText(match),
    share === undefined ? "" : `share ${share}`,
    count === undefined ? "" : `${count} times`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
