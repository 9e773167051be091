import type { Market } from "../../../engine/listing/market.ts";
import { type ChannelContext, marketsIn, NamedChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import type { SocketChannel } from "../contract.ts";

/** Latest, mark and index price of each futures market, again whenever one of them is another. */
export class PriceChannel extends NamedChannel {
  readonly #context: ChannelContext;
  /** By market id. */
  readonly #told: (string | undefined)[] = [];

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract, context);
    this.#context = context;
  }

  beat(): void {
    if (this.audience.isEmpty) return;
    for (const market of this.#context.markets()) {
      if (!this.audience.isHeard(market.name)) continue;
      const prices = this.#print(market);
      if (prices === this.#told[market.id]) continue;
      this.#told[market.id] = prices;
      const push = this.#update(prices);
      this.audience.each(market.name, (client) => client.send(push));
    }
  }

  protected override greet(client: Client, names: readonly string[]): void {
    for (const market of marketsIn(this.#context, names)) client.send(this.#update(this.#print(market)));
  }

  #print(market: Market): string {
    const { backend, printers } = this.#context;
    const printer = printers.of(market.id);
    return (
      `"market":"${market.name}","price":"${printer.priceOrNothing(backend.feeds.lastPrice(market.id))}",` +
      `"mark_price":"${printer.priceOrNothing(backend.state.futures.live.mark(market.id))}",` +
      `"index_price":"${printer.priceOrNothing(market.index.price)}"`
    );
  }

  #update(prices: string) {
    return this.update(`{${prices},"updated_at":${this.#context.backend.state.timeMs}}`);
  }
}
