import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import type { ApiKey } from "./api-key.ts";
import { type FeeLevel, feeLevels } from "./fee-level.ts";
import type { FeeSpec } from "./user.ts";

/** Users by id, their keys, and the fee levels with those who are on one. */
export const accountsSection: Section = {
  name: "accounts",
  version: 2,
  write: (state) => [state.users.rowBytes(state.users.count), jsonChunk(wordsOf(state))],
  read: (state, [rows, json]) => {
    const words = jsonOf(json) as AccountWords;
    // 1 had no numbers of keys.
    state.keys.nextApiId = words.nextApiId ?? 1;
    for (const key of words.keys) state.keys.set(key.accessId, key);
    state.users.load(rows as Uint8Array, words.userNames, words.userCreatedAt);
    for (const level of words.feeLevels) feeLevels.of(state).set(level.level, level);
    for (const [userId, terms] of words.onFeeLevel) state.users.onFeeLevel.set(userId, terms);
  },
};

export interface AccountWords {
  readonly keys: readonly ApiKey[];
  readonly nextApiId?: number;
  readonly feeLevels: readonly FeeLevel[];
  /** By user id. */
  readonly onFeeLevel: readonly (readonly [userId: number, terms: FeeSpec])[];
  readonly userNames: readonly string[];
  readonly userCreatedAt: readonly number[];
}

function wordsOf(state: State): AccountWords {
  const { keys, users } = state;
  return {
    keys: [...keys.values()],
    nextApiId: keys.nextApiId,
    feeLevels: [...feeLevels.of(state).values()],
    onFeeLevel: [...users.onFeeLevel].sort(([one], [other]) => one - other),
    userNames: users.names,
    userCreatedAt: users.createdAt,
  };
}
