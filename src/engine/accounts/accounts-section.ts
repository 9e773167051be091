import { between, type ChunksInSteps, inSteps, joinedBytes, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import type { CopyMemory } from "../store/copy-memory.ts";
import type { ApiKey } from "./api-key.ts";
import { type FeeLevel, feeLevels } from "./fee-level.ts";
import type { FeeSpec, Users } from "./user.ts";

/** Users by id, their keys, and the fee levels with those who are on one. */
export const accountsSection: Section = {
  name: "accounts",
  version: 2,
  ...inSteps({
    bytes: ({ users }) => users.rowsLength(users.count),
    copy: copyAccounts,
  }),
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

/** Users that are written in a step. */
const STEP_USERS = 4_096;

/** Names and times of users never change: their number is enough of a copy. */
function copyAccounts(state: State, memory: CopyMemory): ChunksInSteps {
  const { users, keys } = state;
  const { names, createdAt, count } = users;
  const rare = JSON.stringify({
    keys: [...keys.values()],
    nextApiId: keys.nextApiId,
    feeLevels: [...feeLevels.of(state).values()],
    onFeeLevel: [...users.onFeeLevel].sort(([one], [other]) => one - other),
  });
  return accountChunks(users.rowBytes(count, memory), rare.slice(0, -1), { names, createdAt, count });
}

type NamesAndTimes = Pick<Users, "names" | "createdAt" | "count">;

function* accountChunks(
  rows: Uint8Array<ArrayBuffer>,
  rare: string,
  { names, createdAt, count }: NamesAndTimes,
): ChunksInSteps {
  const texts = [yield* elements(names, count), yield* elements(createdAt, count)] as const;
  const json = [rare, ',"userNames":[', ...texts[0], '],"userCreatedAt":[', ...texts[1], "]}"];
  return [rows, yield* joinedBytes(json)];
}

/** The first elements of a list as JSON without its brackets, in pieces. */
function* elements(list: readonly unknown[], count: number): Generator<void, string[]> {
  const pieces: string[] = [];
  for (let at = 0; at < count; at += STEP_USERS) {
    pieces.push(JSON.stringify(list.slice(at, Math.min(count, at + STEP_USERS))).slice(1, -1));
    yield;
  }
  return between(pieces);
}
