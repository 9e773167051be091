import type { State } from "../state.ts";
import { CopyMemory } from "../store/copy-memory.ts";

/** Makes chunks in steps of about a millisecond, from a copy: the state may go on between them. */
export type ChunksInSteps = Generator<void, Uint8Array<ArrayBuffer>[]>;

/**
 * A part's share of a snapshot. `write` gives it in a canonical form: the same state gives the same bytes, whatever
 * slots it happens to use. Anyone who changes that form raises `version`, and lets `read` take what older versions
 * wrote; a snapshot from before the section was there leaves it as in a new venue.
 */
export interface Section {
  readonly name: string;
  readonly version: number;
  /** Copies of the state: it may go on while they are written. */
  write(state: State): Uint8Array<ArrayBuffer>[];
  /**
   * Of a section that grows with users and orders: `bytes` of what it copies at once, by which memory is made ready,
   * and `copy`, which copies that and gives the chunks of `write` step by step.
   */
  readonly large?: LargeSection;
  /**
   * Takes over what `write` of `version`, at most the present one, gave. Sections before this one in the list are read
   * by then.
   */
  read(state: State, chunks: readonly Uint8Array[], version: number): void;
}

export interface LargeSection {
  bytes(state: State): number;
  copy(state: State, memory: CopyMemory): ChunksInSteps;
}

/** The members of a section that is copied at once and written in steps. */
export function inSteps(large: LargeSection): Pick<Section, "write" | "large"> {
  return { large, write: (state) => finish(large.copy(state, new CopyMemory(true))) };
}

/** Chunks that need no step. */
export function* given(chunks: Uint8Array<ArrayBuffer>[]): ChunksInSteps {
  yield* [];
  return chunks;
}

/** Takes all steps at once. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Words as JSON: for what is rare. */
export function jsonChunk(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** These texts with commas between them. */
export function between(texts: readonly string[]): string[] {
  return texts.flatMap((text, at) => (at === 0 ? [text] : [",", text]));
}

/** These texts one after the other as bytes, in steps of one each. */
export function* joinedBytes(texts: readonly string[]): Generator<void, Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (const text of texts) {
    const piece = encoder.encode(text);
    pieces.push(piece);
    length += piece.byteLength;
    yield;
  }
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.byteLength;
    yield;
  }
  return joined;
}

export function jsonOf(chunk: Uint8Array | undefined): unknown {
  return JSON.parse(new TextDecoder().decode(chunk));
}
