/** The API keys of a sub-account, as its main account makes, changes and deletes them. Source: domain 6.3. */
import type { ApiKey } from "../accounts/api-key.ts";
import { enterKey, forgetKey, KEYS_PER_USER_MAX } from "../accounts/commands.ts";
import { type Answer, accepted, refused } from "../answer.ts";
import { refuseAccountWrite } from "../maintenance/maintenance.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { ChangeSubApiKey, CreateSubApiKey, DeleteSubApiKey } from "./command-schemas.ts";
import { REMARK_CHARS_MAX, tooLongRemark } from "./commands.ts";
import { hasSubPermission, isOwnSub, refuseUnlessMain, refuseUnlessOwn } from "./sub-account.ts";

/** A key that may be used from anywhere lives so long, counted from when its list of addresses was given. */
export const OPEN_KEY_LIFE_MS = 90 * 86_400_000;

/** Makes a key of a sub-account that has the permission API. It never withdraws. */
export function createSubApiKey(state: State, command: CreateSubApiKey): Answer {
  const { userId, subUserId, accessId, secretCipher, ipWhitelist, tradeEnabled, remark = "" } = command;
  const hindrance = refuseUnlessOwn(state, userId, subUserId) ?? refuseAccountWrite(state);
  if (hindrance !== undefined) return hindrance;
  if (!hasSubPermission(state, subUserId, "API")) {
    return refused("sub_api_not_granted", "The sub-account lacks the permission API.");
  }
  if (accessId === "") return refused("invalid_command", "An access id has at least one character.");
  if (state.keys.has(accessId)) return refused("name_taken", "That access id is in use.");
  if (remark.length > REMARK_CHARS_MAX) return refused("invalid_command", tooLongRemark);
  if (state.keys.ofUser(subUserId).size >= KEYS_PER_USER_MAX) {
    return refused("too_many_api_keys", `A sub-account has at most ${KEYS_PER_USER_MAX} keys.`);
  }

  // Nothing is refused below this line.
  const { apiId } = enterKey(state, {
    accessId,
    userId: subUserId,
    secretCipher,
    permissions: permissionsOf(tradeEnabled),
    ipWhitelist: [...ipWhitelist],
    expiredAt: expiryOf(state, ipWhitelist),
    remark,
    createdAt: state.timeMs,
  });
  return accepted({ apiId });
}

/**
 * Changes what a key may do, or from where; a list of addresses that is given, even an empty one, begins its life anew.
 */
export function changeSubApiKey(state: State, command: ChangeSubApiKey): Answer {
  const { ipWhitelist, tradeEnabled, remark } = command;
  const key = ownKey(state, command);
  if ("refusal" in key) return key;
  const hindrance = refuseAccountWrite(state);
  if (hindrance !== undefined) return hindrance;
  if (remark !== undefined && remark.length > REMARK_CHARS_MAX) return refused("invalid_command", tooLongRemark);

  // Nothing is refused below this line.
  const { accessId, userId } = key;
  state.keys.set(accessId, {
    ...key,
    permissions: tradeEnabled === undefined ? key.permissions : permissionsOf(tradeEnabled),
    ipWhitelist: ipWhitelist === undefined ? key.ipWhitelist : [...ipWhitelist],
    expiredAt: ipWhitelist === undefined ? key.expiredAt : expiryOf(state, ipWhitelist),
    remark: remark ?? key.remark,
  });
  emitRareEvent(state, { type: "api_key_changed", accessId, userId });
  return accepted({ apiId: command.apiId });
}

/** Deletes a key; it ends at once. */
export function deleteSubApiKey(state: State, command: DeleteSubApiKey): Answer {
  const key = ownKey(state, command);
  if ("refusal" in key) return key;
  const hindrance = refuseAccountWrite(state);
  if (hindrance !== undefined) return hindrance;
  forgetKey(state, key);
  return accepted({ apiId: command.apiId });
}

/** The key of that number, when it is one of a sub-account of the caller, and of the one that was named, if one was. */
function ownKey(state: State, { userId, subUserId, apiId }: Omit<DeleteSubApiKey, "kind">): ApiKey | Answer {
  const hindrance =
    subUserId === undefined ? refuseUnlessMain(state, userId) : refuseUnlessOwn(state, userId, subUserId);
  if (hindrance !== undefined) return hindrance;
  const key = state.keys.withApiId(apiId);
  const isOwn = key !== undefined && isOwnSub(state, userId, key.userId) && (subUserId ?? key.userId) === key.userId;
  return isOwn ? key : refused("key_not_found", "No sub-account of yours has a key with that api_id.");
}

function permissionsOf(tradeEnabled: boolean): ApiKey["permissions"] {
  return tradeEnabled ? ["read", "trade"] : ["read"];
}

function expiryOf({ timeMs }: State, ipWhitelist: readonly string[]): number {
  return ipWhitelist.length === 0 ? timeMs + OPEN_KEY_LIFE_MS : 0;
}
