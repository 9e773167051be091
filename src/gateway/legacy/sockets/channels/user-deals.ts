import type { OwnDeal } from "../../../../feeds/private-feed.ts";
import type { MarketPrinter } from "../../../reading/market-printer.ts";
import { ownSide, UserDealsChannel } from "../../../ws/channels/user-deals.ts";
import { ownDealText } from "../records/deals.ts";

/** An account's own deals, one per push: a LegacyWsUserDeal. */
export class LegacyUserDealsChannel extends UserDealsChannel {
  protected override print(printer: MarketPrinter, ownDeal: OwnDeal): string {
    const { deal, own, role, clientId, timeMs } = ownDeal;
    return ownDealText(this.context.backend.state, printer, {
      ...{ dealId: deal.dealId, createdAt: timeMs, orderId: own.orderId, side: ownSide(ownDeal), role, clientId },
      ...{ price: deal.price, lots: deal.lots, value: deal.value, fee: own.fee, feeAssetId: own.feeAssetId },
    });
  }
}
