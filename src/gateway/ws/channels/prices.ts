import type { Market } from "../../../engine/listing/market.ts";
import { marketsIn, NamedChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import { isSame } from "./state.ts";

/** Latest, mark and index price of each futures market, again whenever one of them is another. */
export class PriceChannel extends NamedChannel {
  /** By market id. */
  readonly #told: (string | undefined)[] = [];
  /** The last printed prices in ticks, by market id: most markets have not changed, and are not printed again. */
  readonly #printed: (readonly bigint[])[] = [];

  beat(): void {
    if (this.subscribers.isEmpty) return;
    for (const market of this.context.markets()) {
      if (!this.subscribers.isHeard(market.name)) continue;
      const figures = this.#figuresOf(market);
      if (isSame(this.#printed[market.id], figures)) continue;
      this.#printed[market.id] = figures;
      const prices = this.print(market);
      if (prices === this.#told[market.id]) continue;
      this.#told[market.id] = prices;
      const push = this.update(this.complete(prices));
      this.subscribers.each(market.name, (client) => client.send(push));
    }
  }

  #figuresOf({ id, index }: Market): readonly bigint[] {
    const { feeds, state } = this.context.backend;
    return [feeds.lastPrice(id), state.futures.live.mark(id), index.price];
  }

  protected override sendInitial(client: Client, names: readonly string[]): void {
    for (const market of marketsIn(this.context, names)) {
      client.send(this.update(this.complete(this.print(market))));
    }
  }

  /** Returns the members of a push that are compared with the last push: a market is pushed when they differ. */
  protected print(market: Market): string {
    const { backend, printers } = this.context;
    const printer = printers.of(market.id);
    return (
      `"market":"${market.name}","price":"${printer.priceOrNothing(backend.feeds.lastPrice(market.id))}",` +
      `"mark_price":"${printer.priceOrNothing(backend.state.futures.live.mark(market.id))}",` +
      `"index_price":"${printer.priceOrNothing(market.index.price)}"`
    );
  }

  /** A whole push of it. */
  protected complete(prices: string): string {
    return `{${prices},"updated_at":${this.context.backend.state.timeMs}}`;
  }
}
