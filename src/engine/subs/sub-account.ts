/**
 * Sub-accounts: users of their own whom a main account makes, freezes and funds. Source: domain 6.3.
 */
import { type Answer, refused } from "../answer.ts";
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";

/** Permissions that a sub-account may be granted. Everything else it may do without one. */
export const SUB_PERMISSIONS = ["FUTURES", "MARGIN", "AMM", "API"] as const;
export type SubPermission = (typeof SUB_PERMISSIONS)[number];

export interface SubSpec {
  /** In the order of SUB_PERMISSIONS. */
  readonly permissions: readonly SubPermission[];
  readonly remark: string;
}

/** By user id. One that an operator made without saying more has all permissions. */
export const subTerms = new Slot(() => new Map<number, SubSpec>());

const EVERYTHING: SubSpec = { permissions: SUB_PERMISSIONS, remark: "" };

export function termsOf(state: State, subUserId: number): SubSpec {
  return subTerms.of(state).get(subUserId) ?? EVERYTHING;
}

/** Whether a sub-account was granted `permission`, one of SUB_PERMISSIONS. */
export function hasSubPermission(state: State, subUserId: number, permission: string): boolean {
  return (termsOf(state, subUserId).permissions as readonly string[]).includes(permission);
}

/** Those of SUB_PERMISSIONS that are named, in its order; undefined when another word is among them. */
export function permissionsNamed(words: readonly string[]): readonly SubPermission[] | undefined {
  const known: readonly string[] = SUB_PERMISSIONS;
  return words.every((word) => known.includes(word))
    ? SUB_PERMISSIONS.filter((permission) => words.includes(permission))
    : undefined;
}

/** Why `userId` cannot administer sub-accounts at all; undefined when it can. */
export function refuseUnlessMain({ users }: State, userId: number): Answer | undefined {
  if (!users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  if (users.mainUserId(userId) === 0) return undefined;
  return refused("not_a_main_account", "Only a main account has sub-accounts.");
}

/** Why `userId` cannot administer this sub-account; undefined when it can. A stranger's is as good as none. */
export function refuseUnlessOwn(state: State, userId: number, subUserId: number): Answer | undefined {
  return refuseUnlessMain(state, userId) ?? (isOwnSub(state, userId, subUserId) ? undefined : NO_SUCH_SUB);
}

export function isOwnSub({ users }: State, userId: number, subUserId: number): boolean {
  return users.has(subUserId) && users.mainUserId(subUserId) === userId;
}

export const NO_SUCH_SUB = refused("sub_account_not_found", "The account has no such sub-account.");
