import type { Command } from "../../../src/engine/command.ts";
import type { Refusal } from "../../../src/engine/refusal.ts";
import { cancelAll, cancelByClientId, cancelOne, modify } from "./changing.ts";
import { type ModelDeduction, setFeeDeduction } from "./fees.ts";
import { setIndexPrices, tickIndexes } from "./index-price.ts";
import { changeMarket, listAsset, listMarket } from "./listing.ts";
import { adjust, changeUser, createUser, deleteFeeLevel, deposit, setFeeLevel } from "./people.ts";
import { placeOrder } from "./placing.ts";
import type {
  ModelAsset,
  ModelBalance,
  ModelEvent,
  ModelMarket,
  ModelOrder,
  ModelOutcome,
  ModelStop,
  ModelUser,
  ModelWindow,
} from "./records.ts";
import { cancelStop, cancelStopsByClientId, fireStops, modifyStop, placeStop } from "./stopping.ts";
import { openWaiting, runDue } from "./timing.ts";
import { cancelWindow, planWindow } from "./windows.ts";

/**
 * The whole spot venue once more, written from docs/domain.md with arrays and loops and without a thought of speed, to be
 * compared with the engine command by command. It shares nothing with the engine but the words of commands and refusals.
 */
export class ModelVenue {
  timeMs = 0;
  nextOrderId = 1;
  nextDealId = 1;
  nextStopId = 1;
  nextDepositId = 1;
  nextWindowId = 1;
  nextPrio = 1;
  cancelOnly = false;
  readonly users: ModelUser[] = [];
  readonly levels = new Map<string, { maker: bigint; taker: bigint }>();
  readonly assets: ModelAsset[] = [];
  readonly markets: ModelMarket[] = [];
  windows: ModelWindow[] = [];
  readonly deduction: ModelDeduction = { ccy: "DSC", discount: 20_000_000n, charged: undefined };
  /** By user and asset. */
  readonly balances: ModelBalance[][] = [];
  /** Units by asset: what the venue took in fees, what it holds in the cells that can be funded, what came in. */
  readonly fees: bigint[] = [];
  readonly funded = new Map<string, bigint[]>();
  readonly custody: bigint[] = [];
  /** Waiting stop orders by ascending id. */
  stops: ModelStop[] = [];
  /** Balances that the last command changed or looked at. */
  readonly touched = new Set<ModelBalance>();
  /** The outcome under way. */
  outcome: ModelOutcome = {
    refusal: undefined,
    order: undefined,
    stop: undefined,
    madeId: undefined,
    auctions: 0,
    events: [],
  };

  /** Domain 11.3: what is due, the command, the stop orders. */
  apply(command: Command, timeMs: number): ModelOutcome {
    this.timeMs = timeMs;
    this.touched.clear();
    this.outcome = {
      refusal: undefined,
      order: undefined,
      stop: undefined,
      madeId: undefined,
      auctions: 0,
      events: [],
    };
    runDue(this);
    this.outcome.refusal = this.execute(command);
    openWaiting(this);
    fireStops(this);
    return this.outcome;
  }

  private execute(command: Command): Refusal | undefined {
    if (isOfUser(command) && this.user(command.userId)?.frozen) return "account_frozen";
    switch (command.kind) {
      case "place_order":
        return placeOrder(this, command);
      case "modify_order":
        return modify(this, command);
      case "cancel_order":
        return cancelOne(this, command);
      case "cancel_all_orders":
        return cancelAll(this, command);
      case "cancel_by_client_id":
        return cancelByClientId(this, command);
      case "place_stop_order":
        return placeStop(this, command);
      case "modify_stop_order":
        return modifyStop(this, command);
      case "cancel_stop_order":
        return cancelStop(this, command);
      case "cancel_stop_by_client_id":
        return cancelStopsByClientId(this, command);
      case "tick":
        return tickIndexes(this);
      case "list_asset":
        return listAsset(this, command);
      case "list_market":
        return listMarket(this, command);
      case "change_market":
        return changeMarket(this, command);
      case "create_user":
        return createUser(this, command);
      case "change_user":
        return changeUser(this, command);
      case "set_fee_level":
        return setFeeLevel(this, command);
      case "delete_fee_level":
        return deleteFeeLevel(this, command);
      case "set_fee_deduction":
        return setFeeDeduction(this, command);
      case "deposit":
        return deposit(this, command);
      case "adjust_balance":
        return adjust(this, command);
      case "set_index_prices":
        return setIndexPrices(this, command);
      case "set_cancel_only":
        this.cancelOnly = command.cancelOnly;
        return undefined;
      case "plan_maintenance":
        return planWindow(this, command);
      case "cancel_maintenance":
        return cancelWindow(this, command);
      default:
        throw new Error(`The model knows no ${command.kind}.`);
    }
  }

  user(userId: number): ModelUser | undefined {
    return this.users[userId - 1];
  }

  /** A market that is listed now, by its id. */
  listed(marketId: number): ModelMarket | undefined {
    const market = this.markets[marketId];
    return market === undefined || market.delisted ? undefined : market;
  }

  listedByName(name: string): ModelMarket | undefined {
    return this.markets.find((market) => market.name === name && !market.delisted);
  }

  balance(userId: number, assetId: number): ModelBalance {
    this.balances[userId] ??= [];
    const row = this.balances[userId] as ModelBalance[];
    row[assetId] ??= { userId, assetId, available: 0n, frozen: 0n };
    const balance = row[assetId] as ModelBalance;
    this.touched.add(balance);
    return balance;
  }

  addFee(assetId: number, units: bigint): void {
    this.fees[assetId] = (this.fees[assetId] ?? 0n) + units;
  }

  say(event: ModelEvent): void {
    this.outcome.events.push(event);
  }

  /** Tells of an order as it stands now. */
  tell(event: "put" | "update" | "modify" | "finish", order: ModelOrder): ModelOrder {
    const copy = { ...order };
    this.say({ kind: "order", event, order: copy });
    return copy;
  }
}

/** Whether a user sent it, and not an operator or the clock. */
function isOfUser(command: Command): command is Extract<Command, { readonly account?: unknown }> & { userId: number } {
  return /_order|_stop|by_client_id/.test(command.kind);
}
