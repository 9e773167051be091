/** The setting `strict`: what the live venue is known to refuse is refused here, row by row of contract/strict.json. */
import { readFileSync } from "node:fs";
import { type Contract, endpointName } from "./contract.ts";

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

/** The contract with the rules of `numbers_only`. Throws for a parameter that it does not have. */
export function strictContract(contract: Contract): Contract {
  const named = strictRows().flatMap(({ rule, params = [] }) => (rule === "numbers_only" ? params : []));
  const left = new Set(named.map(({ endpoint, param }) => `${endpoint} ${param}`));
  const endpoints = contract.endpoints.map((endpoint) => ({
    ...endpoint,
    params: endpoint.params.map((param) =>
      left.delete(`${endpointName(endpoint)} ${param.name}`) ? { ...param, numbers_only: true } : param,
    ),
  }));
  if (left.size > 0) throw new Error(`contract/strict.json names what the contract does not have: ${[...left]}.`);
  return { ...contract, endpoints };
}

/** The methods whose parameters count only in the query, in the legacy generation. */
export function queryOnlyMethods(): ReadonlySet<string> {
  return new Set(strictRows().flatMap(({ rule, methods = [] }) => (rule === "query_only" ? methods : [])));
}
