/** Who there is, and which keys they have. */
import type { ApiKey } from "../../../engine/accounts/api-key.ts";
import { isFrozen, isTradeBarred } from "../../../engine/accounts/freeze.ts";
import type { State } from "../../../engine/state.ts";
import { type AdminCall, call } from "../../admin/call.ts";
import { flag, optional, text, userId } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";

const listUsers = call({
  method: "GET",
  path: "/admin/users",
  verbs: { "user list": "Show the users, the oldest first." },
  fields: {
    name: optional(text("TEXT", 1, 64), "those whose name holds this, in capitals or not"),
    user_id: optional(userId, "this one"),
    main_user_id: optional(userId, "the sub-accounts of this user"),
    frozen: optional(flag, "those that are frozen, or are not"),
    trade_barred: optional(flag, "those that are barred from trading, or are not"),
    fee_level: optional(text("LEVEL", 1, 32), "those on this fee level"),
    ...pageFields,
  },
  serve({ state }, values) {
    const { users } = state;
    const name = values.name?.toLowerCase();
    const fits = (id: number): boolean => {
      if (name !== undefined && !(users.names[id] as string).toLowerCase().includes(name)) return false;
      if (values.main_user_id !== undefined && users.mainUserId(id) !== values.main_user_id) return false;
      if (values.fee_level !== undefined && users.onFeeLevel.get(id)?.level !== values.fee_level) return false;
      if (values.frozen !== undefined && isFrozen(state, id) !== values.frozen) return false;
      return values.trade_barred === undefined || isTradeBarred(state, id) === values.trade_barred;
    };
    const ids =
      values.user_id === undefined ? idsThat(state, fits) : [values.user_id].filter((id) => users.has(id) && fits(id));
    return pageOf("users", ids, values, (id) => userRow(state, id));
  },
});

function* idsThat({ users }: State, fits: (id: number) => boolean): Generator<number> {
  for (let id = 1; id < users.count; id++) if (fits(id)) yield id;
}

function userRow(state: State, id: number): object {
  const { users } = state;
  const user = users.get(id);
  return {
    user_id: id,
    name: user?.name,
    main_user_id: user?.mainUserId ?? null,
    frozen: isFrozen(state, id),
    trade_barred: isTradeBarred(state, id),
    fee_level: users.onFeeLevel.get(id)?.level ?? null,
    created_at: user?.createdAt,
  };
}

const listKeys = call({
  method: "GET",
  path: "/admin/api-keys",
  verbs: { "key list": "Show the API keys without their secrets, the oldest first." },
  fields: { user_id: optional(userId, "those of this user"), ...pageFields },
  serve({ state }, values) {
    const keys = values.user_id === undefined ? state.keys : state.keys.ofUser(values.user_id);
    return pageOf("api_keys", keys.values(), values, (key) => ({ user_id: key.userId, ...keyRow(key) }));
  },
});

/** Without its secret, which nobody is shown again. */
export function keyRow({ apiId, accessId, permissions, ipWhitelist, expiredAt, remark, createdAt }: ApiKey): object {
  return {
    api_id: apiId,
    access_id: accessId,
    permissions,
    ip_whitelist: ipWhitelist,
    expired_at: expiredAt,
    remark,
    created_at: createdAt,
  };
}

export const ACCOUNT_LIST_CALLS: readonly AdminCall[] = [listUsers, listKeys];
