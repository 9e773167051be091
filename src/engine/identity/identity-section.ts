import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import { type Identity, identities, type Session } from "./identities.ts";

interface Words {
  readonly identities: readonly Identity[];
  readonly nextPasskeyId: number;
  readonly nextSessionId: number;
  readonly sweepAt: number;
}

/** So many stand in a chunk, so that no text grows beyond what a text can hold. */
const PER_CHUNK = 100_000;

/** Identities by user id and sessions by their own, both ascending. */
export const identitySection: Section = {
  name: "identity",
  version: 1,
  write: (state) => {
    const { byUser, sessions, nextPasskeyId, nextSessionId, sweepAt } = identities.of(state);
    const sorted = [...byUser.values()].sort((one, other) => one.userId - other.userId);
    const words: Words = { identities: sorted.slice(0, PER_CHUNK), nextPasskeyId, nextSessionId, sweepAt };
    const rows = [...sessions.values()].sort((one, other) => one.sessionId - other.sessionId);
    return [
      jsonChunk(words),
      ...chunksOf(sorted.slice(PER_CHUNK)).map((each) => jsonChunk({ identities: each })),
      ...chunksOf(rows).map((each) => jsonChunk({ sessions: each })),
    ];
  },
  read: (state, chunks) => {
    const own = identities.of(state);
    const { nextPasskeyId, nextSessionId, sweepAt } = jsonOf(chunks[0]) as Words;
    Object.assign(own, { nextPasskeyId, nextSessionId, sweepAt });
    for (const chunk of chunks) readRows(state, chunk);
  },
};

function readRows(state: State, chunk: Uint8Array): void {
  const own = identities.of(state);
  const rows = jsonOf(chunk) as { identities?: readonly Identity[]; sessions?: readonly Session[] };
  for (const identity of rows.identities ?? []) own.set(identity);
  for (const session of rows.sessions ?? []) own.setSession(session);
}

function chunksOf<Row>(rows: readonly Row[]): Row[][] {
  const chunks: Row[][] = [];
  for (let at = 0; at < rows.length; at += PER_CHUNK) chunks.push(rows.slice(at, at + PER_CHUNK));
  return chunks;
}
