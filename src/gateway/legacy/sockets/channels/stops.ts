import type { StopEvent, StopEventName } from "../../../../engine/stops/stop-event.ts";
import type { MarketPrinter } from "../../../reading/market-printer.ts";
import type { ChannelContext } from "../../../ws/channel.ts";
import { StopChannel } from "../../../ws/channels/stops.ts";
import type { SocketChannel } from "../../../ws/contract.ts";
import type { LegacyStopStatus } from "../../types.generated.ts";
import { OrderTexts } from "../records/orders.ts";

/** LegacyWsStopEvent, and how the stop order stands; there is none for a change: it is put again. */
const TOLD_AS: Readonly<Record<StopEventName, { readonly event: number; readonly status: LegacyStopStatus }>> = {
  put: { event: 1, status: 0 },
  modify: { event: 1, status: 0 },
  active_success: { event: 2, status: 1 },
  active_fail: { event: 2, status: 2 },
  cancel: { event: 3, status: 3 },
};

/** Events of an account's stop orders: `[event, stop]`. */
export class LegacyStopChannel extends StopChannel {
  readonly #texts: OrderTexts;

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract, context);
    this.#texts = new OrderTexts(context.backend.state, context.printers);
  }

  protected override print(_: MarketPrinter, { event, stop }: StopEvent): string {
    const told = TOLD_AS[event];
    return `${told.event},${this.#texts.stop(stop, told.status)}`;
  }
}
