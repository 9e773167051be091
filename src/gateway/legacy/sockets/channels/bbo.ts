import type { Market } from "../../../../engine/listing/market.ts";
import { BboChannel, type ShownQuotes } from "../../../ws/channels/bbo.ts";

/** The best quotes: a LegacyWsBbo. */
export class LegacyBboChannel extends BboChannel {
  protected override print({ name }: Market, shown: ShownQuotes, updatedAt: number): string {
    return (
      `{"market":"${name}","buy_price":"${shown.bidPrice}","buy_amount":"${shown.bidSize}",` +
      `"sell_price":"${shown.askPrice}","sell_amount":"${shown.askSize}","time":${updatedAt}}`
    );
  }
}
