import assert from "node:assert/strict";
import { EventAudit } from "../../src/engine/audit/event-audit.ts";
import type { Command, ModifyOrder, PlaceOrder, Stamp } from "../../src/engine/command.ts";
import { type Engine, refusalIn } from "../../src/engine/engine.ts";
import {
  type DealEvent,
  decodeEvents,
  decodeOrder,
  type EngineEvent,
  type OrderRecord,
} from "../../src/engine/event.ts";
import { checkInvariants } from "../../src/engine/invariants.ts";
import type { Asset } from "../../src/engine/listing/asset.ts";
import type { ChangeMarket, ListMarket } from "../../src/engine/listing/command-schemas.ts";
import type { Market } from "../../src/engine/listing/market.ts";
import { formatDecimal, parseSignedDecimal } from "../../src/engine/money/decimal.ts";
import type { Refusal } from "../../src/engine/refusal.ts";
import { RULES_VERSION } from "../../src/engine/rules-version.ts";
import { loadSnapshot, takeSnapshot } from "../../src/engine/snapshot.ts";
import type { BookMaker } from "../../src/engine/state.ts";
import type { AdjustBalance, Deposit } from "../../src/engine/wallet/command-schemas.ts";
import { checkedEngine } from "./checked-scratch.ts";
import { parseModify, parseOrder } from "./order-text.ts";

/** What a command came to, read out before the next one overwrites it. */
export interface Done {
  /** Undefined: accepted. */
  readonly refusal: Refusal | undefined;
  readonly detail: string | undefined;
  readonly result: unknown;
  readonly events: readonly EngineEvent[];
  /** The order that the command concerns, as its last event told it. */
  readonly order: OrderRecord | undefined;
  readonly deals: readonly DealEvent[];
}

/** The orders that a command ended, as they stood then. */
export function endedOrders({ events }: Pick<Done, "events">): OrderRecord[] {
  return events.flatMap((event) => (event.kind === "order" && event.event === "finish" ? [event.order] : []));
}

/** Their ids. */
export function endedIds(done: Pick<Done, "events">): number[] {
  return endedOrders(done).map(({ orderId }) => orderId);
}

/**
 * An engine that people can talk to in decimals, and that is looked at after every command: invariants, events against
 * the state, and that a refused command left no trace. What it was told can be told to a second engine.
 */
export class Venue {
  readonly engine: Engine;
  /** Every command so far with its stamp. */
  readonly log: { readonly command: Command; readonly stamp: Stamp }[] = [];
  /** Units of each asset that came in by deposits, and by adjustments against the outside world. */
  readonly deposited = new Map<number, bigint>();
  timeMs = 1_000;
  private audit: EventAudit;
  private last: Uint8Array[];
  private readonly rulesVersion: number;

  /** `rulesVersion`: the rules that hold, by default the newest. */
  constructor(makeBook?: BookMaker, rulesVersion = RULES_VERSION) {
    this.engine = checkedEngine(makeBook);
    this.rulesVersion = rulesVersion;
    this.state.rulesVersion = rulesVersion;
    this.audit = new EventAudit(this.engine.state, true);
    this.last = takeSnapshot(this.engine.state);
  }

  get state() {
    return this.engine.state;
  }

  /** Applies a command and checks everything that must hold after any command. */
  execute(command: Command): Done {
    const { engine, state } = this;
    const stamp = { seq: state.seq + 1, timeMs: this.timeMs };
    const isQuiet = state.nextDueMs > this.timeMs;
    this.log.push({ command, stamp });
    engine.events.clear();
    const outcome = engine.execute(command, stamp);
    const { from, to, orderEvent, detail, result } = outcome;
    const refusal = refusalIn(outcome);
    const breaches = [...this.audit.check(engine.events, from, to), ...this.audit.compare(), ...checkInvariants(state)];
    assert.deepEqual(breaches, [], `after ${describe(command)}`);
    const before = this.last;
    this.last = takeSnapshot(state);
    if (refusal !== undefined && isQuiet) {
      assert.equal(to, from, `${refusal}, and yet something happened: ${describe(command)}`);
      assert.deepEqual(this.last, before, `${refusal}, and yet the state changed: ${describe(command)}`);
    }
    const events = [...decodeEvents(engine.events, from, to)];
    if (refusal === undefined && (command.kind === "deposit" || isFromOutside(command))) this.countFunds(command);
    const order = orderEvent < 0 ? undefined : decodeOrder(engine.events, orderEvent);
    const deals = events.filter((event) => event.kind === "deal");
    return { refusal, detail, result, events, order, deals };
  }

