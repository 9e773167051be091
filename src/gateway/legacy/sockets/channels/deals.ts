import type { Market } from "../../../../engine/listing/market.ts";
import type { PublicDeal } from "../../../../feeds/recent-deals.ts";
import { DealsChannel } from "../../../ws/channels/deals.ts";
import { dealsText } from "../records/deals.ts";

/** Deals of everybody: `[market, deals]`. */
export class LegacyDealsChannel extends DealsChannel {
  protected override print({ id, name }: Market, deals: readonly PublicDeal[]): string {
    return `"${name}",${dealsText(this.context.printers.of(id), deals)}`;
  }
}
