/** Users, their keys, their fees and their funds. */

import type { State } from "../../../engine/state.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import {
  clearable,
  decimal,
  type Form,
  flag,
  listOf,
  oneOf,
  optional,
  reference,
  required,
  text,
  timeOrZero,
  userId,
} from "../../admin/field.ts";
import { isIpListEntry } from "../../auth/ip-whitelist.ts";
import { rateText } from "../../reading/market-printer.ts";
import { invalidParameter, Refused } from "../../refused.ts";
import { WRONG } from "../../request/value.ts";
import { levelName } from "./fee-level-calls.ts";

const IPS_MAX = 50;
const PERMISSIONS = ["read", "trade", "withdraw"] as const;

const rate = decimal("RATE");

const line = text("NAME", 1, 64);

/** A name of digits would be taken for an id. */
const userName: Form<string> = {
  ...line,
  expected: `${line.expected}, not of digits only`,
  check: (raw, names) => (typeof raw === "string" && /^\d+$/.test(raw) ? WRONG : line.check(raw, names)),
};

const createUser = call({
  method: "POST",
  path: "/admin/users",
  verbs: { "user create": "Make a user, or a sub-account of one." },
  fields: {
    name: required(userName, "unique name"),
    main_user_id: optional(userId, "the main account, to make a sub-account"),
    referred_by: optional(text("CODE", 4, 32), "the code by which somebody invited it, for ever"),
    reference,
  },
  serve: (backend, { name, main_user_id: mainUserId, referred_by: referredBy, reference }) =>
    execute(backend, { kind: "create_user", name, mainUserId, referredBy, reference }, (result) => ({
      user_id: (result as { userId: number }).userId,
    })),
});

const changeUser = call({
  method: "POST",
  path: "/admin/users/USER_ID",
  verbs: { "user change": "Freeze, bar or free a user, or set the fee level or rates of its future orders." },
  fields: {
    user_id: required(userId, "the user"),
    frozen: optional(flag, "no signed calls, also of its sub-accounts"),
    trade_barred: optional(flag, "no orders, also of its sub-accounts"),
    fee_level: clearable(levelName, "fee level; null takes it off its level"),
    maker_fee_rate: clearable(
      rate,
      "own maker rate, before that of its level; null goes back to the level's or market's",
    ),
    taker_fee_rate: clearable(
      rate,
      "own taker rate, before that of its level; null goes back to the level's or market's",
    ),
    fee_deduction: optional(flag, "pays fees in the deduction currency; the user's own switch"),
  },
  // Who helps users may stop and free them, but not say what they pay.
  mayBy: ({ user_id: _, frozen: _frozen, trade_barred: _barred, ...terms }) =>
    Object.values(terms).every((value) => value === undefined) ? ["support"] : [],
  serve(backend, { user_id, frozen, trade_barred, fee_level, maker_fee_rate, taker_fee_rate, fee_deduction }) {
    const given = [frozen, trade_barred, fee_level, maker_fee_rate, taker_fee_rate, fee_deduction];
    if (given.every((value) => value === undefined)) {
      return invalidParameter(
        "one of frozen, trade_barred, fee_level, maker_fee_rate, taker_fee_rate and fee_deduction must be given.",
      );
    }
    return execute(
      backend,
      {
        kind: "change_user",
        userId: user_id,
        frozen,
        tradeBarred: trade_barred,
        makerFeeRate: maker_fee_rate,
        takerFeeRate: taker_fee_rate,
        feeLevel: fee_level,
        feeDeduction: fee_deduction,
      },
      () => ({ user_id }),
    );
  },
});

const setDeduction = call({
  method: "POST",
  path: "/admin/fee-deduction",
  verbs: { "fee-deduction set": "Set in which currency users may pay fees, and how much cheaper that is." },
  fields: {
    ccy: clearable(text("CCY", 1, 20), "the currency; null ends it; once fees were paid in one it cannot be another"),
    discount_rate: optional(rate, "what such a fee is cheaper by"),
  },
  serve(backend, { ccy, discount_rate }) {
    if (ccy === undefined && discount_rate === undefined) {
      return invalidParameter("one of ccy and discount_rate must be given.");
    }
    const command = { kind: "set_fee_deduction", ccy, discountRate: discount_rate } as const;
    return execute(backend, command, (_, { state }) => deductionOf(state));
  },
});

const showDeduction = call({
  method: "GET",
  path: "/admin/fee-deduction",
  verbs: { "fee-deduction show": "Show in which currency users may pay fees, and how many of them wish to." },
  fields: {},
  serve: ({ state }) => ({ ...deductionOf(state), users: state.users.deducting }),
});

function deductionOf({ deduction }: State) {
  return { ccy: deduction.ccy ?? null, discount_rate: rateText(deduction.discountE8) };
}

const ipEntry: Form<string> = {
  shape: "text",
  values: "ADDRESS",
  expected: "an IP address or a network such as 192.0.2.0/24, and not one of all addresses",
  check: (raw) => (typeof raw === "string" && isIpListEntry(raw) ? raw : WRONG),
};

const createKey = call({
  method: "POST",
  path: "/admin/api-keys",
  verbs: { "key create": "Make an API key; its secret is shown once." },
  fields: {
    user_id: required(userId, "the user"),
    permissions: optional(
      listOf(oneOf(PERMISSIONS), PERMISSIONS.length),
      "what it may do; read is implied; read and trade unless given",
    ),
    ip_whitelist: optional(listOf(ipEntry, IPS_MAX), "from where it may be used; anywhere unless given"),
    expired_at: optional(timeOrZero, "when it expires; never unless given, or 0"),
    remark: optional(text("TEXT", 0, 50), "note"),
  },
  takesTwo: true,
  async serve(backend, values) {
    const { accessId, secret, secretCipher } = backend.vault.newKey();
    const answer = await execute(
      backend,
      {
        kind: "create_api_key",
        userId: values.user_id,
        accessId,
        secretCipher,
        permissions: values.permissions ?? ["read", "trade"],
        ipWhitelist: values.ip_whitelist ?? [],
        expiredAt: values.expired_at ?? 0,
        remark: values.remark,
      },
      () => ({}),
    );
    // Where it waits for consent, the key counts from then on.
    return answer instanceof Refused ? answer : { ...answer, access_id: accessId, secret_key: secret };
  },
});

const deleteKey = call({
  method: "DELETE",
  path: "/admin/api-keys/ACCESS_ID",
  verbs: { "key delete": "Delete an API key; it ends at once." },
  fields: { access_id: required(text("ACCESS_ID", 1, 64), "the key") },
  mayBy: () => ["support"],
  serve: (backend, { access_id }) =>
    execute(backend, { kind: "delete_api_key", accessId: access_id }, () => ({ access_id })),
});

export const ACCOUNT_CALLS: readonly AdminCall[] = [
  createUser,
  changeUser,
  setDeduction,
  showDeduction,
  createKey,
  deleteKey,
];
