import { part } from "../part.ts";
import "./events.ts";
import { TradingAudit } from "./audit/trading-audit.ts";
import { setCancelOnly } from "./cancel-only.ts";
import { TRADING_SCHEMAS } from "./command-schemas.ts";
import { icebergsSection } from "./icebergs-section.ts";
import { ordersSection } from "./orders-section.ts";
import { endAllResting } from "./resting.ts";
import { ticksSection } from "./ticks-section.ts";
import { checkTrading } from "./trading-invariants.ts";

/** Orders, books and deals. */
export const trading = part({
  name: "trading",
  commandSchemas: TRADING_SCHEMAS,
  commands: { set_cancel_only: setCancelOnly },
  sections: [icebergsSection, ordersSection, ticksSection],
  check: checkTrading,
  audits: (state, { checksPriority }) => [new TradingAudit(state, checksPriority)],
  onDelisting: endAllResting,
});