  private countFunds({ ccy, amount }: Deposit | AdjustBalance): void {
    const { id, scale } = this.assetNamed(ccy);
    this.deposited.set(id, (this.deposited.get(id) ?? 0n) + (parseSignedDecimal(amount, scale) ?? 0n));
  }

  /** As `execute`, for commands that must be accepted. */
  accept(command: Command): Done {
    const done = this.execute(command);
    assert.equal(done.refusal, undefined, `${describe(command)}: ${done.detail}`);
    return done;
  }

  /** Applies many commands that must be accepted and looks only once, at the end. */
  acceptAll(commands: Iterable<Command>): void {
    for (const command of commands) {
      const stamp = { seq: this.state.seq + 1, timeMs: this.timeMs };
      this.log.push({ command, stamp });
      this.engine.events.clear();
      assert.equal(this.engine.execute(command, stamp).refusal, 0, describe(command));
    }
    this.engine.events.clear();
    this.audit = new EventAudit(this.state, true);
    this.last = takeSnapshot(this.state);
    assert.deepEqual(checkInvariants(this.state), []);
  }

  wait(ms: number): Done {
    this.timeMs += ms;
    return this.accept({ kind: "tick" });
  }

  listAsset(ccy: string, scale = 8, maxUnits?: string): void {
    this.accept({ kind: "list_asset", ccy, scale, maxUnits });
  }

  /** Lists a market like BTCUSDT of the worked examples unless told otherwise. Both currencies must be listed. */
  listMarket(baseCcy: string, quoteCcy: string, settings: Partial<ListMarket> = {}): void {
    this.accept({ ...marketOf(baseCcy, quoteCcy), ...settings });
  }

  changeMarket(market: string, change: Omit<ChangeMarket, "kind" | "market">): void {
    this.accept({ kind: "change_market", market, ...change });
  }

  /** Makes a user who owns what is given, as { USDT: "100" }. Returns the id. */
  addUser(name: string, funds: Readonly<Record<string, string>> = {}): number {
    const { userId } = this.accept({ kind: "create_user", name }).result as { userId: number };
    for (const [ccy, amount] of Object.entries(funds)) this.deposit(userId, ccy, amount);
    return userId;
  }

  /** Gives the index of a spot market, from one source. */
  spotIndex(price: string, market = "BTCUSDT"): Done {
    return this.accept({ kind: "set_index_prices", market, sources: [{ exchange: "one", price }] });
  }

  deposit(userId: number, ccy: string, amount: string): void {
    this.accept({ kind: "deposit", userId, ccy, amount, note: "" });
  }

  /** Places an order written as in order-text.ts. */
  place(userId: number, text: string, market = "BTCUSDT"): Done {
    return this.execute(this.orderOf(userId, text, market));
  }

  /** As `place`, for an order that must be accepted; returns it. */
  put(userId: number, text: string, market = "BTCUSDT"): OrderRecord {
    const done = this.accept(this.orderOf(userId, text, market));
    assert.ok(done.order);
    return done.order;
  }

  orderOf(userId: number, text: string, market = "BTCUSDT"): PlaceOrder {
    return parseOrder(this.marketNamed(market), this.state.assets, userId, text);
  }

  /** Modifies as `amount 0.5`, `price 30000`, `amount 0.5 price 30000`. */
  modify(userId: number, orderId: number, text: string, more: Partial<ModifyOrder> & { market?: string } = {}): Done {
    const { market: name = "BTCUSDT", ...given } = more;
    const market = this.marketNamed(name);
    return this.execute({ ...parseModify(market, text), userId, marketId: market.id, orderId, ...given });
  }

  cancel(userId: number, orderId: number, market = "BTCUSDT"): Done {
    return this.execute({ kind: "cancel_order", userId, marketId: this.marketNamed(market).id, orderId });
  }

  /** What a user has as "available + frozen", e.g. "10.00000000 + 0.50000000". */
  balance(userId: number, ccy: string): string {
    const asset = this.assetNamed(ccy);
    const cell = this.state.ledger.findSpotCell(userId, asset.id);
    const show = (units: bigint) => formatDecimal(units, asset.scale);
    return cell < 0
      ? `${show(0n)} + ${show(0n)}`
      : `${show(this.state.ledger.available(cell))} + ${show(this.state.ledger.frozen(cell))}`;
  }

