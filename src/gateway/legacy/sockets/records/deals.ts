/** Deals as the legacy sockets tell them, as JSON. */
import type { Side } from "../../../../engine/command.ts";
import type { Asset } from "../../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../../engine/money/decimal.ts";
import type { State } from "../../../../engine/state.ts";
import type { PublicDeal } from "../../../../feeds/recent-deals.ts";
import type { MarketPrinter } from "../../../reading/market-printer.ts";
import { SIDE } from "../../records/order-shape.ts";
import { exactSeconds } from "../../records/time.ts";

/** LegacyWsRole, but for an order without a deal, which is 0. */
export const ROLE = { maker: 1, taker: 2 } as const;

/** A list of LegacyWsDeal. */
export function dealsText(printer: MarketPrinter, deals: readonly PublicDeal[]): string {
  const texts = deals.map(
    ({ dealId, createdAt, side, price, lots }) =>
      `{"id":${dealId},"time":${exactSeconds(createdAt)},"type":"${side}",` +
      `"price":"${printer.price(price)}","amount":"${printer.amount(lots)}"}`,
  );
  return `[${texts.join()}]`;
}

/** A deal of an account, as it is told of when it happens and as history has it. */
export interface ShownDeal {
  readonly dealId: number;
  /** ms. */
  readonly createdAt: number;
  readonly orderId: number;
  /** The account's own. */
  readonly side: Side;
  readonly role: keyof typeof ROLE;
  readonly clientId: string;
  readonly price: bigint;
  readonly lots: bigint;
  readonly value: bigint;
  readonly fee: bigint;
  readonly feeAssetId: number;
}

/** A LegacyWsUserDeal. */
export function ownDealText({ assets }: Pick<State, "assets">, printer: MarketPrinter, deal: ShownDeal): string {
  const feeAsset = assets[deal.feeAssetId] as Asset;
  return (
    `{"id":${deal.dealId},"time":${exactSeconds(deal.createdAt)},"market":"${printer.market.name}",` +
    `"order_id":${deal.orderId},"side":${SIDE[deal.side]},"role":${ROLE[deal.role]},` +
    `"price":"${printer.price(deal.price)}","amount":"${printer.amount(deal.lots)}","deal":"${printer.value(deal.value)}",` +
    `"fee":"${formatDecimal(deal.fee, feeAsset.scale)}","fee_asset":"${feeAsset.ccy}","client_id":"${deal.clientId}"}`
  );
}
