import { ContractDraft } from "./futures/orders/contract-draft.ts";
import { SideSums } from "./futures/orders/freeze.ts";
import { Draft, Trade } from "./trading/draft.ts";

/**
 * The figures that the steps of one command hand to each other. Who begins with an order takes the scratch of the state
 * and passes it on, so that the parameters of a function say whether it reads or writes them. Nothing in it is part of
 * the state: a command reads no figure that it has not written itself, which test/support/checked-scratch.ts holds
 * every command to.
 */
export class Scratch {
  /** The order that is asked for, or the change of one. */
  readonly draft = new Draft();
  /** The fill under way. */
  readonly trade = new Trade();
  /** Figures that a futures market works out of the draft, and of the fill. */
  readonly contract = new ContractDraft();
  /** The orders of one side of a futures seat whose freeze is asked for. */
  readonly sums = new SideSums();
}
