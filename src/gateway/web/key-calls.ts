/** API keys, as the account's owner makes, changes and deletes them. A secret is shown once, when its key is made. */
import type { ApiKey } from "../../engine/accounts/api-key.ts";
import type { KeyPermission } from "../../engine/accounts/command-schemas.ts";
import { identities, mayWithdraw, type Session } from "../../engine/identity/identities.ts";
import { listOf, oneOf, optional, required, text, whole } from "../admin/field.ts";
import { isIpListEntry } from "../auth/ip-whitelist.ts";
import { invalidParameter, Refused } from "../refused.ts";
import { submit, type WebCall, type WebVenue, webCall } from "./call.ts";

const DAY_MS = 86_400_000;
const ADDRESSES_MAX = 50;
const DAYS_MAX = 3_650;

const permissions = listOf(oneOf<KeyPermission>(["read", "trade", "withdraw"]), 3);
const ipWhitelist = listOf(text("ADDRESS", 1, 64), ADDRESSES_MAX);
const remark = optional(text("TEXT", 0, 50), "what it is for");
const apiId = required(whole("ID", 1, Number.MAX_SAFE_INTEGER), "a key of the account");

const NOT_AN_ADDRESS = invalidParameter(
  "each item of ip_whitelist must be an IP address or a network such as 192.0.2.0/24, and not one of all " +
    "addresses; leave the list empty to allow all.",
);

const list = webCall({
  method: "GET",
  path: "/web/keys",
  needs: "session",
  fields: {},
  serve({ backend }, { session }) {
    const keys = [...backend.state.keys.ofUser(session.userId).values()].toReversed();
    return { data: { keys: keys.map((key) => rowOf(key, backend.now())) } };
  },
});

const create = webCall({
  method: "POST",
  path: "/web/keys",
  needs: "confirmed",
  fields: {
    permissions: required(permissions, "what it may"),
    ip_whitelist: optional(ipWhitelist, "from where; from anywhere without"),
    remark,
    days: optional(whole("DAYS", 1, DAYS_MAX), "how long it lives"),
  },
  async serve(venue, { session }, values) {
    const { backend, vault } = venue;
    const { ip_whitelist: addresses = [], days } = values;
    if (!addresses.every(isIpListEntry)) return NOT_AN_ADDRESS;
    const lacking = refuseWithdraw(venue, session, values.permissions);
    if (lacking !== undefined) return lacking;
    const { accessId, secret, secretCipher } = vault.newKey();
    const made = await submit(backend, {
      kind: "create_own_api_key",
      userId: session.userId,
      accessId,
      secretCipher,
      permissions: values.permissions,
      ipWhitelist: addresses,
      expiredAt: days === undefined ? 0 : backend.now() + days * DAY_MS,
      remark: values.remark,
    });
    if (made instanceof Refused) return made;
    noticeKey(venue, session, "has a new API key");
    const { access_id, ...row } = rowOf(backend.state.keys.get(accessId) as ApiKey, backend.now());
    return { data: { access_id, secret_key: secret, ...row } };
  },
});

const change = webCall({
  method: "PATCH",
  path: "/web/keys/{api_id}",
  needs: "confirmed",
  fields: {
    api_id: apiId,
    permissions: optional(permissions, "what it may"),
    ip_whitelist: optional(ipWhitelist, "from where"),
    remark,
  },
  async serve(venue, { session }, values) {
    const { backend } = venue;
    const { api_id, ip_whitelist: addresses } = values;
    if (addresses?.every(isIpListEntry) === false) return NOT_AN_ADDRESS;
    // Who may not give the permission may not open the addresses of a key that has it, either.
    const key = backend.state.keys.withApiId(api_id);
    const own = key?.userId === session.userId ? key.permissions : [];
    const lacking = refuseWithdraw(venue, session, values.permissions ?? own);
    if (lacking !== undefined) return lacking;
    const changed = await submit(backend, {
      kind: "change_own_api_key",
      userId: session.userId,
      apiId: api_id,
      permissions: values.permissions,
      ipWhitelist: addresses,
      remark: values.remark,
    });
    if (changed instanceof Refused) return changed;
    noticeKey(venue, session, "has an API key that may do other things, or from elsewhere");
    return { data: rowOf(backend.state.keys.withApiId(api_id) as ApiKey, backend.now()) };
  },
});

const remove = webCall({
  method: "DELETE",
  path: "/web/keys/{api_id}",
  needs: "session",
  fields: { api_id: apiId },
  async serve({ backend }, { session: { userId } }, { api_id }) {
    const deleted = await submit(backend, { kind: "delete_own_api_key", userId, apiId: api_id });
    return deleted instanceof Refused ? deleted : { data: {} };
  },
});

export const KEY_CALLS: readonly WebCall[] = [list, create, change, remove];

/** A key may not have what the session that makes it has not. */
function refuseWithdraw({ backend }: WebVenue, session: Session, wanted: readonly string[]): Refused | undefined {
  return wanted.includes("withdraw") && !mayWithdraw(backend.state, session, backend.now())
    ? new Refused("confirmation_needed")
    : undefined;
}

function noticeKey(venue: WebVenue, { userId }: Session, what: string): void {
  const email = identities.of(venue.backend.state).byUser.get(userId)?.email;
  if (email !== undefined) venue.mails?.notice(email, `Your account ${what}.`);
}

function rowOf(key: ApiKey, nowMs: number) {
  const { accessId, permissions: may, ipWhitelist: addresses, remark: note, createdAt, expiredAt } = key;
  return {
    // Every key has one under the present rules.
    api_id: key.apiId as number,
    access_id: accessId,
    permissions: [...may],
    ip_whitelist: [...addresses],
    remark: note,
    created_at: createdAt,
    expires_at: expiredAt,
    is_expired: expiredAt !== 0 && nowMs >= expiredAt,
  };
}
