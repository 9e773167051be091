import { part } from "../part.ts";
import "./events.ts";
import { addLiquidity } from "./add.ts";
import { AMM_SCHEMAS } from "./command-schemas.ts";
import { poolDue } from "./day.ts";
import { poolsOwed } from "./owed.ts";
import { PoolAudit } from "./pool-audit.ts";
import { checkPools } from "./pool-invariants.ts";
import { poolSection } from "./pool-section.ts";
import { closePool, removeLiquidity } from "./remove.ts";
import { setPool } from "./set-pool.ts";

/** Pools of spot markets: they quote beside the orders, and are owned by who provides for them. */
export const amm = part({
  name: "amm",
  commandSchemas: AMM_SCHEMAS,
  commands: { set_pool: setPool, add_liquidity: addLiquidity, remove_liquidity: removeLiquidity },
  sections: [poolSection],
  check: checkPools,
  audits: (state) => [new PoolAudit(state)],
  dueIn: poolDue,
  owed: poolsOwed,
  onDelisting: closePool,
});
