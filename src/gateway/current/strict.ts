/** The setting `strict`: what the live venue is known to refuse is refused here, row by row of contract/strict.json. */
import { readFileSync } from "node:fs";

export interface StrictRow {
  readonly id: string;
  readonly rule: "numbers_only" | "query_only";
  readonly params?: readonly { readonly endpoint: string; readonly param: string }[];
  readonly methods?: readonly string[];
  readonly code: number;
  readonly meaning: string;
  /** Where somebody received that answer. */
  readonly evidence: string;
}

/** Throws when the file is missing or no JSON. */
export function strictRows(): readonly StrictRow[] {
  const file = new URL("../../../contract/strict.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { rows: StrictRow[] }).rows;
}

/** The fields of an endpoint that are read here; the contracts of both generations have them. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly params: readonly { readonly name: string }[];
}

/**
 * A contract with the rules of `numbers_only`. Throws for a parameter that the contract of its generation does not
 * have.
 */
export function strictContract<C extends { readonly base?: string; readonly endpoints: readonly Asked[] }>(
  contract: C,
): C {
  const { base } = contract;
  const named = strictRows()
    .flatMap(({ rule, params = [] }) => (rule === "numbers_only" ? params : []))
    // Paths of the legacy generation are whole, those of the current one have no version.
    .filter(({ endpoint }) => /^\S+ (\/v1|\/perpetual\/v1)\//.exec(endpoint)?.[1] === base);
  const left = new Set(named.map(({ endpoint, param }) => `${endpoint} ${param}`));
  const endpoints = contract.endpoints.map((endpoint) => ({
    ...endpoint,
    params: endpoint.params.map((param) =>
      left.delete(`${endpoint.method} ${endpoint.path} ${param.name}`) ? { ...param, numbers_only: true } : param,
    ),
  }));
  if (left.size > 0) throw new Error(`contract/strict.json names what the contract does not have: ${[...left]}.`);
  return { ...contract, endpoints };
}

/** The methods whose parameters count only in the query, in the legacy generation. */
export function queryOnlyMethods(): ReadonlySet<string> {
  return new Set(strictRows().flatMap(({ rule, methods = [] }) => (rule === "query_only" ? methods : [])));
}
