/** The calls of the API as types, and how their parameters travel. */
import { type Answer, CLIENT_CODES, type Done, type Failed, failed, outcomeOf } from "./answer.ts";
import type { Kinds, Needs, Params, Records } from "./http.generated.ts";

export type CallName = keyof Params;

type PathFor<Method extends string, Name = CallName> = Name extends `${Method} ${infer Path}` ? Path : never;
export type GetPath = PathFor<"GET">;
export type PostPath = PathFor<"POST">;

/** The type of an answer's `data`. The elements of a batch succeed and fail each alone, so each is an answer. */
export type DataOf<Name extends CallName> = {
  object: Records[Name];
  array: readonly Records[Name][];
  page: readonly Records[Name][];
  batch: readonly Answer<Records[Name]>[];
  empty: Readonly<Record<string, never>>;
}[Kinds[Name]];

/** The parameters may be left out where none is required. */
export type ArgsOf<Name extends CallName> =
  Readonly<Record<string, never>> extends Params[Name]
    ? [params?: Params[Name], options?: CallOptions]
    : [params: Params[Name], options?: CallOptions];

export interface CallOptions {
  /** Doing it twice does no harm, so that it may be asked for again when no answer came; GET always may. */
  readonly repeatable?: boolean | undefined;
  /** ms that the request may be old when the venue gets it; 5000 unless said otherwise. */
  readonly windowMs?: number | undefined;
  /** ms to wait for quota, in place of the client's own figure. */
  readonly quotaWaitMs?: number | undefined;
}

/**
 * Returns the query of the parameters that were given, without those that are undefined; lists that travel as one text
 * are joined.
 */
export function queryOf(params: object): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : String(value)]),
  ).toString();
}

/** How many requests a call counts as. */
export function costOf({ items }: Needs, params: object): number {
  return items === undefined ? 1 : Math.max(1, ((params as Record<string, unknown[]>)[items] ?? []).length);
}

export const QUOTA_FAILED = failed(
  CLIENT_CODES.quota,
  "There was no quota within the time that the call may wait; nothing was sent.",
);

/**
 * Refuses parameters of which one, anywhere within, is a number with a fraction or no number at all; undefined when all
 * is well.
 */
export function refuseFraction(params: object): Failed | undefined {
  const name = fractionIn(params);
  if (name === undefined) return undefined;
  return failed(CLIENT_CODES.fraction, `The parameter ${name} is a number with a fraction; write decimals as text.`);
}

function fractionIn(value: unknown, name = ""): string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? undefined : name;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = fractionIn(item, Array.isArray(value) ? name : key);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface BatchRow {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** The rows of a batch as answers. */
export function withRows(answer: Done<unknown>): Done<unknown> {
  const { requestId } = answer;
  const data = (answer.data as readonly BatchRow[]).map(({ code, message, data: row }) =>
    code === 0
      ? { ok: true, data: row, requestId }
      : { ok: false, code, message, requestId, reason: undefined, outcome: outcomeOf(code) },
  );
  return { ...answer, data };
}
