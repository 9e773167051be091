import type { Market } from "../listing/market.ts";
import { part } from "../part.ts";
import "./events.ts";
import type { State } from "../state.ts";
import { settleFutures } from "./after-command.ts";
import { FUTURES_SCHEMAS } from "./command-schemas.ts";
import { closePositions } from "./delisting.ts";
import { enterFutures, futuresDue, hasWaitedForIndex, settlementDue } from "./due.ts";
import { ExitAudit } from "./exits/exit-audit.ts";
import { cancelExits, modifyExit, setExit } from "./exits/exit-commands.ts";
import { checkExits } from "./exits/exit-invariants.ts";
import { fireExits } from "./exits/fire-exits.ts";
import { refreshMark } from "./funding/mark.ts";
import { sampleAtTick } from "./funding/sampling.ts";
import { FuturesAudit } from "./futures-audit.ts";
import { futuresHoldings } from "./holdings.ts";
import { checkFutures } from "./invariants.ts";
import { FundAudit } from "./liquidation/fund-audit.ts";
import { futuresSettlement } from "./orders/settlement.ts";
import { futuresOwed } from "./owed.ts";
import { adjustMargin, setLeverage } from "./positions/margin.ts";
import { changeFuturesSettings } from "./positions/settings.ts";
import { futuresSection } from "./snapshot.ts";

/** Perpetual futures: positions, their margin, funding, liquidation and exits. */
export const futures = part({
  name: "futures",
  settlement: futuresSettlement,
  commandSchemas: FUTURES_SCHEMAS,
  commands: {
    change_futures_settings: changeFuturesSettings,
    set_leverage: setLeverage,
    adjust_margin: adjustMargin,
    set_exit: setExit,
    modify_exit: modifyExit,
    cancel_exits: cancelExits,
  },
  sections: [futuresSection],
  check: (state, { expect }) => {
    checkFutures(state, expect);
    checkExits(state, expect);
  },
  audits: (state) => [new FuturesAudit(state), new FundAudit(state), new ExitAudit(state)],
  due: settlementDue,
  dueIn: futuresDue,
  tick: sampleAtTick,
  isOverdueIn: hasWaitedForIndex,
  lookAfterAccounts: (state, everywhere) => {
    const looksEverywhere = everywhere && state.futures.settlesAt > 0;
    if (state.futures.isTouched || looksEverywhere) settleFutures(state, looksEverywhere);
  },
  fire: fireExits,
  holdings: futuresHoldings,
  owed: futuresOwed,
  isLeveraged: true,
  onListed: inFutures(enterFutures),
  onDelisting: inFutures(closePositions),
  onIndexPrice: inFutures((state, market) => {
    // Before the first deal the index stands in for its price.
    state.futures.exits.dirty.add(market.id);
    refreshMark(state, market);
  }),
});

/** Hears of futures markets only. */
function inFutures<Rest extends unknown[]>(hear: (state: State, market: Market, ...rest: Rest) => void) {
  return (state: State, market: Market, ...rest: Rest): void => {
    if (market.futures !== undefined) hear(state, market, ...rest);
  };
}
