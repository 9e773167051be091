/** Sub-accounts, their keys, balances and transfers in the legacy generation: /v1/sub_account/… */

import type { ApiKey } from "../../../engine/accounts/api-key.ts";
import { SUB_PERMISSIONS } from "../../../engine/subs/sub-account.ts";
import type { SubTransferRow } from "../../../history/subs/sub-transfer-queries.ts";
import { hasRunOut } from "../../auth/access.ts";
import type { Backend } from "../../backend.ts";
import type { LegacyCall, LegacyHandlers } from "../../legacy/call.ts";
import { answerNumbered } from "../../legacy/pages.ts";
import { legacyBalancesOf } from "../../legacy/records/balances.ts";
import { seconds } from "../../legacy/records/time.ts";
import type { LegacySubApiKey, LegacySubTransfer } from "../../legacy/types.generated.ts";
import type { Answering } from "../../reading/answering.ts";
import { cutPage } from "../../reading/cut-page.ts";
import { execute } from "../../reading/execute.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { Refused, type WireRefusal } from "../../refused.ts";
import { inSub, inSubOrAll } from "./named-sub.ts";
import { changeSubKey, keysOf, makeSubKey, mayTrade, NO_SUCH_KEY, subKeyOf } from "./sub-keys.ts";

export function legacySubHandlers(backend: Backend): LegacyHandlers {
  const { state, history } = backend;

  type Freezing = "PUT /v1/sub_account/frozen" | "PUT /v1/sub_account/unfrozen";
  const freezing =
    (frozen: boolean) =>
    (call: LegacyCall<Freezing>): void => {
      const { userId } = call.caller;
      inSub(state, call, call.params.sub_user_name, (subUserId) =>
        execute(backend, call, { kind: "freeze_sub_account", userId, subUserId, frozen }, () => call.answer(undefined)),
      );
    };

  return {
    "POST /v1/sub_account/register": (call) => {
      // Nobody signs in by a password: it must be a good one, as clients expect, and is forgotten.
      const { sub_user_name: name } = call.params;
      const { userId } = call.caller;
      const command = { kind: "create_sub_account", userId, name, permissions: SUB_PERMISSIONS } as const;
      execute(backend, call, command, () => call.answer(undefined));
    },

    "PUT /v1/sub_account/frozen": freezing(true),
    "PUT /v1/sub_account/unfrozen": freezing(false),

    "POST /v1/sub_account/auth/api": (call) => {
      const { sub_user_name, allow_trade: tradeEnabled, allowed_ips: ipWhitelist, remark } = call.params;
      makeSubKey(backend, call, sub_user_name, { ipWhitelist, tradeEnabled, remark }, (key, secret) =>
        call.answer({ ...keyOf(key, call.nowMs), secret_key: secret }),
      );
    },

    "PUT /v1/sub_account/auth/api/{user_auth_id}": (call) => {
      const { user_auth_id: apiId, sub_user_name, allow_trade, allowed_ips: ipWhitelist, remark } = call.params;
      const change = { apiId, ipWhitelist, tradeEnabled: allow_trade, remark };
      changeSubKey(backend, call, sub_user_name, change, (key) => call.answer(keyOf(key, call.nowMs)));
    },

    "DELETE /v1/sub_account/auth/api/{user_auth_id}": (call) => {
      const key = { userId: call.caller.userId, subUserId: undefined, apiId: call.params.user_auth_id };
      execute(backend, call, { kind: "delete_sub_api_key", ...key }, () => call.answer(undefined));
    },

    "GET /v1/sub_account/auth/api": (call) => {
      inSub(state, call, call.params.sub_user_name, (subUserId) =>
        answerNumbered(call, cutPage(keysOf(state, subUserId), call.params), (key) =>
          JSON.stringify(keyOf(key, call.nowMs)),
        ),
      );
    },

    "GET /v1/sub_account/auth/api/{user_auth_id}": (call) => {
      const key = subKeyOf(state, call.caller.userId, call.params.user_auth_id);
      if (key === undefined) call.refuse(NO_SUCH_KEY);
      else call.answer(keyOf(key, call.nowMs));
    },

    "GET /v1/sub_account/balance": (call) => {
      const { sub_user_name, coin_type: ccy } = call.params;
      if (ccy !== undefined && !state.assetByCcy.has(ccy)) {
        call.refuse("asset_not_found");
        return;
      }
      inSubOrAll(state, call, sub_user_name, (wanted) => {
        const subs = wanted === undefined ? state.users.subsOf(call.caller.userId) : [wanted];
        const names = state.users.names as readonly string[];
        call.answer(Object.fromEntries(subs.map((id) => [names[id], legacyBalancesOf(state, id, ccy)])));
      });
    },

    "POST /v1/sub_account/transfer": (call) => {
      const { userId } = call.caller;
      const { coin_type: ccy, amount, transfer_side: side, transfer_account: name } = call.params;
      inSub(
        state,
        call,
        name,
        (subUserId) => {
          const [fromUserId, toUserId] = side === "in" ? [userId, subUserId] : [subUserId, userId];
          const transfer = { userId, fromUserId, toUserId, from: "SPOT", to: "SPOT", ccy, amount };
          const refusing = transferCall(call);
          execute(backend, refusing, { kind: "sub_transfer", ...transfer }, () => call.answer(undefined));
        },
        "transfer_account",
      );
    },

    "GET /v1/sub_account/transfer/history": (call) => {
      const { caller, params } = call;
      const { userId } = caller;
      if (params.coin_type !== undefined && !state.assetByCcy.has(params.coin_type)) {
        call.refuse("asset_not_found");
        return;
      }
      return inSubOrAll(state, call, params.sub_user_name, async (subUserId) => {
        const page = await pageFromHistory((query) => history.subTransfers(query), {
          userId,
          subUserId,
          ccy: params.coin_type,
          startTime: params.start_time,
          endTime: params.end_time,
          page: params.page,
          limit: params.limit,
        });
        const nameOf = (id: number) => (id === userId ? "" : (state.users.names[id] as string));
        answerNumbered(call, page, (row) => JSON.stringify(transferOf(row, nameOf)));
      });
    },
  };
}

