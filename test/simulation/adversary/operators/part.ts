import type { PlayPart } from "../play-part.ts";
import { office } from "./office.ts";

/** What operators do of an ordinary day, in plays that are about it. */
export const operators: PlayPart = {
  name: "operators",
  strategies: [office],
  laws: [],
  forItsOwn: () => [
    { kind: "deposit", cell: "sys:credit_pool", ccy: "USDT", amount: "1000000", note: "" },
    { kind: "set_fee_level", level: "maker", makerFeeRate: "0", takerFeeRate: "0.0002" },
    { kind: "set_fee_level", level: "dear", makerFeeRate: "0.001", takerFeeRate: "0.002" },
    { kind: "set_inter_transfer", ccy: "USDT", enabled: true },
  ],
};
