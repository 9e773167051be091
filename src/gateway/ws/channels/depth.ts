import type { OrderEventName, OrderRecord, RareEvent } from "../../../engine/event.ts";
import type { Market } from "../../../engine/listing/market.ts";
import type { DepthRow, DepthView } from "../../../feeds/depth.ts";
import type { OwnHidden } from "../../../feeds/own-hidden.ts";
import type { Params } from "../../request/validate.ts";
import type { Channel, ChannelContext } from "../channel.ts";
import type { Client } from "../client.ts";
import type { SocketChannel } from "../contract.ts";
import { InitialSnapshots } from "../initial-snapshots.ts";
import type { Push } from "../push.ts";
import { isListable } from "../subscribers.ts";
import { changedRows } from "./depth-changes.ts";

interface Follower {
  readonly client: Client;
  readonly name: string;
  readonly limit: number;
  readonly interval: string;
  /** Whether every push is whole. */
  readonly isFull: boolean;
  /** Whether the market was not listed when it was named. */
  readonly isUnlisted: boolean;
  /** None until the market is listed. */
  topic: Topic | undefined;
  /** The book as it was pushed last; undefined before the first push, as when the market is not listed. */
  told: DepthView | undefined;
}

/** Everybody who follows a market that is or was listed with the same number of rows and the same interval. */
interface Topic {
  readonly key: string;
  readonly name: string;
  readonly limit: number;
  readonly interval: string;
  readonly followers: Set<Follower>;
  /** The market that had the name at the last look, -1 when it had left: a name may be listed anew. */
  marketId: number;
  /** When those who are sent changes get the whole book again; 0 before the first beat. */
  fullAt: number;
}

/**
 * The book, whole or as changes. A beat looks at the topics of which something may have changed, and at no other.
 * Changes are those from the book that a follower was sent last, so that anyone who came between two beats is right
 * from the start; followers who were sent the same share the push. Owners of hidden orders see these in their book, and
 * they alone.
 */
export class DepthChannel implements Channel {
  protected readonly context: ChannelContext;
  readonly #contract: SocketChannel;
  readonly #topics = new Map<string, Topic>();
  readonly #byMarket = new Map<number, Set<Topic>>();
  /** Topics to look at on the next beat. */
  readonly #due = new Set<Topic>();
  /** All that have had their first beat, in the order in which their next whole book is due. */
  readonly #byFullAt = new Set<Topic>();
  /** Whether markets have come or gone since the last beat. */
  #isRelisted = false;
  /** Who waits for a market to be listed, by its name. */
  readonly #unlisted = new Map<string, Set<Follower>>();
  /** By client, then by name of market: a market is followed in one way. */
  readonly #followers = new Map<Client, Map<string, Follower>>();
  readonly #initialSnapshots = new InitialSnapshots<Follower>((_client, follower) => this.#sendInitial(follower));
  /** Whole books as they were pushed, for anyone who comes while they stand, with what was told beside them. */
  readonly #full = new WeakMap<DepthView, { readonly beside: string; readonly push: Push }>();
  /** Changes pushed in the beat under way. */
  #changes = new Map<DepthView, Map<DepthView, Push>>();

  constructor(contract: SocketChannel, context: ChannelContext) {
    this.#contract = contract;
    this.context = context;
  }

  subscribe(client: Client, params: Params): void {
    for (const entry of params.market_list as readonly Params[]) {
      const { 0: name, 1: limit, 2: interval, 3: isFull } = entry as unknown as [string, number, string, boolean];
      this.#part(client, name);
      const isUnlisted = this.context.marketNamed(name) === undefined;
      if (isUnlisted && !isListable(name)) continue;
      const follower: Follower = {
        client,
        name,
        limit,
        interval,
        isFull,
        isUnlisted,
        topic: undefined,
        told: undefined,
      };
      client.count(1, isUnlisted ? 1 : 0);
      const followers = this.#followers.get(client);
      if (followers === undefined) this.#followers.set(client, new Map([[name, follower]]));
      else followers.set(name, follower);
      if (isUnlisted) {
        this.#await(follower);
      } else {
        this.#enter(follower);
        this.#initialSnapshots.add(client, follower);
      }
    }
  }

  followed(client: Client): number {
    return this.#followers.get(client)?.size ?? 0;
  }

  unlistedIn(client: Client, params: Params, isJoining: boolean): number {
    if (!isJoining) return 0;
    const kept = this.#followers.get(client);
    const names = (params.market_list as readonly Params[]).map((entry) => (entry as unknown as [string])[0]);
    return names.filter((name) => {
      return this.context.marketNamed(name) === undefined && isListable(name) && kept?.has(name) !== true;
    }).length;
  }

