/** How the current generation, and the operator's interface in its words, says no. */
import type { Rendered, Renderer } from "../http/renderer.ts";
import type { AllRefusalRows } from "../refusal-rows.ts";
import type { Refused, WireRefusal } from "../refused.ts";

/** The HTTP statuses of refusals that have one of their own; of all others it is 200. */
export type Statuses = Readonly<Partial<Record<WireRefusal, number>>>;

/** The messages of refusals, by the names of the refusals. */
export type Texts = Readonly<Partial<Record<WireRefusal, string>>>;

const STATUSES: Statuses = { path_not_found: 404, address_rate_limited: 429 };

export class EnvelopeRenderer implements Renderer {
  readonly #rows: AllRefusalRows;
  readonly #statuses: Statuses;
  readonly #texts: Texts;

  /**
   * `statuses` are added to those that every surface of this renderer has; `texts` are said in the place of what the
   * rows say.
   */
  constructor(rows: AllRefusalRows, statuses: Statuses = {}, texts: Texts = {}) {
    this.#rows = rows;
    this.#statuses = { ...STATUSES, ...statuses };
    this.#texts = texts;
  }

  render(refused: Refused): Rendered {
    const status = this.#statuses[refused.refusal] ?? 200;
    return { status, code: this.#rows[refused.refusal].v2, body: this.#text(refused, this.dataOf(refused)) };
  }

  /** Returns the text that stands in the place of a batch element's record. */
  renderElement(refused: Refused): string {
    return this.#text(refused, "null");
  }

  /** Code and message of what was refused within an answer. */
  wordsOf(refused: Refused): { readonly code: number; readonly message: string } {
    const { v2, message } = this.#rows[refused.refusal];
    return { code: v2, message: this.#sentence(refused, message) };
  }

  /** Returns the content of `data`, as JSON. */
  protected dataOf(_refused: Refused): string {
    return "{}";
  }

  #text(refused: Refused, data: string): string {
    const { code, message } = this.wordsOf(refused);
    return `{"code":${code},"data":${data},"message":${JSON.stringify(message)}}`;
  }

  /**
   * Only where the code says no more than that a parameter is wrong the sentence says which; other codes have one each.
   */
  #sentence({ refusal, message, detail }: Refused, ofRow: string): string {
    if (message !== undefined) return message;
    const text = this.#texts[refusal];
    if (text !== undefined) return text;
    if (detail === undefined || this.#rows[refusal].v2 !== this.#rows.invalid_parameter.v2) return ofRow;
    return `Invalid Parameter: ${detail}`;
  }
}
