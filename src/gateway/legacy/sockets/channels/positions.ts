import type { EndingEvent } from "../../../../engine/futures/positions/position-event.ts";
import { PositionChannel } from "../../../ws/channels/positions.ts";
import { endedPerpetualPositionOf, perpetualPositionOf } from "../../records/perpetual-positions.ts";

/** Positions of an account: a PerpetualPosition, with amount 0 once it has ended. */
export class LegacyPositionChannel extends PositionChannel {
  protected override print(slot: number): string {
    const { backend, printers } = this.context;
    return JSON.stringify(perpetualPositionOf(backend.state, printers, this.levels, slot));
  }

  protected override printEnded(last: EndingEvent): string {
    const { backend, printers } = this.context;
    return JSON.stringify(endedPerpetualPositionOf(backend.state, printers, last));
  }
}
