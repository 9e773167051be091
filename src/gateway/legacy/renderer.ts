/**
 * How the legacy generation says no, and yes: `{"code":…,"message":…,"data":…}` with HTTP 200, but for paths that are
 * not there.
 */
import type { Rendered, Renderer } from "../http/renderer.ts";
import type { AllRefusalRows } from "../refusal-rows.ts";
import type { Refused, WireRefusal } from "../refused.ts";
import type { LegacyArea } from "./contract.ts";

/** Codes by refusal. */
export type LegacyCodes = Readonly<Partial<Record<WireRefusal, number>>>;

/** L1 of docs/reference/compat.md: codes that the documents lack and existing clients know. */
export const LIVE_CODES: LegacyCodes = { address_invalid: 310 };

export class LegacyRenderer implements Renderer {
  readonly #rows: AllRefusalRows;
  readonly #area: LegacyArea;
  readonly #codes: LegacyCodes;

  /** `codes` take the place of those of the rows. */
  constructor(rows: AllRefusalRows, area: LegacyArea, codes: LegacyCodes = {}) {
    this.#rows = rows;
    this.#area = area;
    this.#codes = codes;
  }

  render(refused: Refused): Rendered {
    const code = this.codeOf(refused);
    return {
      status: refused.refusal === "path_not_found" ? 404 : 200,
      code,
      body: envelopeText(code, this.sentenceOf(refused), "{}"),
    };
  }

  codeOf({ refusal }: Refused): number {
    const { v1, perpetual = v1 } = this.#rows[refusal];
    const code = this.#codes[refusal];
    if (code !== undefined) return code;
    return this.#area === "futures" ? perpetual : v1;
  }

  /** Only where the code says no more than that a parameter is wrong the sentence says which. */
  sentenceOf({ refusal, message, detail }: Refused): string {
    const row = this.#rows[refusal];
    if (message !== undefined) return message;
    return detail === undefined || row.v1 !== this.#rows.invalid_parameter.v1
      ? row.message
      : `Invalid argument: ${detail}`;
  }
}

/** `data` is JSON text. */
export function envelopeText(code: number, message: string, data: string): string {
  return `{"code":${code},"message":${JSON.stringify(message)},"data":${data}}`;
}
