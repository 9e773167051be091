import type { Market } from "../../../../engine/listing/market.ts";
import { type NamedState, StateChannel } from "../../../ws/channels/state.ts";
import { stateText } from "../records/state.ts";

/** Tickers by the names of their markets. */
export class LegacyStateChannel extends StateChannel {
  protected override print({ id }: Market): string {
    const { backend, printers } = this.context;
    return stateText(backend, printers.of(id), backend.now());
  }

  protected override joined(states: readonly NamedState[]): string {
    return `{${states.map(({ name, state }) => `"${name}":${state}`).join()}}`;
  }
}