  /** What the venue has taken in fees. */
  fees(ccy: string): string {
    const asset = this.assetNamed(ccy);
    return formatDecimal(this.state.ledger.available(this.state.ledger.venueCell(2, asset.id)), asset.scale);
  }

  /** The displayed levels of one side, best first, as "0.5 @ 30000.00". */
  levels(side: "buy" | "sell", market = "BTCUSDT"): string[] {
    const { id, amountPrecision, pricePrecision } = this.marketNamed(market);
    const levels = this.state.books[id]?.levels(side === "buy" ? 0 : 1) ?? [];
    return [...levels].map(
      ({ price, lots }) => `${trimmed(formatDecimal(lots, amountPrecision))} @ ${formatDecimal(price, pricePrecision)}`,
    );
  }

  /** A deal as "0.2 @ 30000.00". */
  dealText(deal: DealEvent): string {
    const { amountPrecision, pricePrecision } = this.state.markets[deal.marketId] as Market;
    return `${trimmed(formatDecimal(deal.lots, amountPrecision))} @ ${formatDecimal(deal.price, pricePrecision)}`;
  }

  marketNamed(name: string): Market {
    const market = this.state.markets.findLast((candidate) => candidate.name === name);
    assert.ok(market, `There is no market ${name}.`);
    return market;
  }

  assetNamed(ccy: string): Asset {
    const asset = this.state.assetByCcy.get(ccy);
    assert.ok(asset, `There is no asset ${ccy}.`);
    return asset;
  }

  /**
   * Whether two other engines come to the same: one told the same commands, one restored from a snapshot of the first
   * after `cut` commands and told the rest.
   */
  assertRepeatable(cut = this.log.length >> 1, makeBook?: BookMaker): void {
    const twin = checkedEngine(makeBook);
    const heir = checkedEngine(makeBook);
    twin.state.rulesVersion = this.rulesVersion;
    this.log.forEach(({ command, stamp }, at) => {
      if (at === cut) loadSnapshot(heir.state, takeSnapshot(twin.state), twin.state.seq, twin.state.timeMs);
      twin.events.clear();
      heir.events.clear();
      twin.execute(command, stamp);
      if (at < cut) return;
      heir.execute(command, stamp);
      assert.deepEqual(
        heir.events.copy(),
        twin.events.copy(),
        `The restored engine emits otherwise: ${describe(command)}`,
      );
    });
    assert.deepEqual(takeSnapshot(twin.state), this.last);
    if (cut < this.log.length) assert.deepEqual(takeSnapshot(heir.state), this.last);
    assert.deepEqual(checkInvariants(cut < this.log.length ? heir.state : twin.state), []);
  }
}

/** A venue with BTCUSDT of the worked examples: prices of 2, amounts of 6 decimals, fees of 0.1 and 0.2 %. */
export function bitcoinVenue(makeBook?: BookMaker): Venue {
  const venue = new Venue(makeBook);
  venue.listAsset("BTC");
  venue.listAsset("USDT");
  venue.listMarket("BTC", "USDT");
  return venue;
}

/** With two users who have money, and alice's two orders beside bob's. */
export function tradingVenue(): Venue {
  const venue = bitcoinVenue();
  for (const name of ["alice", "bob"]) venue.addUser(name, { BTC: "10", USDT: "1000000" });
  venue.put(1, "buy 1 @ 100");
  venue.put(1, "sell 1 @ 200");
  venue.put(2, "buy 1 @ 99");
  return venue;
}

export function marketOf(baseCcy: string, quoteCcy: string): ListMarket {
  return {
    kind: "list_market",
    market: baseCcy + quoteCcy,
    baseCcy,
    quoteCcy,
    amountPrecision: 6,
    pricePrecision: 2,
    minAmount: "0.0001",
    makerFeeRate: "0.001",
    takerFeeRate: "0.002",
  };
}

function isFromOutside(command: Command): command is AdjustBalance {
  return command.kind === "adjust_balance" && command.cell === undefined;
}

/** A command for people: `JSON.stringify` knows no bigint. */
export function describe(command: Command): string {
  return JSON.stringify(command, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
}

/** Without trailing zeros, which say nothing about an amount. */
function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
