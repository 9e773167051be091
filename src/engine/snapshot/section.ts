import type { State } from "../state.ts";

/**
 * A part's share of a snapshot. `write` gives it in a canonical form: the same state gives the same bytes, whatever
 * slots it happens to use. Whoever changes that form raises `version`, and lets `read` take what older versions wrote;
 * a snapshot from before the section was there leaves it as in a new venue.
 */
export interface Section {
  readonly name: string;
  readonly version: number;
  /** Copies of the state, each with a buffer of its own: the state may go on while they are written. */
  write(state: State): Uint8Array<ArrayBuffer>[];
  /**
   * Takes over what `write` of `version`, at most the present one, gave. Sections before this one in the list are read
   * by then.
   */
  read(state: State, chunks: readonly Uint8Array[], version: number): void;
}

/** Words as JSON: for what is rare. */
export function jsonChunk(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function jsonOf(chunk: Uint8Array | undefined): unknown {
  return JSON.parse(new TextDecoder().decode(chunk));
}
