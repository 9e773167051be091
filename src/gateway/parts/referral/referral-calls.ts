/** Codes, whom they invited, and agents, as operators handle them. */
import { referralOf } from "../../../engine/referral/referral-state.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { clearable, decimal, optional, required, text, userId } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { rateText } from "../../reading/market-printer.ts";

const CODE = text("CODE", 4, 32);

const createCode = call({
  method: "POST",
  path: "/admin/refer-codes",
  verbs: { "refer create": "Give a user a code to invite with, and the shares of fees that it brings." },
  fields: {
    user_id: required(userId, "whose code it is"),
    code: required(CODE, "4 to 32 letters and digits"),
    referrer_rebate_rate: required(decimal("RATE"), "share of the fees of whom it invites, for its owner"),
    referee_rebate_rate: required(decimal("RATE"), "share of their own fees, for whom it invites"),
  },
  serve: (backend, { user_id, code, referrer_rebate_rate, referee_rebate_rate }) =>
    execute(
      backend,
      {
        kind: "create_refer_code",
        userId: user_id,
        code,
        referrerRate: referrer_rebate_rate,
        refereeRate: referee_rebate_rate,
      },
      () => ({ code }),
    ),
});

const bind = call({
  method: "POST",
  path: "/admin/referees",
  verbs: { "refer bind": "Say by which code a user was invited, once and for ever." },
  fields: { user_id: required(userId, "who was invited"), code: required(CODE, "the code") },
  serve: (backend, { user_id, code }) =>
    execute(backend, { kind: "bind_referee", userId: user_id, code }, () => ({ user_id, code })),
});

const setAgent = call({
  method: "POST",
  path: "/admin/agents",
  verbs: { "refer agent": "Make a user an agent of another, who gets a share of the fees of whom the agent invites." },
  fields: {
    user_id: required(userId, "the agent"),
    of_user_id: required(userId, "who gets the share"),
    rebate_rate: clearable(decimal("RATE"), "share; null ends it"),
    remark: optional(text("TEXT", 0, 256), "free note, which the other sees"),
  },
  serve: (backend, { user_id, of_user_id, rebate_rate = null, remark = "" }) =>
    execute(backend, { kind: "set_agent", userId: user_id, ofUserId: of_user_id, rate: rebate_rate, remark }, () => ({
      user_id,
    })),
});

const listCodes = call({
  method: "GET",
  path: "/admin/refer-codes",
  verbs: { "refer list": "Show the codes, with their owners and shares." },
  fields: { user_id: optional(userId, "those of this user"), ...pageFields },
  serve: ({ state }, values) =>
    pageOf(
      "refer_codes",
      [...referralOf(state).codes.values()].filter(({ userId: owner }) => owner === (values.user_id ?? owner)),
      values,
      ({ code, userId: owner, referrerRateE8, refereeRateE8 }) => ({
        code,
        user_id: owner,
        referrer_rebate_rate: rateText(referrerRateE8),
        referee_rebate_rate: rateText(refereeRateE8),
      }),
    ),
});

export const REFERRAL_CALLS: readonly AdminCall[] = [createCode, bind, setAgent, listCodes];