/** Where a debt keeps money in its account this generation says that the transfer was rejected: code 49, seed. */
function transferCall(call: Answering): Answering {
  const isKept = (refusal: WireRefusal | Refused) => DEBTS.has(refusal instanceof Refused ? refusal.refusal : refusal);
  return {
    trace: call.trace,
    fail: (error) => call.fail(error),
    refuse: (refusal) => call.refuse(isKept(refusal) ? "sub_transfer_rejected" : refusal),
  };
}

const DEBTS: ReadonlySet<WireRefusal> = new Set(["withdraw_barred", "credit_withdrawal_risk", "margin_debt"]);

function keyOf(key: ApiKey, nowMs: number): LegacySubApiKey {
  return {
    // Every key has one under the present rules.
    user_auth_id: key.apiId as number,
    create_time: seconds(key.createdAt),
    remark: key.remark,
    access_id: key.accessId,
    allowed_ips: [...key.ipWhitelist],
    // Sub-accounts withdraw nothing, whatever an operator wrote into a key.
    allow_withdraw: false,
    allow_trade: mayTrade(key),
    is_expires: hasRunOut(key, nowMs),
    expired_time: seconds(key.expiredAt),
  };
}

/** Between accounts of other kinds than spot as well: this generation does not say which. */
function transferOf(row: SubTransferRow, nameOf: (userId: number) => string): LegacySubTransfer {
  return {
    time: seconds(row.createdAt),
    transfer_from: nameOf(row.fromUserId),
    transfer_to: nameOf(row.toUserId),
    coin_type: row.ccy,
    amount: row.amount,
    // A transfer is done in one step: one that is refused leaves no record.
    status: "success",
  };
}
