import type { Refused } from "../refused.ts";

/** A refusal as it goes out. */
export interface Rendered {
  /** HTTP status; the listener has its own where the request is no well-formed one. */
  readonly status: number;
  /** The code in the body, for who counts answers. */
  readonly code: number;
  /** JSON. */
  readonly body: string;
}

/** How a surface says no. */
export interface Renderer {
  render(refused: Refused): Rendered;
}
