/** Whether a key that has proved itself may be used: for all surfaces, each of which asks in its own order. */
import { type GatewayRefusal, Refused, type WireRefusal } from "../refused.ts";
import { allowsIp } from "./ip-whitelist.ts";
import type { ApiKey, KeyDirectory, Permission } from "./key-directory.ts";

/** The requirements of a call on its caller. */
export interface Needs {
  /** Undefined, and `read`: every key has it. */
  readonly permission?: Permission | undefined;
  /** `main`: sub-accounts may not. */
  readonly callers?: "main" | "any" | undefined;
  /** The permission that a sub-account must have been granted. */
  readonly subPermission?: string | null | undefined;
}

/** Returns why a key must not be used now, for any purpose; undefined when nothing bars it. */
export function barredNow(
  directory: KeyDirectory,
  key: ApiKey,
  nowMs: number,
): "account_frozen" | "key_expired" | undefined {
  if (directory.isFrozen(key.userId)) return "account_frozen";
  return hasRunOut(key, nowMs) ? "key_expired" : undefined;
}

export function hasRunOut({ expiredAt }: ApiKey, nowMs: number): boolean {
  return expiredAt !== 0 && nowMs >= expiredAt;
}

/** Returns the refusal of a key that lacks a right for a call; undefined when it lacks nothing. */
export function lackOf(
  directory: KeyDirectory,
  key: ApiKey,
  { permission, callers, subPermission }: Needs,
): GatewayRefusal | undefined {
  if (permission !== undefined && permission !== "read" && !key.permissions.includes(permission)) {
    return "permission_missing";
  }
  if (!directory.isSubAccount(key.userId)) return undefined;
  if (callers === "main") return "sub_account_not_allowed";
  if (subPermission && !directory.hasSubPermission(key.userId, subPermission)) return "sub_permission_missing";
  return undefined;
}

/** A key as it stands now, after a change of it; undefined when it may no longer be used from this address. */
export function renewed(
  directory: KeyDirectory,
  { accessId }: Pick<ApiKey, "accessId">,
  remoteAddress: string,
): ApiKey | undefined {
  const key = directory.find(accessId);
  return key !== undefined && allowsIp(key.ipWhitelist, remoteAddress) ? key : undefined;
}

/** The refusal of a key that lists other addresses than the one it is used from. */
export function addressRefused(remoteAddress: string): Refused {
  return new Refused("ip_not_allowed", undefined, undefined, { address: remoteAddress });
}

/** The refusal of a key that is barred, or lacks what a call needs, with what that was decided by. */
export function keyRefused(refusal: WireRefusal, { userId, permissions, expiredAt }: ApiKey, needs?: Needs): Refused {
  const { permission = "read", subPermission } = needs ?? {};
  const needed = refusal === "sub_permission_missing" ? (subPermission ?? "") : permission;
  return new Refused(refusal, undefined, undefined, {
    user_id: userId,
    ...(needs === undefined ? {} : { needs: needed, permissions: permissions.join(" ") }),
    ...(expiredAt === 0 ? {} : { expired_at: expiredAt }),
  });
}
