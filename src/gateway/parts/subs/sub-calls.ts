/**
 * Calls by which operators see and change sub-accounts. Sub-accounts are made with `user create`, and their keys with
 * `key create`.
 */
import { isFrozen } from "../../../engine/accounts/freeze.ts";
import type { State } from "../../../engine/state.ts";
import { SUB_PERMISSIONS, termsOf } from "../../../engine/subs/sub-account.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { flag, listOf, oneOf, optional, required, userId } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { usdValueOf } from "../../reading/usd-value.ts";
import { invalidParameter, Refused } from "../../refused.ts";

const listSubs = call({
  method: "GET",
  path: "/admin/subs",
  verbs: { "sub list": "Show the sub-accounts, with their main accounts, the oldest first." },
  fields: {
    main_user_id: optional(userId, "those of this user"),
    frozen: optional(flag, "those that are frozen, by whomever or with their main account, or are not"),
    ...pageFields,
  },
  serve({ state }, values) {
    const { users } = state;
    const fits = (id: number) => values.frozen === undefined || isFrozen(state, id) === values.frozen;
    const all = values.main_user_id === undefined ? everySub(state) : users.subsOf(values.main_user_id);
    return pageOf("subs", filtered(all, fits), values, (id) => subRow(state, id));
  },
});

function* everySub({ users }: State): Generator<number> {
  for (let id = 1; id < users.count; id++) if (users.mainUserId(id) !== 0) yield id;
}

function* filtered(ids: Iterable<number>, fits: (id: number) => boolean): Generator<number> {
  for (const id of ids) if (fits(id)) yield id;
}

const showSub = call({
  method: "GET",
  path: "/admin/subs/USER_ID",
  verbs: { "sub show": "Show a sub-account: its main account, what it may do, and what it is worth." },
  fields: { user_id: required(userId, "the sub-account") },
  serve({ state }, { user_id: id }) {
    const main = state.users.get(id)?.mainUserId;
    if (main === undefined) return new Refused("sub_account_not_found", "There is no sub-account with that id.");
    return { ...subRow(state, id), balance_usd: usdValueOf(state, id), api_keys: state.keys.ofUser(id).size };
  },
});

const changeSub = call({
  method: "POST",
  path: "/admin/subs/USER_ID",
  verbs: { "sub change": "Freeze or free a sub-account for the operator, or say what it may do." },
  fields: {
    user_id: required(userId, "the sub-account"),
    frozen: optional(flag, "no signed calls at all, whatever its main account says"),
    permissions: optional(listOf(oneOf(SUB_PERMISSIONS), SUB_PERMISSIONS.length), "these and no others"),
  },
  // Who helps users may stop and free them, but not say what they may do.
  mayBy: ({ permissions }) => (permissions === undefined ? ["support"] : []),
  serve(backend, { user_id, frozen, permissions }) {
    if (frozen === undefined && permissions === undefined) {
      return invalidParameter("one of frozen and permissions must be given.");
    }
    const command = { kind: "change_sub_account", subUserId: user_id, frozen, permissions } as const;
    return execute(backend, command, (_, { state }) => subRow(state, user_id));
  },
});

function subRow(state: State, id: number): object {
  const user = state.users.get(id);
  const { permissions, remark } = termsOf(state, id);
  return {
    user_id: id,
    name: user?.name,
    main_user_id: user?.mainUserId,
    main_name: state.users.names[user?.mainUserId ?? 0],
    frozen: isFrozen(state, id),
    frozen_by_main: user?.frozenByMain,
    permissions,
    remark,
    created_at: user?.createdAt,
  };
}

export const SUB_CALLS: readonly AdminCall[] = [listSubs, showSub, changeSub];
