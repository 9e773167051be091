/** API keys that an account makes, changes and deletes itself. Source: domain 6.8. */
import type { ApiKey } from "../accounts/api-key.ts";
import { enterKey, forgetKey, KEYS_PER_USER_MAX, keyPermissions } from "../accounts/commands.ts";
import { type Answer, accepted, refused } from "../answer.ts";
import { refuseAccountWrite } from "../maintenance/maintenance.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { REMARK_CHARS_MAX, tooLongRemark } from "../subs/commands.ts";
import { OPEN_KEY_LIFE_MS } from "../subs/key-commands.ts";
import type { ChangeOwnApiKey, CreateOwnApiKey, DeleteOwnApiKey } from "./command-schemas.ts";

/** Makes a key of the account. One that may be used from anywhere does not live longer than those of sub-accounts. */
export function createOwnApiKey(state: State, command: CreateOwnApiKey): Answer {
  const { userId, accessId, secretCipher, ipWhitelist, expiredAt, remark = "" } = command;
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  const hindrance = refuseAccountWrite(state) ?? refuseSub(state, userId);
  if (hindrance !== undefined) return hindrance;
  const permissions = keyPermissions(command.permissions);
  if (permissions === undefined) return WRONG_PERMISSIONS;
  if (accessId === "") return refused("invalid_command", "An access id has at least one character.");
  if (state.keys.has(accessId)) return refused("name_taken", "That access id is in use.");
  if (expiredAt !== 0 && expiredAt <= state.timeMs) return refused("invalid_command", "days must be from 1.");
  if (remark.length > REMARK_CHARS_MAX) return refused("invalid_command", tooLongRemark);
  if (state.keys.ofUser(userId).size >= KEYS_PER_USER_MAX) {
    return refused("too_many_api_keys", `An account has at most ${KEYS_PER_USER_MAX} keys.`);
  }

  // Nothing is refused below this line.
  const { apiId } = enterKey(state, {
    accessId,
    userId,
    secretCipher,
    permissions,
    ipWhitelist: [...ipWhitelist],
    expiredAt: expiryOf(state, ipWhitelist, expiredAt),
    remark,
    createdAt: state.timeMs,
  });
  return accepted({ apiId });
}

/** A key that loses its list of addresses lives as long as one that is made without. */
export function changeOwnApiKey(state: State, command: ChangeOwnApiKey): Answer {
  const { userId, apiId, ipWhitelist, remark } = command;
  const key = ownKey(state, userId, apiId);
  if ("refusal" in key) return key;
  const hindrance = refuseAccountWrite(state) ?? refuseSub(state, userId);
  if (hindrance !== undefined) return hindrance;
  const permissions = command.permissions === undefined ? key.permissions : keyPermissions(command.permissions);
  if (permissions === undefined) return WRONG_PERMISSIONS;
  if (remark !== undefined && remark.length > REMARK_CHARS_MAX) return refused("invalid_command", tooLongRemark);

  // Nothing is refused below this line.
  const { accessId } = key;
  state.keys.set(accessId, {
    ...key,
    permissions,
    ipWhitelist: ipWhitelist === undefined ? key.ipWhitelist : [...ipWhitelist],
    expiredAt: ipWhitelist === undefined ? key.expiredAt : expiryOf(state, ipWhitelist, key.expiredAt),
    remark: remark ?? key.remark,
  });
  emitRareEvent(state, { type: "api_key_changed", accessId, userId });
  return accepted({ apiId });
}

/** Deletes a key; it ends at once. */
export function deleteOwnApiKey(state: State, { userId, apiId }: DeleteOwnApiKey): Answer {
  const key = ownKey(state, userId, apiId);
  if ("refusal" in key) return key;
  const hindrance = refuseAccountWrite(state);
  if (hindrance !== undefined) return hindrance;
  forgetKey(state, key);
  return accepted({ apiId });
}

const WRONG_PERMISSIONS = refused("invalid_command", "permissions must be a list of read, trade and withdraw.");

/** Its main account makes those of a sub-account. */
function refuseSub({ users }: State, userId: number): Answer | undefined {
  return users.mainUserId(userId) === 0
    ? undefined
    : refused("not_a_main_account", "The main account makes the keys of a sub-account.");
}

function ownKey(state: State, userId: number, apiId: number): ApiKey | Answer {
  const key = state.keys.withApiId(apiId);
  return key?.userId === userId ? key : refused("key_not_found", "The account has no key with that api_id.");
}

/** 0 asks for one that never expires. */
function expiryOf({ timeMs }: State, ipWhitelist: readonly string[], expiredAt: number): number {
  if (ipWhitelist.length > 0) return expiredAt;
  const latest = timeMs + OPEN_KEY_LIFE_MS;
  return expiredAt === 0 ? latest : Math.min(expiredAt, latest);
}
