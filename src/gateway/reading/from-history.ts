/** How handlers ask history: what keeps it from answering becomes a refusal. */
import { HistoryBusy, HistoryFault } from "../../history/fault.ts";
import { type CountedPage, isWithinReach, PAGE_END_MAX, type Page, type PageRequest } from "../../history/page.ts";
import { invalidParameter, Refused } from "../refused.ts";
import type { Refusing } from "./answering.ts";

/** The answer, or why there is none now. */
export async function fromHistory<Answer>(asked: Promise<Answer>): Promise<Answer | Refused> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof HistoryBusy) return new Refused("busy");
    if (error instanceof HistoryFault) return new Refused("history_unavailable");
    throw error;
  }
}

/** Answers a page, counted or not, or why there is none. `print` gives what is answered for its rows. */
export function answerPage<Row, Answer>(
  call: Refusing & { answer(data: Answer, page: { readonly hasNext: boolean; readonly total?: number }): void },
  page: Page<Row> | CountedPage<Row> | Refused,
  print: (rows: readonly Row[]) => Answer,
): void {
  if (page instanceof Refused) {
    call.refuse(page);
    return;
  }
  const { rows, ...rest } = page;
  call.answer(print(rows), rest);
}

/** As `fromHistory`, for a page; one too far back is refused before history is asked. */
export function pageFromHistory<Answer, Query extends PageRequest>(
  ask: (query: Query) => Promise<Answer>,
  query: Query,
): Promise<Answer | Refused> {
  if (!isWithinReach(query)) {
    return Promise.resolve(
      invalidParameter(`page times limit must not exceed ${PAGE_END_MAX}; narrow what is asked for instead.`),
    );
  }
  return fromHistory(ask(query));
}
