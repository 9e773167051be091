import type { RareEvent } from "../../../engine/event.ts";
import { rateText } from "../../reading/market-printer.ts";
import { NamedChannel } from "../channel.ts";

/** Premium samples of futures markets. */
export class PremiumChannel extends NamedChannel {
  happened(event: RareEvent): void {
    if (event.type !== "premium_sampled" || this.subscribers.isEmpty) return;
    const { name } = this.context.printers.of(event.marketId).market;
    if (!this.subscribers.isHeard(name)) return;
    const push = this.update(
      `{"market":"${name}","updated_at":${event.minuteMs},"premium_index":"${rateText(event.premiumE8)}"}`,
    );
    this.subscribers.each(name, (client) => client.send(push));
  }
}
