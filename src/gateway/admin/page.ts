/** Pages of the operator's lists, which are asked for by number, as everywhere in the interface. */
import type { Action, ActionQuery, AuditTrail } from "./backend.ts";
import { optional, whole } from "./field.ts";

const PAGE_MAX = 1_000_000;
const LIMIT_MAX = 1_000;
const LIMIT_DEFAULT = 100;

/** To be spread among the fields of a list. */
export const pageFields = {
  page: optional(whole("N", 1, PAGE_MAX), "page, from 1"),
  limit: optional(whole("N", 1, LIMIT_MAX), `rows of a page; ${LIMIT_DEFAULT} unless given`),
};

interface PageValues {
  readonly page: number | undefined;
  readonly limit: number | undefined;
}

/** From which row on, and how many. */
export function rangeOf({ page = 1, limit = LIMIT_DEFAULT }: PageValues): {
  readonly from: number;
  readonly limit: number;
} {
  return { from: (page - 1) * limit, limit };
}

/**
 * The rows of a page of what `all` runs through, under `name`, with whether there are more. Only those of the page are
 * made into what is shown.
 */
export function pageOf<Item>(
  name: string,
  all: Iterable<Item>,
  values: PageValues,
  show: (item: Item) => object,
): object {
  const { from, limit } = rangeOf(values);
  const rows: object[] = [];
  let at = 0;
  for (const item of all) {
    if (at >= from + limit) return { [name]: rows, has_next: true };
    if (at++ >= from) rows.push(show(item));
  }
  return { [name]: rows, has_next: false };
}

/** The same of what operators did. */
export function pageOfActions(
  name: string,
  trail: AuditTrail,
  query: Omit<ActionQuery, "offset" | "limit">,
  values: PageValues,
  show: (action: Action) => object,
): object {
  const { from: offset, limit } = rangeOf(values);
  const actions = trail.list({ ...query, offset, limit: limit + 1 });
  return { [name]: actions.slice(0, limit).map(show), has_next: actions.length > limit };
}
