import { part } from "../part.ts";
import { POINTS_SCHEMAS } from "./command-schemas.ts";
import { grantPoints, movePoints, pointsDue, redeemPoints } from "./points.ts";
import { PointsAudit } from "./points-audit.ts";
import { checkPoints } from "./points-invariants.ts";
import { pointsSection } from "./points-section.ts";

/** Points that users earn, move to each other and redeem. */
export const points = part({
  name: "points",
  commandSchemas: POINTS_SCHEMAS,
  commands: { grant_points: grantPoints, move_points: movePoints, redeem_points: redeemPoints },
  sections: [pointsSection],
  check: checkPoints,
  audits: (state) => [new PointsAudit(state)],
  due: pointsDue,
});
