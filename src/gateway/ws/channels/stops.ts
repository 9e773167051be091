import type { StopEvent, StopEventName } from "../../../engine/stops/stop-event.ts";
import { type MarketPrinter, rateText } from "../../reading/market-printer.ts";
import { PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";

/** How the contract names what happened and how the stop order stands. It has no word for a change: it is put again. */
const TOLD_AS: Readonly<Record<StopEventName, { readonly event: string; readonly status: string }>> = {
  put: { event: "put", status: "put" },
  modify: { event: "put", status: "put" },
  cancel: { event: "cancel", status: "cancel" },
  active_success: { event: "active", status: "active_success" },
  active_fail: { event: "active", status: "active_fail" },
};

/** What becomes of an account's stop orders. */
export class StopChannel extends PrivateChannel {
  stop(clients: readonly Client[], happened: StopEvent): void {
    const printer = this.context.printers.of(happened.stop.marketId);
    this.tell(clients, printer.market.name, () => this.print(printer, happened));
  }

  protected print(printer: MarketPrinter, happened: StopEvent): string {
    return `{"event":"${TOLD_AS[happened.event].event}","stop":{${this.#fieldsOf(printer, happened)}}}`;
  }

  #fieldsOf(printer: MarketPrinter, { event, stop }: StopEvent): string {
    const { market } = printer;
    // The order that it becomes takes the rates of its time; until then those of today are shown.
    const rates = this.context.backend.state.users.get(stop.userId);
    const amount = stop.amountIn === "quote" ? printer.value(stop.amount) : printer.amount(stop.amount);
    return (
      `"stop_id":${stop.stopId},"market":"${market.name}",` +
      (market.futures === undefined ? `"margin_market":"${stop.account === "margin" ? market.name : ""}",` : "") +
      `"type":"${stop.type}","side":"${stop.side}","amount":"${amount}",` +
      `"price":"${printer.priceOrNothing(stop.price)}","trigger_price":"${printer.price(stop.trigger)}",` +
      `"trigger_direction":"${stop.direction}",` +
      `"taker_fee_rate":"${rateText(rates?.takerFeeRateE8 ?? market.takerFeeRateE8)}",` +
      `"maker_fee_rate":"${rateText(rates?.makerFeeRateE8 ?? market.makerFeeRateE8)}",` +
      `"status":"${TOLD_AS[event].status}","client_id":"${stop.clientId}",` +
      `"created_at":${stop.createdAt},"updated_at":${stop.updatedAt}` +
      (market.futures === undefined ? "" : `,"trigger_price_type":"${stop.triggerType}"`)
    );
  }
}
