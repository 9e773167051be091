import { USER_FLAG } from "../accounts/user.ts";
import { hooks } from "../hooks.ts";
import type { State } from "../state.ts";

/**
 * Marks a user who owes something to any part, so that orders of all others need not ask; to be called when that may
 * have changed.
 */
export function noteOwing(state: State, userId: number): void {
  const { users } = state;
  const owes = hooks().some((part) => part.owes?.(state, userId) === true);
  const { indebted } = USER_FLAG;
  users.setFlags(userId, owes ? users.flags(userId) | indebted : users.flags(userId) & ~indebted);
}
