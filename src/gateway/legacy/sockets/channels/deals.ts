import type { PublicDeal } from "../../../../engine/event.ts";
import type { Market } from "../../../../engine/listing/market.ts";
import { DealsChannel } from "../../../ws/channels/deals.ts";
import { dealsText } from "../../records/deal-shape.ts";

/** Deals of everybody: `[market, deals]`. */
export class LegacyDealsChannel extends DealsChannel {
  protected override print({ id, name }: Market, deals: readonly PublicDeal[]): string {
    return `"${name}",${dealsText(this.context.printers.of(id), deals)}`;
  }
}
