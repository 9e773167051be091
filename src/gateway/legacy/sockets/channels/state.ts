import { cycleOf } from "../../../../engine/futures/funding/cycle.ts";
import type { Market } from "../../../../engine/listing/market.ts";
import { type NamedState, StateChannel } from "../../../ws/channels/state.ts";
import { fundingTime } from "../../records/tickers.ts";
import { stateText } from "../records/state.ts";

/** Tickers by the names of their markets. */
export class LegacyStateChannel extends StateChannel {
  /**
   * After a deal, which makes other amounts of the latest deals, the window is another too. A perpetual market counts
   * down to its funding.
   */
  protected override figuresOf(market: Market): readonly unknown[] {
    const { backend } = this.context;
    const countdown = market.futures === undefined ? [] : [fundingTime(cycleOf(backend.state, market), backend.now())];
    return [...super.figuresOf(market), ...countdown];
  }

  protected override print({ id }: Market): string {
    const { backend, printers } = this.context;
    return stateText(backend, printers.of(id), backend.now());
  }

  protected override joined(states: readonly NamedState[]): string {
    return `{${states.map(({ name, state }) => `"${name}":${state}`).join()}}`;
  }
}
