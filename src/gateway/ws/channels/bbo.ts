import type { Market } from "../../../engine/listing/market.ts";
import type { BestQuotes } from "../../../feeds/depth.ts";
import { marketsIn, NamedChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import { InitialSnapshots } from "../initial-snapshots.ts";
import type { Push } from "../push.ts";

/** The best quotes as they are told. */
export interface ShownQuotes {
  readonly bidPrice: string;
  readonly bidSize: string;
  readonly askPrice: string;
  readonly askSize: string;
}

/** The best quotes, at once when they change; several changes of one group of commands are one. */
export class BboChannel extends NamedChannel {
  /** By market id. */
  readonly #told: (BestQuotes | undefined)[] = [];
  /** News need not wait for them: each push says all there is to say. */
  readonly #initialSnapshots = new InitialSnapshots<Market>((client, market) => this.#sendInitial(client, market));

  applied(touched: readonly number[]): void {
    if (this.subscribers.isEmpty) return;
    for (const marketId of touched) {
      const market = this.context.backend.state.markets[marketId] as Market;
      if (!this.subscribers.isHeard(market.name)) continue;
      const quotes = this.context.backend.feeds.bestQuotes(marketId);
      const told = this.#told[marketId];
      this.#told[marketId] = quotes;
      if (told !== undefined && isSame(told, quotes)) continue;
      const push = this.#print(market, quotes);
      this.subscribers.each(market.name, (client) => client.send(push));
    }
  }

  protected override sendInitial(client: Client, names: readonly string[]): void {
    for (const market of marketsIn(this.context, names)) {
      // While nobody followed, quotes changed untold.
      this.#told[market.id] = this.context.backend.feeds.bestQuotes(market.id);
      this.#initialSnapshots.add(client, market);
    }
  }

  override leave(client: Client): void {
    super.leave(client);
    this.#initialSnapshots.leave(client);
  }

  #sendInitial(client: Client, market: Market): void {
    if (market.delisted || !this.subscribers.follows(client, market.name)) return;
    client.send(this.#print(market, this.context.backend.feeds.bestQuotes(market.id)));
  }

  #print(market: Market, quotes: BestQuotes): Push {
    return this.update(this.print(market, this.#shown(market, quotes), quotes.updatedAt));
  }

  /** A side that is empty has price and size 0. */
  #shown(market: Market, { bidPrice, bidLots, askPrice, askLots }: BestQuotes): ShownQuotes {
    const printer = this.context.printers.of(market.id);
    const size = (lots: bigint) => (lots === 0n ? "0" : printer.amount(lots));
    return {
      bidPrice: printer.priceOrNothing(bidPrice),
      bidSize: size(bidLots),
      askPrice: printer.priceOrNothing(askPrice),
      askSize: size(askLots),
    };
  }

  protected print({ name }: Market, shown: ShownQuotes, updatedAt: number): string {
    return (
      `{"market":"${name}","updated_at":${updatedAt},` +
      `"best_bid_price":"${shown.bidPrice}","best_bid_size":"${shown.bidSize}",` +
      `"best_ask_price":"${shown.askPrice}","best_ask_size":"${shown.askSize}"}`
    );
  }
}

function isSame(one: BestQuotes, other: BestQuotes): boolean {
  return (
    one.bidPrice === other.bidPrice &&
    one.bidLots === other.bidLots &&
    one.askPrice === other.askPrice &&
    one.askLots === other.askLots
  );
}
