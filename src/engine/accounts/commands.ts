import { type Answer, accepted, refused } from "../answer.ts";
import { refuseAccountWrite } from "../maintenance/maintenance.ts";
import { parseRateE8 } from "../money/rate.ts";
import { answeredBefore, contentOf, remember } from "../operators/references.ts";
import { emitRareEvent } from "../rare-event.ts";
import { invite, refuseInviter } from "../referral/commands.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import type { ApiKey } from "./api-key.ts";
import type {
  ChangeUser,
  CreateApiKey,
  CreateUser,
  DeleteApiKey,
  KeyPermission,
  ResealApiKeys,
} from "./command-schemas.ts";
import { feeLevels, settleRates } from "./fee-level.ts";
import { USER_FLAG } from "./user.ts";

const NAME_CHARS_MAX = 64;
export const USERS_MAX = 2 ** 31 - 2;
export const KEYS_PER_USER_MAX = 50;
const PERMISSIONS: readonly KeyPermission[] = ["read", "trade", "withdraw"];

/**
 * Makes a user, and binds it to the code that invited it; names are unique. A sub-account cannot have sub-accounts of
 * its own.
 */
export function createUser(state: State, command: CreateUser): Answer {
  const { name, mainUserId, referredBy } = command;
  const { users } = state;
  const content = referredBy === undefined ? contentOf(name, mainUserId) : contentOf(name, mainUserId, referredBy);
  const referring = { kind: "create_user", reference: command.reference, content };
  const before = answeredBefore(state, referring);
  if (before !== undefined) return before;
  if (name.length === 0 || name.length > NAME_CHARS_MAX) {
    return refused("invalid_command", `A user name has 1 to ${NAME_CHARS_MAX} characters.`);
  }
  if (users.byName.has(name)) return refused("name_taken", `There is a user named ${name} already.`);
  if (mainUserId !== undefined && (!users.has(mainUserId) || users.mainUserId(mainUserId) !== 0)) {
    return refused("user_not_found", "main_user_id must be the id of a main account.");
  }
  if (users.count >= USERS_MAX) return refused("invalid_command", "The venue cannot hold more users.");
  const uninvited = referredBy === undefined ? undefined : refuseInviter(state, mainUserId ?? 0, referredBy);
  if (uninvited !== undefined) return uninvited;

  // Nothing is refused below this line.
  const userId = enterUser(state, name, mainUserId ?? 0);
  if (referredBy !== undefined) invite(state, userId, referredBy);
  remember(state, referring, { userId });
  return accepted({ userId });
}

/** Enters a user whom nothing speaks against; `mainUserId` 0 makes a main account. */
export function enterUser(state: State, name: string, mainUserId: number): number {
  const userId = state.users.add(name, mainUserId, state.timeMs);
  emitRareEvent(state, { type: "user_created", userId });
  return userId;
}

/**
 * Freezes, bars or frees a user, sets the fee rates of its future orders (a level, or rates of its own, which come
 * first), or in which currency it pays fees.
 */
