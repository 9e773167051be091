import { isFrozen, isTradeBarred } from "../../../../src/engine/accounts/freeze.ts";
import { termsOf } from "../../../../src/engine/subs/sub-account.ts";
import type { SpotPart } from "../part.ts";
import { administer, moveMoney as moving } from "./actions.ts";
import {
  changeKey,
  changeSub,
  createKey,
  createSub,
  deleteKey,
  family,
  freezeSub,
  moveMoney,
  permissionsOf,
} from "./family.ts";

/** Sub-accounts, their keys, and what moves between them and their main accounts. Domain 6.3. */
export const subs: SpotPart = {
  name: "subs",
  actions: {
    "sub-account": { often: { usual: [0, 3, 10] }, make: (draw) => ({ command: administer(draw) }) },
    "sub-transfer": { often: { usual: [0, 2, 6] }, make: (draw) => ({ command: moving(draw) }) },
  },
  ofUsers: {
    create_sub_account: createSub,
    freeze_sub_account: freezeSub,
    create_sub_api_key: createKey,
    change_sub_api_key: changeKey,
    delete_sub_api_key: deleteKey,
    sub_transfer: moveMoney,
  },
  ofVenue: { change_sub_account: changeSub },
  compare: (state, model, differ) => {
    for (const { id, mainId, frozen, frozenByMain } of model.users) {
      const ours = state.users.get(id);
      differ(`main account of user ${id}`, ours?.mainUserId, mainId);
      differ(`user ${id} frozen`, ours?.frozen, frozen || frozenByMain);
      differ(`user ${id} may not sign`, isFrozen(state, id), model.isFrozen(id));
      differ(`user ${id} may not trade`, isTradeBarred(state, id), model.isBarred(id));
      differ(`user ${id} frozen by its main account`, ours?.frozenByMain, frozenByMain);
      if (mainId === undefined) continue;
      differ(`permissions of user ${id}`, termsOf(state, id).permissions.join(), permissionsOf(model, id).join());
      const keys = [...family(model).keys.values()].filter(({ userId }) => userId === id);
      differ(`keys of user ${id}`, state.keys.ofUser(id).size, keys.length);
    }
    for (const { apiId, userId, accessId, trades, addresses, expiredAt, remark } of family(model).keys.values()) {
      const ours = state.keys.withApiId(apiId);
      const said = (key: object) => JSON.stringify(key);
      const permissions = trades ? ["read", "trade"] : ["read"];
      differ(
        `key ${apiId}`,
        ours && said([ours.userId, ours.accessId, ours.permissions, ours.ipWhitelist, ours.expiredAt, ours.remark]),
        said([userId, accessId, permissions, addresses, expiredAt, remark]),
      );
    }
  },
  faults: [
    {
      name: "a main account moves the money of another's sub-accounts",
      file: "subs/sub-transfer.ts",
      code: "id === userId || isOwnSub(state, userId, id);",
      instead: "id === userId || state.users.mainUserId(id) !== 0;",
    },
    {
      name: "a main account frees what an operator has frozen",
      file: "subs/commands.ts",
      code: "if (!frozen && (flags & USER_FLAG.frozen) !== 0) {",
      instead: "if (!frozen && flags < 0) {",
    },
    {
      name: "a frozen sub-account goes on asking",
      file: "accounts/user.ts",
      code: "const ANY_FREEZE = USER_FLAG.frozen | USER_FLAG.frozenByMain;",
      instead: "const ANY_FREEZE = USER_FLAG.frozen;",
    },
    {
      name: "the sub-account of a frozen main account goes on asking",
      file: "accounts/freeze.ts",
      code: "return flags | (users.flags(main) & OF_FAMILY);",
      instead: "return flags | (users.flags(main) & USER_FLAG.tradeBarred);",
    },
    {
      name: "the sub-account of a barred main account trades on",
      file: "accounts/freeze.ts",
      code: "return flags | (users.flags(main) & OF_FAMILY);",
      instead: "return flags | (users.flags(main) & USER_FLAG.frozen);",
    },
    {
      name: "a snapshot forgets what sub-accounts may do",
      file: "subs/subs-section.ts",
      code: "subTerms.of(state).set(userId, terms);",
      instead: "subTerms.of(state).set(userId, { ...terms, permissions: [] });",
    },
    {
      name: "a key without addresses never expires",
      file: "subs/key-commands.ts",
      code: "ipWhitelist.length === 0 ? timeMs + OPEN_KEY_LIFE_MS : 0",
      instead: "0 * timeMs * ipWhitelist.length",
    },
  ],
};
