import { type ChannelContext, NamedChannel } from "../channel.ts";
import type { SocketChannel } from "../contract.ts";

/** The index of each market that has one, again and again, changed or not. */
export class IndexChannel extends NamedChannel {
  readonly #context: ChannelContext;

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract, context);
    this.#context = context;
  }

  beat(): void {
    if (this.audience.isEmpty) return;
    for (const market of this.#context.markets()) {
      if (market.index.price === 0n || !this.audience.isHeard(market.name)) continue;
      const printer = this.#context.printers.of(market.id);
      const mark = market.futures === undefined ? undefined : this.#context.backend.state.futures.live.mark(market.id);
      const push = this.update(
        `{"market":"${market.name}","index_price":"${printer.price(market.index.price)}"` +
          `${mark === undefined ? "" : `,"mark_price":"${printer.priceOrNothing(mark)}"`},"is_stale":${market.index.isStale}}`,
      );
      this.audience.each(market.name, (client) => client.send(push));
    }
  }
}
