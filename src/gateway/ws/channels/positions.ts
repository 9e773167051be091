import type { OrderEventName, OrderRecord, RareEvent } from "../../../engine/event.ts";
import { positionsOf } from "../../../engine/futures/positions/account-sums.ts";
import { signOf } from "../../../engine/futures/positions/contract.ts";
import { rowOf } from "../../../engine/futures/positions/futures-seat.ts";
import type { EndingEvent, FinishedType, PositionEvent } from "../../../engine/futures/positions/position-event.ts";
import { NONE } from "../../../engine/trading/order.ts";
import { finishedPositionOf, positionOf } from "../../current/records/positions.ts";
import type { FinishedPosition, Position } from "../../current/types.generated.ts";
import { AdlLevels } from "../../reading/adl-levels.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { openSlot } from "../../reading/open-positions.ts";
import { type ChannelContext, PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import type { SocketChannel } from "../contract.ts";

/** The contract's words for the end of a position; every other end is a close. */
const ENDED_AS: { readonly [Type in FinishedType]?: string } = { liq: "liq", adl: "adl", sys: "sys_close" };

/** The changes of one position by a group of commands. */
interface Changed {
  readonly clients: readonly Client[];
  readonly userId: number;
  readonly marketId: number;
  /** Liquidation is near. */
  readonly isAlert: boolean;
  /** Absent: only what waits to close it has changed. */
  readonly last?: PositionEvent;
}

/** Ticks at which a position was traded first and last. */
type Prices = Pick<PositionEvent, "firstPrice" | "latestPrice">;

/** Positions of an account, once for all that a group of commands did to one, as they stand after it. */
export class PositionChannel extends PrivateChannel {
  protected readonly levels: AdlLevels;
  readonly #changed = new Map<number, Changed>();

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract, context);
    this.levels = new AdlLevels(context.backend.state);
  }

  position(clients: readonly Client[], event: PositionEvent): void {
    const { positionId, userId, marketId } = event;
    const isAlert = this.#changed.get(positionId)?.isAlert ?? false;
    this.#changed.set(positionId, { clients, userId, marketId, isAlert, last: event });
  }

  /** Notes a change of the position that an order may close: an amount in orders is no longer free to close. */
  order(clients: readonly Client[], _event: OrderEventName, { userId, marketId, side }: OrderRecord): void {
    const isShort = side === "buy";
    const row = rowOf(this.context.backend.state, userId, marketId);
    const slot = row === NONE ? NONE : this.context.backend.state.futures.seats.position(row, isShort);
    if (slot === NONE) return;
    this.#note(clients, userId, marketId, this.context.backend.state.futures.positions.positionId(slot), false);
  }

  /** Exits of positions, and alerts. These come before the events of positions. */
  happened(event: RareEvent): void {
    if (event.type === "exit") {
      // With its position an exit ends unsaid.
      if (event.event === "end") return;
      this.#note(this.context.clientsOf(event.userId), event.userId, event.marketId, event.positionId, false);
    } else if (event.type === "risk_alert") {
      for (const slot of this.#alerted(event)) {
        const { positions } = this.context.backend.state.futures;
        const clients = this.context.clientsOf(event.userId);
        this.#note(clients, event.userId, positions.marketId(slot), positions.positionId(slot), true);
      }
    }
  }

  #note(clients: readonly Client[], userId: number, marketId: number, positionId: number, isAlert: boolean): void {
    if (clients.length === 0) return;
    const known = this.#changed.get(positionId);
    this.#changed.set(positionId, { ...known, clients, userId, marketId, isAlert: isAlert || known?.isAlert === true });
  }

  /** The position that an alert names, or all cross positions in its currency. */
  #alerted({ userId, ccy, positionId }: Extract<RareEvent, { type: "risk_alert" }>): number[] {
    const { accounts, positions } = this.context.backend.state.futures;
    const account = accounts.find(userId, this.context.backend.state.assetByCcy.get(ccy)?.id ?? -1);
    if (account === NONE) return [];
    return [...positionsOf(this.context.backend.state, account)].filter((slot) =>
      positionId === null ? !positions.isIsolated(slot) : positions.positionId(slot) === positionId,
    );
  }

  applied(): void {
    for (const [positionId, changed] of this.#changed) this.#tell(positionId, changed);
    this.#changed.clear();
  }

  #tell(positionId: number, { clients, userId, marketId, isAlert, last }: Changed): void {
    const { name } = this.context.printers.of(marketId).market;
    const slot = openSlot(this.context.backend.state, userId, marketId, positionId);
    if (slot !== NONE) {
      this.tell(clients, name, () => this.print(slot, isAlert));
    } else if (last !== undefined && last.finishedType !== "") {
      const ended = { ...last, finishedType: last.finishedType };
      this.tell(clients, name, () => this.printEnded(ended));
    }
  }

  /** An open position. */
  protected print(slot: number, isAlert: boolean): string {
    const { state } = this.context.backend;
    const { positions } = state.futures;
    const record = positionOf(state, this.context.printers, this.levels, slot);
    const prices = { firstPrice: positions.firstPrice(slot), latestPrice: positions.latestPrice(slot) };
    const fields = JSON.stringify(this.#fieldsOf(record, prices, positions.marketId(slot)));
    return `{"event":"${isAlert ? "alert" : "update"}","position":${fields}}`;
  }

  /** One that has ended, by its last event. */
  protected printEnded(last: EndingEvent): string {
    const record = finishedPositionOf(this.context.printers, endOf(this.context.printers, last));
    const fields = JSON.stringify(this.#fieldsOf(record, last, last.marketId));
    return `{"event":"${ENDED_AS[last.finishedType] ?? "close"}","position":${fields}}`;
  }

  /** A Position of the sockets, which spells some fields otherwise than that of HTTP. */
  #fieldsOf(record: Position | FinishedPosition, { firstPrice, latestPrice }: Prices, marketId: number) {
    const printer = this.context.printers.of(marketId);
    return {
      position_id: record.position_id,
      market: record.market,
      side: record.side,
      margin_mode: record.margin_mode,
      open_interest: record.open_interest,
      close_avbl: record.close_avbl,
      ath_position_amount: record.ath_position_amount,
      unrealized_pnl: record.unrealized_pnl,
      realized_pnl: record.realized_pnl,
      avg_entry_price: record.avg_entry_price,
      cml_position_value: record.cml_position_value,
      max_position_value: record.max_position_value,
      take_profit_price: record.take_profit_price || "0",
      stop_loss_price: record.stop_loss_price || "0",
      take_profit_type: record.take_profit_type,
      stop_loss_type: record.stop_loss_type,
      leverage: record.leverage,
      margin_avbl: record.margin_avbl,
      ath_margin_size: record.ath_margin_size,
      position_margin_rate: record.position_margin_rate,
      maintenance_margin_rate: record.maintenance_margin_rate,
      maintenance_margin_value: record.maintenance_margin_value,
      liq_price: record.liq_price,
      bkr_price: record.bkr_price,
      adl_level: record.adl_level,
      settle_price: record.settle_price,
      settle_val: record.settle_value,
      first_filled_price: printer.price(firstPrice),
      latest_filled_price: printer.price(latestPrice),
      created_at: record.created_at,
      updated_at: record.updated_at,
    };
  }
}

/** How a position ended, with what it closed last. */
function endOf(printers: Printers, last: EndingEvent) {
  // What was closed cost so much at its last settlement.
  const settleCost = last.value - signOf(printers.of(last.marketId).terms, last.isShort) * last.pnl;
  return { ...last, amount: last.lots, entryCost: last.entered, settleCost };
}
