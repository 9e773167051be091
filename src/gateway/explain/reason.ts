/**
 * Why a request was refused, as a header says it and as `explain` does: the rule by its number, and what it was decided
 * by.
 */
import type { AllRefusalRows } from "../refusal-rows.ts";
import type { Figures, Refused } from "../refused.ts";

/** Header of refusals in the dev profile. */
export const REASON_HEADER = "X-Bourse-Reason";

export interface Reason {
  /** Section of docs/reference/domain.md, with the row of its table where that is numbered. */
  readonly rule: string;
  readonly refusal: string;
  /** The whole sentence. */
  readonly message: string;
  readonly figures: Figures;
}

const VALUE_CHARS_MAX = 120;
const FIGURES_MAX = 16;

export function reasonOf(rows: AllRefusalRows, { refusal, message, detail, figures = {} }: Refused): Reason {
  const row = rows[refusal];
  return { rule: row.rule, refusal, message: message ?? withDetail(row.message, detail), figures: clean(figures) };
}

/** In one line, such as `2.4; refusal=insufficient_balance; ccy=USDT; available=3; needed=100`. */
export function reasonText(rows: AllRefusalRows, refused: Refused): string {
  const { rule, refusal, figures } = reasonOf(rows, refused);
  let text = `${rule}; refusal=${refusal}`;
  for (const [name, value] of Object.entries(figures)) text += `; ${name}=${value}`;
  const why = refused.detail ?? (refused.figures === undefined ? refused.message : undefined);
  return why === undefined ? text : `${text}; why=${cleanText(why)}`;
}

function withDetail(message: string, detail: string | undefined): string {
  return detail === undefined ? message : `${message.replace(/\.$/, "")}: ${detail}`;
}

/**
 * Values are partly a client's own words: what no header may hold, and what would look like another figure, is left
 * out.
 */
function clean(figures: Figures): Figures {
  const entries = Object.entries(figures).slice(0, FIGURES_MAX);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? cleanText(value) : value]),
  );
}

function cleanText(text: string): string {
  const head = text.slice(0, VALUE_CHARS_MAX).replaceAll(/[^\x20-\x7e]|;/gu, "?");
  return text.length > VALUE_CHARS_MAX ? `${head}...` : head;
}
