import { part } from "../part.ts";
import "./own-account.ts";
import { spotSettlement } from "./settlement.ts";
import { checkSpot } from "./spot-invariants.ts";

/** Spot markets, and the spot account that orders in them trade with. */
export const spot = part({
  name: "spot",
  commandSchemas: {},
  commands: {},
  settlement: spotSettlement,
  check: checkSpot,
});
