/** A request of the program as the rules look at it. */
import { type Contract, endpointName, loadContract } from "../../gateway/current/contract.ts";
import type { Passing } from "./relay.ts";
import type { Fault } from "./rules.ts";

export interface Call {
  readonly passing: Passing;
  /** Such as `POST /spot/order`; undefined where the contract has nothing there. */
  readonly endpoint: string | undefined;
  readonly isSigned: boolean;
  readonly group: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  /** Two calls that ask for the same have the same one; ids that the client chose do not count. */
  readonly sameness: string;
  fault?: Fault;
  code?: number;
  message?: string;
  /** When it was answered, or its connection was cut. */
  endedMs?: number;
}

const ORDER_CALLS: ReadonlySet<string> = new Set(["POST /spot/order", "POST /futures/order"]);
const LOOKS =
  /^GET \/(spot|futures)\/(pending-order|finished-order|order-status|batch-order-status|user-deals|order-deals)$/;
const POSITION_LOOKS = /^GET \/futures\/(pending-position|finished-position)$/;

export function placesOrder({ endpoint = "" }: Call): boolean {
  return ORDER_CALLS.has(endpoint);
}

/** Whether it looks what became of orders. */
export function looksAtOrders({ endpoint = "" }: Call): boolean {
  return LOOKS.test(endpoint);
}

export function looksAtPositions({ endpoint = "" }: Call): boolean {
  return POSITION_LOOKS.test(endpoint);
}

/**
 * Whether a call was sent because of what was answered then, as far as connections tell. Calls that set out together
 * come on connections that were opened together, some of them late; who has read an answer sends on a connection that
 * has had one, if there is any.
 */
export function isReaction({ passing }: Call, endedMs: number): boolean {
  const { openedMs, answeredMs, awaiting, idle } = passing;
  if (answeredMs === 0) return openedMs > endedMs && idle === 0;
  return answeredMs >= endedMs || awaiting === 0;
}

/** A header of the signature, whatever the venue's name in it is: `sign`, `key` or `timestamp`. */
export function signedPart({ headers }: Passing, part: string): string | undefined {
  const found = Object.entries(headers).find(([name]) => name.startsWith("x-") && name.endsWith(`-${part}`));
  return typeof found?.[1] === "string" ? found[1] : undefined;
}

/** Who waits for the quota of one request waits for all of it; clocks may differ a little. */
const TOO_SOON_SHARE = 0.9;
const TOO_SOON_MOST_MS = 90;
/** A call comes at once behind another one within this. Who waits, waits longer; a slow machine answers sooner. */
export const AT_ONCE_MS = 100;

/** Reads requests by the contract. */
export class CallReader {
  readonly #contract: Contract;
  readonly #byName: Map<string, Contract["endpoints"][number]>;
  /** Names of all that is a decimal in requests. */
  readonly #decimals: Set<string>;
  readonly #rates: Map<string, number>;

  constructor() {
    this.#contract = loadContract();
    const { endpoints, records, rateGroups } = this.#contract;
    this.#byName = new Map(endpoints.map((endpoint) => [endpointName(endpoint), endpoint]));
    this.#rates = new Map(rateGroups.map(({ name, rate_per_second }) => [name, rate_per_second]));
    const requests = [...records].filter(([name]) => name.endsWith("Request")).flatMap(([, { fields }]) => fields);
    const rules = [...endpoints.flatMap(({ params }) => params), ...requests];
    this.#decimals = new Set(rules.filter(({ type }) => type === "decimal").map(({ name }) => name));
  }

  read(passing: Passing): Call {
    const name = `${passing.method} ${passing.path}`;
    const endpoint = this.#byName.get(name);
    const params = paramsOf(passing);
    const kept = Object.entries(params).filter(([key]) => key !== "client_id");
    const group = endpoint?.group ?? undefined;
    return {
      passing,
      endpoint: endpoint === undefined ? undefined : name,
      isSigned: signedPart(passing, "sign") !== undefined,
      group,
      params,
      sameness: `${name} ${JSON.stringify(kept.sort(([one], [other]) => (one < other ? -1 : 1)))}`,
    };
  }

  /** ms within which a call comes too soon after a refusal for want of quota: not even one request has come back. */
  tooSoonMs(group: string | undefined): number {
    return Math.min(TOO_SOON_MOST_MS, (1_000 / this.rateOf(group)) * TOO_SOON_SHARE);
  }

  rateOf(group: string | undefined): number {
    return this.#rates.get(group ?? "") ?? 1;
  }

  /** Decimals of a request that were written as no decimal should be, as `name value`. */
  oddDecimals({ method, target, body }: Passing): string[] {
    const pairs =
      method === "GET"
        ? [...new URLSearchParams(target.split("?")[1] ?? "")]
        : Array.from(body.matchAll(/"(\w+)"\s*:\s*(?:"([^"]*)"|([^\s",{}[\]]+))/g), ([, name = "", text, number]) => [
            name,
            text ?? number ?? "",
          ]);
    return pairs
      .filter(([name = "", text = ""]) => this.#decimals.has(name) && isOdd(text))
      .map((pair) => pair.join(" "));
  }
}

/** Digits that a binary fraction of double precision has at most when it is written out. */
const BINARY_DIGITS = 16;

function isOdd(text: string): boolean {
  if (/^(NaN|-?Infinity|undefined)$/.test(text)) return true;
  if (/^-?[\d.]+[eE][+-]?\d+$/.test(text)) return true;
  const digits = text.replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.length >= BINARY_DIGITS && /\.\d*(?:0{6,}|9{6,})\d{1,3}$/.test(text);
}

function paramsOf({ method, target, body }: Passing): Readonly<Record<string, unknown>> {
  if (method === "GET") return Object.fromEntries(new URLSearchParams(target.split("?")[1] ?? ""));
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === "object" && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
