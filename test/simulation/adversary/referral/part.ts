import type { PlayPart } from "../play-part.ts";
import { poolListings, tradeHonestly } from "../pools/pooled.ts";
import { upline } from "./upline.ts";
import { washForRebate } from "./wash-rebate.ts";

/** Invitations, in plays that are about them: beside a pool. */
export const referral: PlayPart = {
  name: "referral",
  strategies: [washForRebate, upline],
  laws: [],
  forItsOwn: (script, terms) => {
    tradeHonestly(script, terms);
    return poolListings(terms);
  },
};
