import type { Market } from "../../../engine/listing/market.ts";
import { NamedChannel } from "../channel.ts";

/** The index of each market that has one, again and again, changed or not. */
export class IndexChannel extends NamedChannel {
  beat(): void {
    if (this.subscribers.isEmpty) return;
    for (const market of this.context.markets()) {
      if (market.index.price === 0n || !this.subscribers.isHeard(market.name)) continue;
      const push = this.update(this.print(market));
      this.subscribers.each(market.name, (client) => client.send(push));
    }
  }

  protected print(market: Market): string {
    const printer = this.context.printers.of(market.id);
    const mark = market.futures === undefined ? undefined : this.context.backend.state.futures.live.mark(market.id);
    return (
      `{"market":"${market.name}","index_price":"${printer.price(market.index.price)}"` +
      (mark === undefined ? "" : `,"mark_price":"${printer.priceOrNothing(mark)}"`) +
      `,"is_stale":${market.index.isStale}}`
    );
  }
}