export function changeUser(state: State, command: ChangeUser): Answer {
  const { users } = state;
  const { userId, makerFeeRate, takerFeeRate, feeLevel } = command;
  if (!users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  const hindrance = command.byUser === true ? refuseAccountWrite(state) : undefined;
  if (hindrance !== undefined) return hindrance;
  const terms = users.feeTermsOf(userId);
  const maker = ownRate(makerFeeRate, terms.makerFeeRateE8);
  const taker = ownRate(takerFeeRate, terms.takerFeeRateE8);
  if (maker === undefined || taker === undefined) {
    return refused("invalid_command", "Fee rates are decimals from 0 to below 1 with at most 8 decimals, or null.");
  }
  const level = feeLevel === null ? undefined : (feeLevel ?? terms.level);
  if (level !== undefined && !feeLevels.of(state).has(level)) {
    return refused("fee_level_not_found", `There is no fee level ${level}.`);
  }

  // Nothing is refused below this line.
  if (level === undefined) {
    users.onFeeLevel.delete(userId);
    users.setMakerFeeRateE8(userId, maker);
    users.setTakerFeeRateE8(userId, taker);
  } else {
    users.onFeeLevel.set(userId, { level, makerFeeRateE8: maker, takerFeeRateE8: taker });
    settleRates(state, userId);
  }
  setFlag(state, userId, USER_FLAG.frozen, command.frozen);
  setFlag(state, userId, USER_FLAG.tradeBarred, command.tradeBarred);
  setFlag(state, userId, USER_FLAG.feeDeduction, command.feeDeduction);
  emitRareEvent(state, { type: "user_changed", userId });
  return accepted({ userId });
}

export function createApiKey(state: State, command: CreateApiKey): Answer {
  const { accessId, userId, permissions, ipWhitelist, expiredAt } = command;
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  if (state.keys.has(accessId)) return refused("name_taken", "That access id is in use.");
  if (accessId === "") return refused("invalid_command", "An access id has at least one character.");
  const granted = keyPermissions(permissions);
  if (granted === undefined) return refused("invalid_command", "Permissions are read, trade and withdraw.");
  if (expiredAt < 0) return refused("invalid_command", "expired_at is a time in milliseconds, or 0 for never.");
  if (state.keys.ofUser(userId).size >= KEYS_PER_USER_MAX) {
    return refused("invalid_command", `An account has at most ${KEYS_PER_USER_MAX} keys.`);
  }
  enterKey(state, {
    accessId,
    userId,
    secretCipher: command.secretCipher,
    permissions: granted,
    ipWhitelist: [...ipWhitelist],
    expiredAt,
    remark: command.remark ?? "",
    createdAt: state.timeMs,
  });
  return accepted({ accessId });
}

/**
 * Returns the permissions of a key that is made with these words, `read` always among them; undefined when another word
 * is there.
 */
export function keyPermissions(words: readonly KeyPermission[]): KeyPermission[] | undefined {
  return words.every((word) => PERMISSIONS.includes(word))
    ? PERMISSIONS.filter((permission) => permission === "read" || words.includes(permission))
    : undefined;
}

/** Enters a key that nothing speaks against, and numbers it. */
export function enterKey(state: State, key: ApiKey): ApiKey {
  const entered = holds(state, "numberedKeys") ? { apiId: state.keys.nextApiId++, ...key } : key;
  state.keys.set(key.accessId, entered);
  emitRareEvent(state, { type: "api_key_created", accessId: key.accessId, userId: key.userId });
  return entered;
}

/** Takes over secrets that the gateway has sealed with another key; what they are sealed from stays the same. */
export function resealApiKeys(state: State, { ciphers }: ResealApiKeys): Answer {
  let resealed = 0;
  for (const { accessId, secretCipher } of ciphers) {
    const key = state.keys.get(accessId);
    if (key === undefined) continue;
    state.keys.set(accessId, { ...key, secretCipher });
    resealed++;
  }
  return accepted({ resealed });
}

export function deleteApiKey(state: State, command: DeleteApiKey): Answer {
  const key = state.keys.get(command.accessId);
  if (key === undefined) return refused("key_not_found", "There is no key with that access id.");
  forgetKey(state, key);
  return accepted({ accessId: key.accessId });
}

export function forgetKey(state: State, { accessId, userId }: ApiKey): void {
  state.keys.delete(accessId);
  emitRareEvent(state, { type: "api_key_deleted", accessId, userId });
}

/** null goes back to the rate of the level or the market (-1); absent keeps `current`. */
function ownRate(text: string | null | undefined, current: number): number | undefined {
  if (text === undefined) return current;
  return text === null ? -1 : parseRateE8(text);
}

function setFlag(state: State, userId: number, flag: number, value: boolean | undefined): void {
  if (value === undefined) return;
  const flags = state.users.flags(userId);
  state.users.setFlags(userId, value ? flags | flag : flags & ~flag);
}
