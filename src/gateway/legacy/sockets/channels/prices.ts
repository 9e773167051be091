import type { Market } from "../../../../engine/listing/market.ts";
import { IndexChannel } from "../../../ws/channels/index-price.ts";
import { PriceChannel } from "../../../ws/channels/prices.ts";

/** The index of spot markets: `[market, price]`. */
export class LegacyIndexChannel extends IndexChannel {
  protected override print({ id, name, index }: Market): string {
    return `"${name}","${this.context.printers.of(id).price(index.price)}"`;
  }
}

/** The latest price of futures markets: `[market, price]`. */
export class LegacyPriceChannel extends PriceChannel {
  protected override print({ id, name }: Market): string {
    const { backend, printers } = this.context;
    return `"${name}","${printers.of(id).priceOrNothing(backend.feeds.lastPrice(id))}"`;
  }

  protected override complete(price: string): string {
    return price;
  }
}
