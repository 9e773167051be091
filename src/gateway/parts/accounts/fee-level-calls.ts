/** Fee levels: defined, shown and deleted here; a user is put on one by changing the user. */

import { feeLevels } from "../../../engine/accounts/fee-level.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, type Form, required } from "../../admin/field.ts";
import { rateText } from "../../reading/market-printer.ts";
import { WRONG } from "../../request/value.ts";

/** The command line takes `none` for null. */
export const levelName: Form<string> = {
  shape: "text",
  values: "LEVEL",
  expected: "1 to 32 letters, digits, _ and -, and not the word none",
  check: (raw) => (typeof raw === "string" && /^[\w-]{1,32}$/.test(raw) && raw !== "none" ? raw : WRONG),
};

const setFeeLevel = call({
  method: "POST",
  path: "/admin/fee-levels",
  verbs: { "fee-level set": "Define a fee level, or give it other rates: those of all future orders of its users." },
  fields: {
    level: required(levelName, "name of the level"),
    maker_fee_rate: required(decimal("RATE"), "maker rate in spot markets"),
    taker_fee_rate: required(decimal("RATE"), "taker rate in spot markets"),
  },
  serve: (backend, { level, maker_fee_rate: makerFeeRate, taker_fee_rate: takerFeeRate }) =>
    execute(backend, { kind: "set_fee_level", level, makerFeeRate, takerFeeRate }, () => ({ level })),
});

const listFeeLevels = call({
  method: "GET",
  path: "/admin/fee-levels",
  verbs: { "fee-level list": "Show the fee levels with their rates, and how many users are on each." },
  fields: {},
  serve({ state }) {
    const { users } = state;
    const counts = new Map<string, number>();
    for (const { level = "" } of users.onFeeLevel.values()) counts.set(level, (counts.get(level) ?? 0) + 1);
    return {
      fee_levels: [...feeLevels.of(state).values()].map(({ level, makerFeeRateE8, takerFeeRateE8 }) => ({
        level,
        maker_fee_rate: rateText(makerFeeRateE8),
        taker_fee_rate: rateText(takerFeeRateE8),
        users: counts.get(level) ?? 0,
      })),
    };
  },
});

const deleteFeeLevel = call({
  method: "DELETE",
  path: "/admin/fee-levels/LEVEL",
  verbs: { "fee-level delete": "Delete a fee level that no user is on." },
  fields: { level: required(levelName, "the level") },
  serve: (backend, { level }) => execute(backend, { kind: "delete_fee_level", level }, () => ({ level })),
});

export const FEE_LEVEL_CALLS: readonly AdminCall[] = [setFeeLevel, listFeeLevels, deleteFeeLevel];
