/** Commands of the log in words: amounts as decimals, markets and users by name. */
import {
  type ClosePosition,
  type Command,
  type JsonCommand,
  type ModifyOrder,
  type ModifyStopOrder,
  OFF_GRID,
  type PlaceOrder,
  type PlaceStopOrder,
  TOO_LARGE,
} from "../engine/command.ts";
import { wordsOf } from "../engine/command-schema.ts";
import { schemaOf } from "../engine/json-command.ts";
import type { Market } from "../engine/listing/market.ts";
import { formatDecimal } from "../engine/money/decimal.ts";
import type { State } from "../engine/state.ts";
import { readStop } from "../engine/stops/emit-stop.ts";
import { NONE } from "../engine/trading/order.ts";

/** Who asked for a command. */
export function whoText(state: State, command: Command): string {
  if (command.kind === "tick") return "clock";
  if (command.kind === "begin_epoch") return "venue";
  if (!isOrderCommand(command)) return command.actor ?? "unknown";
  return `user ${command.userId} ${state.users.get(command.userId)?.name ?? ""}`.trimEnd();
}

/** Returns in words what a command asks for. */
export function whatText(state: State, command: Command): string {
  switch (command.kind) {
    case "place_order":
      return placeText(state, command);
    case "modify_order":
      return modifyText(state, command);
    case "cancel_order":
      return `cancel order ${command.orderId} in ${marketText(state, command.marketId)}`;
    case "cancel_all_orders":
      return (
        "cancel all orders in " +
        `${marketText(state, command.marketId)}${command.side === undefined ? "" : `, ${command.side}`}`
      );
    case "cancel_by_client_id": {
      const where = command.marketId === undefined ? "every market" : marketText(state, command.marketId);
      return `cancel orders with client_id ${command.clientId} in ${where}`;
    }
    case "place_stop_order":
      return placeText(state, command);
    case "modify_stop_order":
      return modifyText(state, command);
    case "cancel_stop_order":
      return `cancel stop order ${command.stopId} in ${marketText(state, command.marketId)}`;
    case "cancel_stop_by_client_id": {
      const where = command.marketId === undefined ? "every market" : marketText(state, command.marketId);
      return `cancel stop orders with client_id ${command.clientId} in ${where}`;
    }
    case "close_position":
      return closeText(state, command);
    case "tick":
      return "tick";
    case "begin_epoch":
      return (
        `begin epoch: rules version ${command.rulesVersion}, state hash ${command.before.hash} before, ` +
        `${command.after.hash} after`
      );
    default:
      return jsonText(command);
  }
}

type OrderCommand = Exclude<Command, JsonCommand | { kind: "tick" | "begin_epoch" }>;

function isOrderCommand(command: Command): command is OrderCommand {
  return "userId" in command && "marketId" in command;
}

function placeText(state: State, command: PlaceOrder | PlaceStopOrder): string {
  const { marketId, side, type, amountIn, amount, price, account, hidden, stpMode, clientId } = command;
  const market = state.markets[marketId];
  const ccyOf = (assetId: number | undefined) => state.assets[assetId ?? -1]?.ccy ?? "?";
  const quoteScale = state.assets[market?.quoteAssetId ?? -1]?.scale;
  const quantity =
    amountIn === "base"
      ? `${numberText(amount, market?.amountPrecision)} ${ccyOf(market?.baseAssetId)}`
      : `for ${numberText(amount, quoteScale)} ${ccyOf(market?.quoteAssetId)}`;
  const traits = [
    type === "market" ? "" : `at ${numberText(price, market?.pricePrecision)}`,
    command.kind === "place_stop_order" ? onceText(command, market?.pricePrecision) : "",
    `in ${marketText(state, marketId)}`,
    account === "spot" ? "" : account,
    command.positionSide ?? "",
    hidden ? "hidden" : "",
    stpMode === "none" ? "" : `stp_mode ${stpMode}`,
    clientId === "" ? "" : `client_id ${clientId}`,
  ];
  return `${side} ${type} ${quantity} ${traits.filter((trait) => trait !== "").join(" ")}`;
}

function onceText({ trigger, triggerType = "latest_price" }: PlaceStopOrder, precision: number | undefined): string {
  const at = `once at ${numberText(trigger, precision)}`;
  return triggerType === "latest_price" ? at : `${at} by ${triggerType}`;
}

function closeText(state: State, command: ClosePosition): string {
  const { marketId, type, amount, price, positionSide, hidden, stpMode, clientId } = command;
  const market = state.markets[marketId];
  const traits = [
    amount === undefined ? "whole" : numberText(amount, market?.amountPrecision),
    positionSide ?? "",
    `position in ${marketText(state, marketId)}`,
    type === "market" ? type : `${type} at ${numberText(price, market?.pricePrecision)}`,
    hidden ? "hidden" : "",
    stpMode === "none" ? "" : `stp_mode ${stpMode}`,
    clientId === "" ? "" : `client_id ${clientId}`,
  ];
  return `close ${traits.filter((trait) => trait !== "").join(" ")}`;
}

function modifyText(state: State, command: ModifyOrder | ModifyStopOrder): string {
  const { marketId, amount, price } = command;
  const market = state.markets[marketId];
  const isStop = command.kind === "modify_stop_order";
  const trigger = isStop ? command.trigger : undefined;
  const scale = isStop ? stopScale(state, command) : market?.amountPrecision;
  const changes = [
    amount === undefined ? "" : `amount ${numberText(amount, scale)}`,
    price === undefined ? "" : `price ${numberText(price, market?.pricePrecision)}`,
    trigger === undefined ? "" : `trigger ${numberText(trigger, market?.pricePrecision)}`,
  ];
  const text = changes.filter((change) => change !== "").join(", ");
  const what = isStop ? `stop order ${command.stopId}` : `order ${command.orderId}`;
  return `modify ${what} in ${marketText(state, marketId)}: ${text === "" ? "nothing" : text}`;
}

/**
 * Decimals of a stop order's amount: the command does not say in which currency it is, the stop order does where it is
 * known.
 */
function stopScale(state: State, { marketId, stopId }: ModifyStopOrder): number | undefined {
  const slot = state.stops.find(stopId);
  const market = state.markets[marketId];
  if (slot === NONE || market === undefined) return undefined;
  const inQuote = readStop(state, slot).amountIn === "quote";
  return inQuote ? state.assets[market.quoteAssetId]?.scale : market.amountPrecision;
}

/** A command that was refused may hold any number. */
function timeText(timeMs: number): string {
  const time = new Date(timeMs);
  return Number.isNaN(time.getTime()) ? `${timeMs} ms` : time.toISOString();
}

function jsonText(command: JsonCommand): string {
  return wordsOf(schemaOf(command.kind), command, { time: timeText });
}

function marketText(state: State, marketId: number): string {
  return (state.markets[marketId] as Market | undefined)?.name ?? `market ${marketId}`;
}

/** Without its precision a number stays what the engine counts in. */
function numberText(value: bigint, precision: number | undefined): string {
  if (value === OFF_GRID) return "(off the grid)";
  if (value === TOO_LARGE) return "(too large)";
  return precision === undefined ? `${value} units` : formatDecimal(value, precision);
}
