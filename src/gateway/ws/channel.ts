import type { OrderEventName, OrderRecord, RareEvent } from "../../engine/event.ts";
import type { PositionEvent } from "../../engine/futures/positions/position-event.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { StopEvent } from "../../engine/stops/stop-event.ts";
import type { OwnHiddenOrders } from "../../feeds/own-hidden.ts";
import type { OwnBalance, OwnDeal } from "../../feeds/private-feed.ts";
import type { Backend } from "../backend.ts";
import type { GatewayLog } from "../http/server.ts";
import type { Printers } from "../reading/market-printer.ts";
import type { Params } from "../request/validate.ts";
import type { Client } from "./client.ts";
import type { MarketKind, SocketChannel } from "./contract.ts";
import type { Push, PushForm } from "./push.ts";
import { Subscribers } from "./subscribers.ts";

/** The part of the venue's backend that the sockets use. */
export type SocketBackend = Pick<
  Backend,
  "state" | "feeds" | "now" | "history" | "timeStands" | "isBusy" | "submit" | "figuresOf"
>;

/** The services and data that the channels of one generation and one kind of market share. */
export interface ChannelContext {
  readonly kind: MarketKind;
  readonly backend: SocketBackend;
  readonly push: PushForm;
  /** Takes note of what failed after the turn in which it was asked for. */
  readonly log: GatewayLog;
  readonly printers: Printers;
  readonly hidden: OwnHiddenOrders;
  /** The connections of an account, as far as their keys are good. */
  clientsOf(userId: number): readonly Client[];
  /** A listed market of this kind. */
  marketNamed(name: string): Market | undefined;
  /** The listed markets of this kind. */
  markets(): readonly Market[];
}

/**
 * One channel: its followers by name, and the pushes to them. A subscription is answered before `subscribe` is called,
 * so that a push that is sent at once comes after the answer.
 */
export interface Channel {
  subscribe(client: Client, params: Params): void;
  unsubscribe(client: Client, params: Params): void;
  /** The client has gone, or may follow the channel no more. */
  leave(client: Client): void;
  /** How many names of a client it keeps. */
  followed(client: Client): number;
  /**
   * How many names that are not listed would be kept anew, if these parameters were subscribed to or unsubscribed from.
   */
  unlistedIn(client: Client, params: Params, isJoining: boolean): number;
  /** A group of commands has been applied which has changed the books or deals of these markets of its kind. */
  applied?(touched: readonly number[]): void;
  /** Sends the collected pushes; `nowMs` is a time that runs evenly. Called as often as the contract says. */
  beat?(nowMs: number): void;
  /** Something rare has happened, at the venue's time. Called before `applied`. */
  happened?(event: RareEvent, timeMs: number): void;
  /** The client has logged in or out and may see something else now. */
  lookAgain?(client: Client): void;

  // What happens to an account, and the connections that are logged in to it; see PrivateListener.
  order?(clients: readonly Client[], event: OrderEventName, order: OrderRecord, stopId: number): void;
  deal?(clients: readonly Client[], deal: OwnDeal): void;
  stop?(clients: readonly Client[], event: StopEvent): void;
  position?(clients: readonly Client[], event: PositionEvent): void;
  balances?(clients: readonly Client[], balances: readonly OwnBalance[]): void;
}

/**
 * A channel of the contract and what serves it, on the sockets of one kind of market or of both; a part brings its own.
 */
export interface ChannelDeclaration {
  readonly name: string;
  readonly markets: MarketKind | "both";
  readonly make: (contract: SocketChannel, context: ChannelContext) => Channel;
}

export function channel(
  name: string,
  markets: ChannelDeclaration["markets"],
  Made: new (contract: SocketChannel, context: ChannelContext) => Channel,
): ChannelDeclaration {
  return { name, markets, make: (contract, context) => new Made(contract, context) };
}

/** A channel that is followed by names, of markets or of currencies. */
export abstract class NamedChannel implements Channel {
  protected readonly subscribers: Subscribers;
  protected readonly contract: SocketChannel;
  protected readonly context: ChannelContext;
  readonly #listName: string;

  constructor(contract: SocketChannel, context: ChannelContext) {
    this.contract = contract;
    this.context = context;
    this.#listName = (contract.subscribe.params[0] as { name: string }).name;
    this.subscribers = new Subscribers(isListedIn(context, this.#listName));
  }

  subscribe(client: Client, params: Params): void {
    const names = params[this.#listName] as readonly unknown[];
    this.subscribers.join(client, names.map(String));
    this.sendInitial(client, names.map(String));
  }

  unsubscribe(client: Client, params: Params): void {
    this.subscribers.leave(client, (params[this.#listName] as readonly unknown[]).map(String));
  }

  leave(client: Client): void {
    this.subscribers.leave(client, []);
  }

  followed(client: Client): number {
    return this.subscribers.followed(client);
  }

  unlistedIn(client: Client, params: Params, isJoining: boolean): number {
    return this.subscribers.unlistedIn(client, (params[this.#listName] as readonly unknown[]).map(String), isJoining);
  }

  /** Sends what a new follower of these names is to know at once; an empty list: of everything. */
  protected sendInitial(_client: Client, _names: readonly string[]): void {}

  protected update(data: string): Push {
    return this.context.push(this.contract.update.method, data, false);
  }
}

/** A channel of what happens to accounts: told to those connections of the account that follow the name. */
export abstract class PrivateChannel extends NamedChannel {
  /** `print` gives the data of the push; it is asked once, and only when somebody follows. */
  protected tell(clients: Iterable<Client>, name: string, print: () => string): void {
    let push: Push | undefined;
    for (const client of clients) {
      if (!this.subscribers.follows(client, name)) continue;
      push ??= this.update(print());
      client.send(push);
    }
  }

  protected override update(data: string): Push {
    return this.context.push(this.contract.update.method, data, true);
  }
}

/** Whether a name in a list of the contract is one of something that there is. */
function isListedIn(context: ChannelContext, listName: string): (name: string) => boolean {
  if (listName === "market_list") return (name) => context.marketNamed(name) !== undefined;
  if (listName === "ccy_list") return (name) => context.backend.state.assetByCcy.has(name);
  // Other lists are of what the contract enumerates.
  return () => true;
}

/** The markets that a list names, those that there are; an empty list names all. */
export function marketsIn(context: ChannelContext, names: readonly string[]): readonly Market[] {
  if (names.length === 0) return context.markets();
  return [...new Set(names)].map((name) => context.marketNamed(name)).filter((market) => market !== undefined);
}
