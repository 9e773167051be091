import type { PlayPart } from "../play-part.ts";
import { CHAIN, chainsOf } from "../wallet/part.ts";
import { accomplice } from "./accomplice.ts";

/** Sub-accounts that stand in for each other, in plays that are about them, with credit and a chain beside them. */
export const subs: PlayPart = {
  name: "subs",
  strategies: [accomplice],
  laws: [],
  forItsOwn: () => [
    { kind: "deposit", cell: "sys:credit_pool", ccy: "USDT", amount: "1000000", note: "" },
    ...chainsOf(["BTC", "USDT"], CHAIN),
  ],
};
