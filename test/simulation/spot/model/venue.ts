import type { Command } from "../../../../src/engine/command.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { SPOT_PARTS } from "../../parts.ts";
import type { ModelDeduction } from "../accounts/fees.ts";
import type { SpotPart } from "../part.ts";
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

type Handler = (venue: ModelVenue, command: Command) => Refusal | undefined;

const OF_USERS = handlers(({ ofUsers }) => ofUsers);
const OF_VENUE = handlers(({ ofVenue }) => ofVenue);

function handlers(pick: (part: SpotPart) => object | undefined): Map<string, Handler> {
  return new Map(SPOT_PARTS.flatMap((part) => Object.entries(pick(part) ?? {})));
}

/**
 * The whole spot venue once more, written from docs/reference/domain.md with arrays and loops and without a thought of
 * speed, to be compared with the engine command by command. It shares nothing with the engine but the words of commands
 * and refusals.
 */
export class ModelVenue {
  timeMs = 0;
  nextOrderId = 1;
  nextDealId = 1;
  nextStopId = 1;
  nextDepositId = 1;
  nextWindowId = 1;
  nextPrio = 1;
  /**
   * When the command before this one came, and of the first tick of each second the same and the next priority number.
   */
  private beforeMs = 0;
  private ticks: { readonly second: number; readonly beforeMs: number; readonly nextPrio: number }[] = [];
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
    interruptions: 0,
    events: [],
  };

  /** Domain 11.3: what is due, the command, the stop orders. */
  apply(command: Command, timeMs: number): ModelOutcome {
    this.beforeMs = this.timeMs;
    this.timeMs = timeMs;
    this.touched.clear();
    this.outcome = {
      refusal: undefined,
      order: undefined,
      stop: undefined,
      madeId: undefined,
      auctions: 0,
      interruptions: 0,
      events: [],
    };
    for (const part of SPOT_PARTS) part.before?.(this);
    if (command.kind === "tick") this.noteTick();
    this.outcome.refusal = this.execute(command);
    for (const part of SPOT_PARTS) part.after?.(this);
    return this.outcome;
  }

  private execute(command: Command): Refusal | undefined {
    const ofUser = OF_USERS.get(command.kind);
    if (ofUser !== undefined && this.isFrozen((command as { userId: number }).userId)) return "account_frozen";
    const handler = ofUser ?? OF_VENUE.get(command.kind);
    if (handler === undefined) throw new Error(`The model knows no ${command.kind}.`);
    return handler(this, command);
  }

  private noteTick(): void {
    const second = Math.floor(this.timeMs / 1_000);
    if (second === this.ticks.at(-1)?.second) return;
    this.ticks.push({ second, beforeMs: this.beforeMs, nextPrio: this.nextPrio });
    this.ticks = this.ticks.slice(-20);
  }

  /**
   * Whether an order has rested for a second: nothing came in between, or it rested at a tick before which nothing came
   * for as long.
   */
  hasRested({ prio }: ModelOrder): boolean {
    const sinceMs = this.timeMs - 1_000;
    if (this.beforeMs <= sinceMs) return true;
    return prio < (this.ticks.findLast(({ beforeMs }) => beforeMs <= sinceMs)?.nextPrio ?? 0);
  }

  user(userId: number): ModelUser | undefined {
    return this.users[userId - 1];
  }

  /** By an operator, its main account, or an operator who froze that one. Domain 6.3. */
  isFrozen(userId: number): boolean {
    const user = this.user(userId);
    return user !== undefined && (user.frozen || user.frozenByMain || this.mainOf(user)?.frozen === true);
  }

  isBarred(userId: number): boolean {
    const user = this.user(userId);
    return user !== undefined && (user.barred || this.mainOf(user)?.barred === true);
  }

  private mainOf({ mainId }: ModelUser): ModelUser | undefined {
    return mainId === undefined ? undefined : this.user(mainId);
  }

  /** Makes a user; its id. */
  enterUser(name: string, mainId: number | undefined): number {
    const id = this.users.length + 1;
    const free = { frozen: false, frozenByMain: false, barred: false, deducts: false };
    const terms = { level: undefined, makerRate: undefined, takerRate: undefined };
    this.users.push({ id, name, mainId, ...free, ...terms });
    this.outcome.madeId = id;
    return id;
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

  report(event: ModelEvent): void {
    this.outcome.events.push(event);
  }

  /** Tells of an order as it stands now. */
  tell(event: "put" | "update" | "modify" | "finish", order: ModelOrder): ModelOrder {
    const copy = { ...order };
    this.report({ kind: "order", event, order: copy });
    for (const part of SPOT_PARTS) part.told?.(this, order, event === "finish");
    return copy;
  }
}
