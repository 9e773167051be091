import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import type { OwnDeal } from "../../../feeds/private-feed.ts";
import type { MarketPrinter, Printers } from "../../reading/market-printer.ts";
import { type ChannelContext, PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import type { SocketChannel } from "../contract.ts";

/** An account's own deals, one per push. */
export class UserDealsChannel extends PrivateChannel {
  readonly #state: State;
  readonly #printers: Printers;

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract, context);
    const { backend, printers } = context;
    this.#state = backend.state;
    this.#printers = printers;
  }

  deal(clients: readonly Client[], own: OwnDeal): void {
    const printer = this.#printers.of(own.deal.marketId);
    this.tell(clients, printer.market.name, () => `{${this.#fieldsOf(printer, own)}}`);
  }

  #fieldsOf(printer: MarketPrinter, { deal, own, role, positionId, clientId, timeMs }: OwnDeal): string {
    const { market } = printer;
    const feeAsset = this.#state.assets[own.feeAssetId] as Asset;
    const side = role === "taker" ? deal.side : deal.side === "buy" ? "sell" : "buy";
    return (
      `"deal_id":${deal.dealId},"created_at":${timeMs},"market":"${market.name}","side":"${side}",` +
      `"order_id":${own.orderId},"client_id":"${clientId}",` +
      `"price":"${printer.price(deal.price)}","amount":"${printer.amount(deal.lots)}","role":"${role}",` +
      `"fee":"${formatDecimal(own.fee, feeAsset.scale)}","fee_ccy":"${feeAsset.ccy}",` +
      // A client tells spot from futures by which of the two is there.
      (market.futures === undefined
        ? `"margin_market":"${own.account === "margin" ? market.name : ""}"`
        : `"position_id":${positionId}`)
    );
  }
}
