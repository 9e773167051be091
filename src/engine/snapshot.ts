/**
 * The state out and in again, as a list of byte chunks in a canonical form: the same state gives the same bytes,
 * whatever slots it happens to use, so that their SHA-256 is the state hash. Stamp (seq and time) is kept beside, not
 * inside.
 *
 * Chunk 0 is a table of contents in JSON: name, version and number of chunks of each section; then come the sections'
 * chunks.
 */
import { NewerProgram } from "./newer.ts";
import { RULES_VERSION } from "./rules-version.ts";
import { sectionsOfForm9 } from "./snapshot/form-9.ts";
import { type ChunksInSteps, finish, jsonChunk, jsonOf, type Section } from "./snapshot/section.ts";
import { SECTIONS } from "./snapshot/sections.ts";
import type { State } from "./state.ts";
import { CopyMemory } from "./store/copy-memory.ts";
import { fnv1a } from "./store/fnv.ts";
import { schedule } from "./timers.ts";

type ContentsRow = readonly [name: string, version: number, chunks: number];

/**
 * Stands for the names and versions of all sections: state hashes of one form can be compared, of two forms they
 * cannot.
 */
export const SNAPSHOT_FORM = formOf(SECTIONS);

/** The chunks of the present state. They are copies: the state may go on. */
export function takeSnapshot(state: State, sections: readonly Section[] = SECTIONS): Uint8Array<ArrayBuffer>[] {
  return finish(copyState(state, new CopyMemory(true), sections));
}

/** Bytes that `copyState` copies of what grows with users and orders. */
export function copiedBytes(state: State): number {
  return SECTIONS.reduce((sum, { large }) => sum + (large?.bytes(state) ?? 0), 0);
}

/**
 * Copies the state as it is now, and gives the chunks of `takeSnapshot` step by step: the state may go on between the
 * steps.
 */
export function copyState(state: State, memory: CopyMemory, sections: readonly Section[] = SECTIONS): ChunksInSteps {
  // Large ones first: only small ones may allocate much.
  const parts = sections.map(({ large }) => large?.copy(state, memory));
  return chunksOf(
    sections,
    sections.map((section, at) => parts[at] ?? section.write(state)),
  );
}

function* chunksOf(
  sections: readonly Section[],
  parts: readonly (ChunksInSteps | Uint8Array<ArrayBuffer>[])[],
): ChunksInSteps {
  const written: Uint8Array<ArrayBuffer>[][] = [];
  for (const part of parts) written.push(Array.isArray(part) ? part : yield* part);
  const contents = sections.map(({ name, version }, at): ContentsRow => [name, version, written[at]?.length ?? 0]);
  return [jsonChunk(contents), ...written.flat()];
}

/**
 * Fills an empty state from chunks that `takeSnapshot` gave, or that of an older program whose form can still be read.
 * Throws NewerProgram when a newer one wrote them.
 */
export function loadSnapshot(
  state: State,
  chunks: readonly Uint8Array[],
  seq: number,
  timeMs: number,
  sections: readonly Section[] = SECTIONS,
): void {
  const stored = storedSections(chunks);
  for (const [name, { version }] of stored) {
    const known = sections.find((section) => section.name === name)?.version ?? 0;
    const of = `version of the section "${name}"`;
    if (version > known) throw new NewerProgram("The snapshot", { of, found: version, known });
  }
  state.seq = seq;
  state.timeMs = timeMs;
  for (const section of sections) {
    const found = stored.get(section.name);
    if (found !== undefined) section.read(state, found.chunks, found.version);
  }
  if (state.rulesVersion > RULES_VERSION) {
    const versions = { of: "rules version", found: state.rulesVersion, known: RULES_VERSION };
    throw new NewerProgram("The snapshot", versions);
  }
  schedule(state);
}

interface StoredSection {
  readonly version: number;
  readonly chunks: readonly Uint8Array[];
}

function storedSections(chunks: readonly Uint8Array[]): ReadonlyMap<string, StoredSection> {
  const contents = jsonOf(chunks[0]);
  if (!Array.isArray(contents)) {
    const old = sectionsOfForm9(chunks);
    if (old === undefined) throw new Error("The snapshot is of a form that this program no longer reads.");
    return new Map([...old].map(([name, its]) => [name, { version: 1, chunks: its }]));
  }
  let at = 1;
  return new Map(
    (contents as ContentsRow[]).map(([name, version, count]) => {
      at += count;
      return [name, { version, chunks: chunks.slice(at - count, at) }];
    }),
  );
}

/** A number of 32 bits (FNV-1a) over names and versions. */
function formOf(sections: readonly Section[]): number {
  return fnv1a(sections.map(({ name, version }) => `${name} ${version};`).join("")) >>> 0;
}
