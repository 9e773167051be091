import type { StopEvent, StopEventName, StopRecord } from "../../../engine/stops/stop-event.ts";
import { STOP_SHAPE } from "../../current/records/stop-orders.ts";
import { feeRatesOf } from "../../reading/fee-rates.ts";
import { type MarketPrinter, rateText } from "../../reading/market-printer.ts";
import { recordPrinter, type Shape } from "../../reading/record-printer.ts";
import type { RecordType } from "../../request/rules.ts";
import { PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import { loadSocketContract } from "../contract.ts";

/** How the contract names what happened and how the stop order stands. It has no word for a change: it is put again. */
const TOLD_AS: Readonly<Record<StopEventName, { readonly event: string; readonly status: string }>> = {
  put: { event: "put", status: "put" },
  modify: { event: "put", status: "put" },
  cancel: { event: "cancel", status: "cancel" },
  active_success: { event: "active", status: "active_success" },
  active_fail: { event: "active", status: "active_fail" },
};

/** Events of an account's stop orders. */
export class StopChannel extends PrivateChannel {
  stop(clients: readonly Client[], happened: StopEvent): void {
    const printer = this.context.printers.of(happened.stop.marketId);
    this.tell(clients, printer.market.name, () => this.print(printer, happened));
  }

  protected print(printer: MarketPrinter, { event, stop }: StopEvent): string {
    // The order that it becomes takes the rates of its time; until then those of today are shown.
    const { maker, taker } = feeRatesOf(this.context.backend.state, stop.userId, printer.market);
    const news = { status: TOLD_AS[event].status, makerFeeRate: maker, takerFeeRate: taker };
    const print = printer.market.futures === undefined ? printSpot : printFutures;
    return `{"event":"${TOLD_AS[event].event}","stop":${print(stop, printer, news)}}`;
  }
}

/** Data of a push about a stop order that its own record does not hold. */
interface StopNews {
  readonly status: string;
  readonly makerFeeRate: number;
  readonly takerFeeRate: number;
}

/** As over HTTP, and how it stands. */
const SHAPE: Shape<StopRecord, StopNews> = {
  ...STOP_SHAPE,
  others: {
    ...STOP_SHAPE.others,
    status: (_stop, _printer, { status }) => status,
    makerFeeRate: (_stop, _printer, { makerFeeRate }) => rateText(makerFeeRate),
    takerFeeRate: (_stop, _printer, { takerFeeRate }) => rateText(takerFeeRate),
  },
};

const { records } = loadSocketContract().values;
const printSpot = recordPrinter(records.get("SpotStop") as RecordType, SHAPE);
const printFutures = recordPrinter(records.get("FuturesStop") as RecordType, SHAPE);
