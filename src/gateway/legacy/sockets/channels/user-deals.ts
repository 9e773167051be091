import type { OwnDeal } from "../../../../feeds/private-feed.ts";
import type { MarketPrinter } from "../../../reading/market-printer.ts";
import { UserDealsChannel, userDealOf } from "../../../ws/channels/user-deals.ts";
import { printOwnDeal } from "../../records/deal-shape.ts";

/** An account's own deals, one per push: a LegacyWsUserDeal. */
export class LegacyUserDealsChannel extends UserDealsChannel {
  protected override print(printer: MarketPrinter, own: OwnDeal): string {
    return printOwnDeal(userDealOf(own), printer, own);
  }
}
