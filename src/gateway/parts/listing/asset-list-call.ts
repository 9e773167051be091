import { formatDecimal } from "../../../engine/money/decimal.ts";
import { type AdminCall, call } from "../../admin/call.ts";
import { optional, text } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";

const listAssets = call({
  method: "GET",
  path: "/admin/assets",
  verbs: { "asset list": "Show the assets, in the order of listing." },
  fields: { ccy: optional(text("CCY", 1, 20), "this one only"), ...pageFields },
  serve({ state }, values) {
    const { ledger } = state;
    const assets = state.assets.filter(({ ccy }) => values.ccy === undefined || ccy === values.ccy);
    return pageOf("assets", assets, values, ({ id, ccy, fullName, scale, maxCustody, isSt, chains }) => ({
      ccy,
      full_name: fullName,
      scale,
      custody: formatDecimal(ledger.custody(id), scale),
      max_custody: formatDecimal(maxCustody, scale),
      is_st: isSt,
      chains: chains.map(({ chain }) => chain),
    }));
  },
});

export const ASSET_LIST_CALLS: readonly AdminCall[] = [listAssets];
