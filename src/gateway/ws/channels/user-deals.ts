import type { Side } from "../../../engine/command.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { OwnDeal } from "../../../feeds/private-feed.ts";
import type { MarketPrinter } from "../../reading/market-printer.ts";
import { PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";

/** An account's own deals, one per push. */
export class UserDealsChannel extends PrivateChannel {
  deal(clients: readonly Client[], own: OwnDeal): void {
    const printer = this.context.printers.of(own.deal.marketId);
    this.tell(clients, printer.market.name, () => this.print(printer, own));
  }

  protected print(printer: MarketPrinter, ownDeal: OwnDeal): string {
    const { deal, own, role, positionId, clientId, timeMs } = ownDeal;
    const { market } = printer;
    const feeAsset = this.context.backend.state.assets[own.feeAssetId] as Asset;
    return (
      `{"deal_id":${deal.dealId},"created_at":${timeMs},"market":"${market.name}","side":"${ownSide(ownDeal)}",` +
      `"order_id":${own.orderId},"client_id":"${clientId}",` +
      `"price":"${printer.price(deal.price)}","amount":"${printer.amount(deal.lots)}","role":"${role}",` +
      `"fee":"${formatDecimal(own.fee, feeAsset.scale)}","fee_ccy":"${feeAsset.ccy}",` +
      // A client tells spot from futures by which of the two is there.
      (market.futures === undefined
        ? `"margin_market":"${own.account === "margin" ? market.name : ""}"`
        : `"position_id":${positionId}`) +
      "}"
    );
  }
}

/** The side of a deal that its owner was on. */
export function ownSide({ role, deal: { side } }: OwnDeal): Side {
  return role === "taker" ? side : side === "buy" ? "sell" : "buy";
}
