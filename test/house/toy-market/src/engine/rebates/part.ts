import { part } from "../part.ts";
import "./events.ts";
import { REBATE_SCHEMAS } from "./command-schemas.ts";
import { listRebateMarket } from "./list-rebate-market.ts";
import { rebateSettlement } from "./rebate-settlement.ts";
import { RebatesAudit } from "./rebates-audit.ts";
import { rebatesSection } from "./rebates-section.ts";
import { rebates as terms } from "./rebates-state.ts";

/** Spot markets that pay their makers in a third currency. */
export const rebates = part({
  name: "rebates",
  commandSchemas: REBATE_SCHEMAS,
  commands: { list_rebate_market: listRebateMarket },
  sections: [rebatesSection],
  check: (state, { expect }) => {
    for (const { id, name, settlement } of state.markets) {
      expect(
        terms.of(state).has(id) === (settlement === rebateSettlement),
        () => `The market ${name} has terms of rebates or their settlement, and not both.`,
      );
    }
  },
  audits: (state) => [new RebatesAudit(state)],
});
