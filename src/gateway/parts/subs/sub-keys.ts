/** API keys of sub-accounts, which their main account makes and administers. A secret is shown once, when its key is made. */
import type { ApiKey } from "../../../engine/accounts/api-key.ts";
import { isOwnSub } from "../../../engine/subs/sub-account.ts";
import { isIpEntry } from "../../auth/ip-whitelist.ts";
import { newAccessId, newSecretKey } from "../../auth/secret-vault.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { SubApiKey, SubApiKeyItem } from "../../current/types.generated.ts";
import { cutPage } from "../../reading/cut-page.ts";
import { execute } from "../../reading/execute.ts";
import { invalidParameter, Refused } from "../../refused.ts";
import { inSub, inSubOrAll } from "./named-sub.ts";

const NOT_AN_ADDRESS = invalidParameter(
  "each item of ip_whitelist must be an IP address or a network such as 192.0.2.0/24.",
);
const NO_SUCH_KEY = new Refused("key_not_found");

export function subKeyHandlers(backend: Backend): Handlers {
  const { state, vault } = backend;
  const keyWith = (apiId: number) => state.keys.withApiId(apiId) as ApiKey;
  return {
    "POST /account/subs/api": (call) => {
      const { sub_user_name: name, ip_whitelist: ipWhitelist, trade_enabled: tradeEnabled, remark } = call.params;
      if (!ipWhitelist.every(isIpEntry)) {
        call.refuse(NOT_AN_ADDRESS);
        return;
      }
      inSub(state, call, name, (subUserId) => {
        const accessId = newAccessId();
        const secret = newSecretKey();
        const secretCipher = vault.seal(accessId, secret);
        const { userId } = call.caller;
        const key = { userId, subUserId, accessId, secretCipher, ipWhitelist, tradeEnabled, remark };
        execute(backend, call, { kind: "create_sub_api_key", ...key }, ({ result }) => {
          const { apiId } = result as { apiId: number };
          call.answer(keyOf(keyWith(apiId), secret, call.nowMs));
        });
      });
    },

    "GET /account/subs/api": (call) => {
      inSub(state, call, call.params.sub_user_name, (subUserId) => {
        const { rows, ...page } = cutPage([...state.keys.ofUser(subUserId).values()].toReversed(), call.params);
        call.answer(
          rows.map((key) => itemOf(key, call.nowMs)),
          page,
        );
      });
    },

    "GET /account/subs/api-detail": (call) => {
      const key = state.keys.withApiId(call.params.api_id);
      if (key === undefined || !isOwnSub(state, call.caller.userId, key.userId)) call.refuse(NO_SUCH_KEY);
      else call.answer(keyOf(key, "", call.nowMs));
    },

    "POST /account/subs/edit-api": (call) => {
      const { sub_user_name: name, api_id: apiId, ip_whitelist: ipWhitelist, can_trade, remark } = call.params;
      const tradeEnabled = call.params.trade_enabled ?? can_trade;
      if (ipWhitelist !== undefined && !ipWhitelist.every(isIpEntry)) {
        call.refuse(NOT_AN_ADDRESS);
        return;
      }
      inSub(state, call, name, (subUserId) => {
        const change = { userId: call.caller.userId, subUserId, apiId, ipWhitelist, tradeEnabled, remark };
        execute(backend, call, { kind: "change_sub_api_key", ...change }, () =>
          call.answer(keyOf(keyWith(apiId), "", call.nowMs)),
        );
      });
    },

    "POST /account/subs/delete-api": (call) => {
      const { sub_user_name: name, api_id: apiId } = call.params;
      inSubOrAll(state, call, name, (subUserId) => {
        const key = { userId: call.caller.userId, subUserId, apiId };
        execute(backend, call, { kind: "delete_sub_api_key", ...key }, () => call.answer());
      });
    },
  };
}

function keyOf(key: ApiKey, secret: string, nowMs: number): SubApiKey {
  const { api_id, created_at, access_id, ...rest } = itemOf(key, nowMs);
  return { api_id, created_at, access_id, secret_key: secret, ...rest };
}

function itemOf(key: ApiKey, nowMs: number): SubApiKeyItem {
  const { apiId, createdAt, accessId, ipWhitelist, permissions, expiredAt, remark } = key;
  return {
    // Every key has one under the present rules.
    api_id: apiId as number,
    created_at: createdAt,
    access_id: accessId,
    ip_whitelist: [...ipWhitelist],
    trade_enabled: permissions.includes("trade"),
    // Sub-accounts withdraw nothing, whatever an operator wrote into a key.
    withdraw_enabled: false,
    is_expired: expiredAt !== 0 && nowMs >= expiredAt,
    expires_at: expiredAt,
    remark,
  };
}
