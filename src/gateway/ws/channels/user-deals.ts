import type { OwnDeal } from "../../../feeds/private-feed.ts";
import type { UserDeal } from "../../../history/deals/deal-queries.ts";
import { OWN_DEAL_SHAPE } from "../../current/records/deals.ts";
import type { MarketPrinter } from "../../reading/market-printer.ts";
import { recordPrinter, type Shape } from "../../reading/record-printer.ts";
import type { RecordType } from "../../request/rules.ts";
import { PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import { loadSocketContract } from "../contract.ts";

/** An account's own deals, one per push. */
export class UserDealsChannel extends PrivateChannel {
  deal(clients: readonly Client[], own: OwnDeal): void {
    const printer = this.context.printers.of(own.deal.marketId);
    this.tell(clients, printer.market.name, () => this.print(printer, own));
  }

  protected print(printer: MarketPrinter, own: OwnDeal): string {
    const print = printer.market.futures === undefined ? printSpot : printFutures;
    return print(userDealOf(own), printer, own);
  }
}

/** A deal as it is told of when it happens, in the form in which history has it. */
export function userDealOf({ deal, own, role, positionId, timeMs }: OwnDeal): UserDeal {
  const { dealId, marketId, price, lots, value } = deal;
  const { account, orderId, fee, feeAssetId } = own;
  const side = role === "taker" ? deal.side : deal.side === "buy" ? "sell" : "buy";
  return {
    dealId,
    createdAt: timeMs,
    marketId,
    account,
    orderId,
    positionId,
    side,
    role,
    price,
    lots,
    value,
    fee,
    feeAssetId,
  };
}

/**
 * As over HTTP, with the client id of the order. A client tells spot from futures by whether there is a margin market.
 */
const SHAPE: Shape<UserDeal, Pick<OwnDeal, "clientId">> = {
  ...OWN_DEAL_SHAPE,
  others: {
    ...OWN_DEAL_SHAPE.others,
    marginMarket: ({ account }, { market }) => (account === "margin" ? market.name : ""),
    clientId: (_deal, _printer, { clientId }) => clientId,
  },
};

const { records } = loadSocketContract().values;
const printSpot = recordPrinter(records.get("SpotUserDeal") as RecordType, SHAPE);
const printFutures = recordPrinter(records.get("FuturesUserDeal") as RecordType, SHAPE);
