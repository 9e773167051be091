/**
 * API keys of sub-accounts, which their main account makes and administers. A secret is shown once, when its key is
 * made.
 */

import type { ApiKey } from "../../../engine/accounts/api-key.ts";
import type { State } from "../../../engine/state.ts";
import { isOwnSub } from "../../../engine/subs/sub-account.ts";
import { hasRunOut } from "../../auth/access.ts";
import { isIpListEntry } from "../../auth/ip-whitelist.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { SubApiKey, SubApiKeyItem } from "../../current/types.generated.ts";
import type { Answering } from "../../reading/answering.ts";
import { cutPage } from "../../reading/cut-page.ts";
import { execute } from "../../reading/execute.ts";
import { answerPage } from "../../reading/from-history.ts";
import { invalidParameter, Refused } from "../../refused.ts";
import { inSub, inSubOrAll } from "./named-sub.ts";

const NOT_AN_ADDRESS = invalidParameter(
  "each address of a key must be an IP address or a network such as 192.0.2.0/24, and not one of all addresses; " +
    "leave the list empty to allow all.",
);
export const NO_SUCH_KEY = new Refused("key_not_found");

export function subKeyHandlers(backend: Backend): Handlers {
  const { state } = backend;
  return {
    "POST /account/subs/api": (call) => {
      const { sub_user_name: name, ip_whitelist: ipWhitelist, trade_enabled: tradeEnabled, remark } = call.params;
      makeSubKey(backend, call, name, { ipWhitelist, tradeEnabled, remark }, (key, secret) =>
        call.answer(keyOf(key, secret, call.nowMs)),
      );
    },

    "GET /account/subs/api": (call) => {
      inSub(state, call, call.params.sub_user_name, (subUserId) => {
        answerPage(call, cutPage(keysOf(state, subUserId), call.params), (keys) =>
          keys.map((key) => itemOf(key, call.nowMs)),
        );
      });
    },

    "GET /account/subs/api-detail": (call) => {
      const key = subKeyOf(state, call.caller.userId, call.params.api_id);
      if (key === undefined) call.refuse(NO_SUCH_KEY);
      else call.answer(keyOf(key, "", call.nowMs));
    },

    "POST /account/subs/edit-api": (call) => {
      const { sub_user_name: name, api_id: apiId, ip_whitelist: ipWhitelist, can_trade, remark } = call.params;
      const tradeEnabled = call.params.trade_enabled ?? can_trade;
      changeSubKey(backend, call, name, { apiId, ipWhitelist, tradeEnabled, remark }, (key) =>
        call.answer(keyOf(key, "", call.nowMs)),
      );
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

interface KeyCall extends Answering {
  readonly caller: { readonly userId: number };
}

/** The settings of a new key; a change keeps those that it leaves out. */
interface KeyOptions {
  readonly ipWhitelist: readonly string[];
  readonly tradeEnabled: boolean;
  readonly remark: string | undefined;
}

type KeyChange = { readonly [Name in keyof KeyOptions]?: KeyOptions[Name] | undefined } & { readonly apiId: number };

/** Makes a key of the sub-account of that name, and goes on with it and its secret, which nobody is told again. */
export function makeSubKey(
  backend: Backend,
  call: KeyCall,
  subUserName: string,
  terms: KeyOptions,
  goOn: (key: ApiKey, secret: string) => void,
): void {
  if (!terms.ipWhitelist.every(isIpListEntry)) {
    call.refuse(NOT_AN_ADDRESS);
    return;
  }
  inSub(backend.state, call, subUserName, (subUserId) => {
    const { secret, accessId, secretCipher } = backend.vault.newKey();
    const key = { userId: call.caller.userId, subUserId, accessId, secretCipher, ...terms };
    execute(backend, call, { kind: "create_sub_api_key", ...key }, ({ result }) =>
      goOn(keyWith(backend, (result as { apiId: number }).apiId), secret),
    );
  });
}

/** Changes a key of a sub-account of the caller, of the one of that name where one is given, and goes on with it. */
export function changeSubKey(
  backend: Backend,
  call: KeyCall,
  subUserName: string | undefined,
  change: KeyChange,
  goOn: (key: ApiKey) => void,
): void {
  if (change.ipWhitelist?.every(isIpListEntry) === false) {
    call.refuse(NOT_AN_ADDRESS);
    return;
  }
  inSubOrAll(backend.state, call, subUserName, (subUserId) => {
    const command = { kind: "change_sub_api_key", userId: call.caller.userId, subUserId, ...change } as const;
    execute(backend, call, command, () => goOn(keyWith(backend, change.apiId)));
  });
}

function keyWith({ state }: Backend, apiId: number): ApiKey {
  return state.keys.withApiId(apiId) as ApiKey;
}

/** The keys of a sub-account, newest first. */
export function keysOf({ keys }: State, subUserId: number): ApiKey[] {
  return [...keys.ofUser(subUserId).values()].toReversed();
}

/** The key of this number, when it is one of a sub-account of the user. */
export function subKeyOf(state: State, userId: number, apiId: number): ApiKey | undefined {
  const key = state.keys.withApiId(apiId);
  return key !== undefined && isOwnSub(state, userId, key.userId) ? key : undefined;
}

export function mayTrade({ permissions }: ApiKey): boolean {
  return permissions.includes("trade");
}

function keyOf(key: ApiKey, secret: string, nowMs: number): SubApiKey {
  const { api_id, created_at, access_id, ...rest } = itemOf(key, nowMs);
  return { api_id, created_at, access_id, secret_key: secret, ...rest };
}

function itemOf(key: ApiKey, nowMs: number): SubApiKeyItem {
  const { apiId, createdAt, accessId, ipWhitelist, expiredAt, remark } = key;
  return {
    // Every key has one under the present rules.
    api_id: apiId as number,
    created_at: createdAt,
    access_id: accessId,
    ip_whitelist: [...ipWhitelist],
    trade_enabled: mayTrade(key),
    // Sub-accounts withdraw nothing, whatever an operator wrote into a key.
    withdraw_enabled: false,
    is_expired: hasRunOut(key, nowMs),
    expires_at: expiredAt,
    remark,
  };
}