  #sendInitial(follower: Follower): void {
    const { client, topic } = follower;
    const market = this.context.marketNamed(follower.name);
    if (market === undefined || topic === undefined) return;
    const view = this.#viewOf(topic, market, this.#hiddenOf(client, market));
    this.#tell(follower, market, view, this.beside(market), false);
  }

  unsubscribe(client: Client, params: Params): void {
    const names = params.market_list as readonly string[];
    if (names.length === 0) this.leave(client);
    else for (const name of names) this.#part(client, name);
  }

  leave(client: Client): void {
    for (const name of [...(this.#followers.get(client)?.keys() ?? [])]) this.#part(client, name);
  }

  /** Somebody has logged in or out and may see another book now. */
  lookAgain(client: Client): void {
    for (const { topic } of this.#followers.get(client)?.values() ?? []) if (topic !== undefined) this.#due.add(topic);
  }

  applied(touched: readonly number[]): void {
    if (this.#byMarket.size === 0) return;
    for (const marketId of touched) this.#touch(marketId);
  }

  /** Its owner sees a hidden order, of which the displayed book knows nothing. */
  order(_clients: readonly Client[], _event: OrderEventName, { hidden, marketId }: OrderRecord): void {
    if (hidden) this.#touch(marketId);
  }

  happened({ type }: RareEvent): void {
    if (type === "market_listed" || type === "market_changed") this.#isRelisted = true;
  }

  beat(nowMs: number): void {
    if (this.#isRelisted) this.#lookAtListings();
    for (const topic of this.#byFullAt) {
      if (nowMs < topic.fullAt) break;
      this.#due.add(topic);
    }
    for (const topic of this.#due) this.#beatTopic(topic, nowMs);
    this.#due.clear();
    if (this.#changes.size > 0) this.#changes = new Map();
  }

  #touch(marketId: number): void {
    for (const topic of this.#byMarket.get(marketId) ?? []) this.#due.add(topic);
  }

  #lookAtListings(): void {
    this.#isRelisted = false;
    for (const topic of this.#topics.values()) this.#due.add(topic);
    for (const [name, followers] of this.#unlisted) {
      if (this.context.marketNamed(name) === undefined) continue;
      this.#unlisted.delete(name);
      for (const follower of followers) this.#enter(follower);
    }
  }

  #beatTopic(topic: Topic, nowMs: number): void {
    const market = this.context.marketNamed(topic.name);
    if (market === undefined) {
      if (topic.marketId >= 0) this.#tellGone(topic);
      return;
    }
    if (topic.marketId !== market.id) {
      this.#place(topic, market.id);
      for (const follower of topic.followers) follower.told = undefined;
    }
    const isFullDue = nowMs >= topic.fullAt;
    // The first beat of a topic only sets its time: its followers have just been sent the whole book.
    const sendsFull = isFullDue && topic.fullAt > 0;
    if (isFullDue) {
      topic.fullAt = nowMs + (this.#contract.full_every_ms as number);
      this.#byFullAt.delete(topic);
      this.#byFullAt.add(topic);
    }
    const seenByAll = this.#viewOf(topic, market);
    const beside = this.beside(market);
    for (const follower of topic.followers) {
      if (this.#initialSnapshots.awaits(follower.client, follower)) continue;
      const hidden = this.#hiddenOf(follower.client, market);
      const view = hidden === undefined ? seenByAll : this.#viewOf(topic, market, hidden);
      this.#tell(follower, market, view, beside, sendsFull && !follower.isFull);
    }
  }

  /** The market has left the list, and its orders with it: what is left of the book is told once. */
  #tellGone(topic: Topic): void {
    const market = this.context.backend.state.markets[topic.marketId] as Market;
    this.#place(topic, -1);
    this.#byFullAt.delete(topic);
    const view = this.#viewOf(topic, market);
    const beside = this.beside(market);
    for (const follower of topic.followers) {
      if (follower.told !== undefined) this.#tell(follower, market, view, beside, false);
    }
  }

  /** Sends a follower how the book has become, when it is not what it was sent last or when it is to be sent whole. */
  #tell(follower: Follower, market: Market, view: DepthView, beside: string, isFullDue: boolean): void {
    const { client, told, isFull } = follower;
    follower.told = view;
    if (told === undefined || isFullDue) client.send(this.#fullPush(market, view, beside));
    else if (told === view || told.json === view.json) return;
    else if (isFull) client.send(this.#fullPush(market, view, beside));
    else client.send(this.#changesPush(market, told, view, beside));
  }

  #hiddenOf({ key }: Client, { id }: Market): OwnHidden | undefined {
    return key === undefined ? undefined : this.context.hidden.of(key.userId, id);
  }

  #viewOf({ limit, interval }: Topic, { id }: Market, hidden?: OwnHidden): DepthView {
    return this.context.backend.feeds.depth(id, limit, interval, hidden);
  }

  /** A deal that nobody can see in the book changes what is told beside it alone. */
  #fullPush(market: Market, view: DepthView, beside: string): Push {
    const known = this.#full.get(view);
    if (known?.beside === beside) return known.push;
    const push = this.#update(market, true, view.json, view, beside);
    this.#full.set(view, { beside, push });
    return push;
  }

  #changesPush(market: Market, from: DepthView, to: DepthView, beside: string): Push {
    let byView = this.#changes.get(to);
    if (byView === undefined) {
      byView = new Map();
      this.#changes.set(to, byView);
    }
    let push = byView.get(from);
    if (push === undefined) {
      const rows = (before: readonly DepthRow[], after: readonly DepthRow[], isAscending: boolean) =>
        JSON.stringify(changedRows(before, after, isAscending));
      const json = `"asks":${rows(from.asks, to.asks, true)},"bids":${rows(from.bids, to.bids, false)}`;
      push = this.#update(market, false, json, to, beside);
      byView.set(from, push);
    }
    return push;
  }

  #update(market: Market, isFull: boolean, rows: string, view: DepthView, beside: string): Push {
    return this.context.push(
      this.#contract.update.method,
      this.print(market, isFull, `${rows},${beside}`, view),
      false,
    );
  }

  /** Members of a depth that do not come from the book: the latest price. */
  protected beside({ id }: Market): string {
    const { backend, printers } = this.context;
    return `"last":"${printers.of(id).priceOrNothing(backend.feeds.lastPrice(id))}"`;
  }

  /** Returns the data of a push; `members` are those of the depth except time and checksum. */
  protected print({ name }: Market, isFull: boolean, members: string, { updatedAt, checksum }: DepthView): string {
    return (
      `{"market":"${name}","is_full":${isFull},` +
      `"depth":{${members},"updated_at":${updatedAt},"checksum":${checksum}}}`
    );
  }

  /** Adds a follower of a newly listed market to its topic. */
  #enter(follower: Follower): void {
    const { name, limit, interval } = follower;
    const key = `${name} ${limit} ${interval}`;
    let topic = this.#topics.get(key);
    if (topic === undefined) {
      topic = { key, name, limit, interval, followers: new Set(), marketId: -1, fullAt: 0 };
      this.#topics.set(key, topic);
      this.#place(topic, (this.context.marketNamed(name) as Market).id);
    }
    topic.followers.add(follower);
    follower.topic = topic;
    this.#due.add(topic);
  }

  #await(follower: Follower): void {
    const others = this.#unlisted.get(follower.name);
    if (others === undefined) this.#unlisted.set(follower.name, new Set([follower]));
    else others.add(follower);
  }

  /** Notes which market a topic is of from now on; -1: of none. */
  #place(topic: Topic, marketId: number): void {
    const before = this.#byMarket.get(topic.marketId);
    before?.delete(topic);
    if (before?.size === 0) this.#byMarket.delete(topic.marketId);
    topic.marketId = marketId;
    if (marketId < 0) return;
    const others = this.#byMarket.get(marketId);
    if (others === undefined) this.#byMarket.set(marketId, new Set([topic]));
    else others.add(topic);
  }

  #part(client: Client, name: string): void {
    const followers = this.#followers.get(client);
    const follower = followers?.get(name);
    if (followers === undefined || follower === undefined) return;
    followers.delete(name);
    if (followers.size === 0) this.#followers.delete(client);
    client.count(-1, follower.isUnlisted ? -1 : 0);
    this.#initialSnapshots.drop(client, follower);
    const { topic } = follower;
    if (topic === undefined) this.#forget(follower);
    else this.#leave(topic, follower);
  }

  #forget(follower: Follower): void {
    const others = this.#unlisted.get(follower.name);
    others?.delete(follower);
    if (others?.size === 0) this.#unlisted.delete(follower.name);
  }

  #leave(topic: Topic, follower: Follower): void {
    topic.followers.delete(follower);
    if (topic.followers.size > 0) return;
    this.#place(topic, -1);
    this.#topics.delete(topic.key);
    this.#due.delete(topic);
    this.#byFullAt.delete(topic);
  }
}
