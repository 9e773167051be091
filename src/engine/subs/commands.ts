import { enterUser, USERS_MAX } from "../accounts/commands.ts";
import { USER_FLAG } from "../accounts/user.ts";
import { type Answer, accepted, refused } from "../answer.ts";
import { refuseAccountWrite } from "../maintenance/maintenance.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { ChangeSubAccount, CreateSubAccount, FreezeSubAccount } from "./command-schemas.ts";
import "./codes.ts";
import {
  NO_SUCH_SUB,
  permissionsNamed,
  refuseUnlessMain,
  refuseUnlessOwn,
  SUB_PERMISSIONS,
  subTerms,
  termsOf,
} from "./sub-account.ts";

/**
 * Sub-accounts are never deleted and their names never free again: this bounds what a main account makes the venue
 * remember.
 */
export const SUBS_PER_MAIN_MAX = 20;
export const REMARK_CHARS_MAX = 50;
/** An operator takes a name of digits for an id. */
const SUB_NAME = /^(?!\d+$)[A-Za-z0-9-]{3,26}$/;
const UNKNOWN_PERMISSION = `Permissions are ${SUB_PERMISSIONS.join(", ")}.`;

/** Makes a sub-account of the user who asks. Its name is unique among all users. */
export function createSubAccount(state: State, command: CreateSubAccount): Answer {
  const { userId, name, remark = "" } = command;
  const { users } = state;
  const hindrance = refuseUnlessMain(state, userId) ?? refuseAccountWrite(state);
  if (hindrance !== undefined) return hindrance;
  if (!SUB_NAME.test(name)) {
    return refused("invalid_command", "sub_user_name is 3 to 26 letters, digits or hyphens, not digits only.");
  }
  const permissions = permissionsNamed(command.permissions);
  if (permissions === undefined) return refused("invalid_command", UNKNOWN_PERMISSION);
  if (remark.length > REMARK_CHARS_MAX) return refused("invalid_command", tooLongRemark);
  if (users.byName.has(name)) return refused("name_taken", `The name ${name} is taken.`);
  if (users.subsOf(userId).length >= SUBS_PER_MAIN_MAX) {
    return refused("too_many_sub_accounts", `A main account has at most ${SUBS_PER_MAIN_MAX} sub-accounts.`);
  }
  if (users.count >= USERS_MAX) return refused("invalid_command", "The venue cannot hold more users.");

  // Nothing is refused below this line.
  const subUserId = enterUser(state, name, userId);
  subTerms.of(state).set(subUserId, { permissions, remark });
  return accepted({ userId: subUserId });
}

export const tooLongRemark = `remark has at most ${REMARK_CHARS_MAX} characters.`;

/**
 * Freezes a sub-account, or takes that back: its keys sign nothing, its orders stay. What an operator has frozen only
 * an operator frees. Asking for what is so already changes nothing.
 */
export function freezeSubAccount(state: State, { userId, subUserId, frozen }: FreezeSubAccount): Answer {
  const { users } = state;
  const hindrance = refuseUnlessOwn(state, userId, subUserId) ?? refuseAccountWrite(state);
  if (hindrance !== undefined) return hindrance;
  const flags = users.flags(subUserId);
  if (!frozen && (flags & USER_FLAG.frozen) !== 0) {
    return refused(
      "sub_account_frozen_by_operator",
      "An operator has frozen the sub-account; only an operator frees it.",
    );
  }
  users.setFlags(subUserId, frozen ? flags | USER_FLAG.frozenByMain : flags & ~USER_FLAG.frozenByMain);
  if (users.flags(subUserId) !== flags) emitRareEvent(state, { type: "user_changed", userId: subUserId });
  return accepted({ userId: subUserId });
}

/**
 * Grants a sub-account these permissions and no others, or freezes or frees it for the operator, whatever its main
 * account says.
 */
export function changeSubAccount(state: State, command: ChangeSubAccount): Answer {
  const { subUserId, frozen } = command;
  const { users } = state;
  if (!users.has(subUserId) || users.mainUserId(subUserId) === 0) return NO_SUCH_SUB;
  const terms = termsOf(state, subUserId);
  const permissions = command.permissions === undefined ? terms.permissions : permissionsNamed(command.permissions);
  if (permissions === undefined) return refused("invalid_command", UNKNOWN_PERMISSION);

  // Nothing is refused below this line.
  subTerms.of(state).set(subUserId, { permissions, remark: terms.remark });
  const flags = users.flags(subUserId);
  if (frozen !== undefined) users.setFlags(subUserId, frozen ? flags | USER_FLAG.frozen : flags & ~USER_FLAG.frozen);
  emitRareEvent(state, { type: "user_changed", userId: subUserId });
  return accepted({ userId: subUserId });
}
