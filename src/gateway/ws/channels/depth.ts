import type { Market } from "../../../engine/listing/market.ts";
import type { DepthRow, DepthView } from "../../../feeds/depth.ts";
import type { OwnHidden } from "../../../feeds/own-hidden.ts";
import type { Params } from "../../request/validate.ts";
import type { Channel, ChannelContext } from "../channel.ts";
import type { Client } from "../client.ts";
import type { SocketChannel } from "../contract.ts";
import { Greetings } from "../greetings.ts";
import { type Push, pushOf } from "../push.ts";
import { changedRows } from "./depth-changes.ts";

interface Follower {
  readonly client: Client;
  readonly topic: Topic;
  /** Whether every push is whole. */
  readonly isFull: boolean;
  /** The book as it was pushed last; undefined before the first push, as when the market is not listed. */
  told: DepthView | undefined;
}

/** Everybody who follows a market with the same number of rows and the same interval. */
interface Topic {
  readonly key: string;
  readonly name: string;
  readonly limit: number;
  readonly interval: string;
  readonly followers: Set<Follower>;
  /** The market that had the name at the last beat: a name may be listed anew. */
  marketId: number;
  /** Changes of the book and of hidden orders that have been pushed. */
  bookChanges: number;
  hiddenChanges: number;
  /** When those who are sent changes get the whole book again. */
  fullAt: number;
}

/**
 * The book, whole or as changes. Changes are those from the book that a follower was sent last, so that whoever came between
 * two beats is right from the start; followers who were sent the same share the push. Owners of hidden orders see these in
 * their book, and they alone.
 */
export class DepthChannel implements Channel {
  readonly #contract: SocketChannel;
  readonly #context: ChannelContext;
  readonly #topics = new Map<string, Topic>();
  /** By client, then by name of market: a market is followed in one way. */
  readonly #followers = new Map<Client, Map<string, Follower>>();
  readonly #greetings = new Greetings<Follower>((_client, follower) => this.#greet(follower));
  /** Whole books as they were pushed, for whoever comes while they stand. */
  readonly #full = new WeakMap<DepthView, { readonly last: bigint; readonly push: Push }>();
  /** Changes pushed in the beat under way. */
  #changes = new Map<DepthView, Map<DepthView, Push>>();

  constructor(contract: SocketChannel, context: ChannelContext) {
    this.#contract = contract;
    this.#context = context;
  }

  subscribe(client: Client, params: Params): void {
    for (const entry of params.market_list as readonly Params[]) {
      const { 0: name, 1: limit, 2: interval, 3: isFull } = entry as unknown as [string, number, string, boolean];
      this.#part(client, name);
      const topic = this.#topicOf(name, limit, interval);
      const follower: Follower = { client, topic, isFull, told: undefined };
      topic.followers.add(follower);
      client.subscriptions++;
      const followers = this.#followers.get(client);
      if (followers === undefined) this.#followers.set(client, new Map([[name, follower]]));
      else followers.set(name, follower);
      this.#greetings.add(client, follower);
    }
  }

  #greet(follower: Follower): void {
    const { client, topic } = follower;
    const market = this.#context.marketNamed(topic.name);
    if (market === undefined) return;
    this.#tell(follower, market, this.#viewOf(topic, market, this.#hiddenOf(client, market)), false);
  }

  unsubscribe(client: Client, params: Params): void {
    const names = params.market_list as readonly string[];
    if (names.length === 0) this.leave(client);
    else for (const name of names) this.#part(client, name);
  }

  leave(client: Client): void {
    for (const name of this.#followers.get(client)?.keys() ?? []) this.#part(client, name);
  }

  /** Somebody has logged in or out and may see another book now. */
  lookAgain(client: Client): void {
    for (const { topic } of this.#followers.get(client)?.values() ?? []) topic.hiddenChanges = -1;
  }

  beat(nowMs: number): void {
    for (const topic of this.#topics.values()) this.#beatTopic(topic, nowMs);
    if (this.#changes.size > 0) this.#changes = new Map();
  }

  #beatTopic(topic: Topic, nowMs: number): void {
    const market = this.#context.marketNamed(topic.name);
    if (market === undefined) {
      if (topic.marketId >= 0) this.#tellGone(topic);
      return;
    }
    if (topic.marketId !== market.id) {
      topic.marketId = market.id;
      for (const follower of topic.followers) if (topic.bookChanges >= 0) follower.told = undefined;
    }
    const bookChanges = this.#context.backend.feeds.depthChanges(market.id);
    const hiddenChanges = this.#context.hidden.changes;
    const isFullDue = nowMs >= topic.fullAt;
    if (!isFullDue && bookChanges === topic.bookChanges && hiddenChanges === topic.hiddenChanges) return;
    topic.bookChanges = bookChanges;
    topic.hiddenChanges = hiddenChanges;
    // The first beat of a topic only sets its time: its followers have just been sent the whole book.
    const sendsFull = isFullDue && topic.fullAt > 0;
    if (isFullDue) topic.fullAt = nowMs + (this.#contract.full_every_ms as number);
    const seenByAll = this.#viewOf(topic, market);
    for (const follower of topic.followers) {
      if (this.#greetings.awaits(follower.client, follower)) continue;
      const hidden = this.#hiddenOf(follower.client, market);
      const view = hidden === undefined ? seenByAll : this.#viewOf(topic, market, hidden);
      this.#tell(follower, market, view, sendsFull && !follower.isFull);
    }
  }

  /** The market has left the list, and its orders with it: what is left of the book is told once. */
  #tellGone(topic: Topic): void {
    const market = this.#context.backend.state.markets[topic.marketId] as Market;
    topic.marketId = -1;
    const view = this.#viewOf(topic, market);
    for (const follower of topic.followers) if (follower.told !== undefined) this.#tell(follower, market, view, false);
  }

  /** Sends a follower how the book has become, when it is not what it was sent last or when it is to be sent whole. */
  #tell(follower: Follower, market: Market, view: DepthView, isFullDue: boolean): void {
    const { client, told, isFull } = follower;
    follower.told = view;
    if (told === undefined || isFullDue) client.send(this.#fullPush(market, view));
    else if (told === view || told.json === view.json) return;
    else if (isFull) client.send(this.#fullPush(market, view));
    else client.send(this.#changesPush(market, told, view));
  }

  #hiddenOf({ key }: Client, { id }: Market): OwnHidden | undefined {
    return key === undefined ? undefined : this.#context.hidden.of(key.userId, id);
  }

  #viewOf({ limit, interval }: Topic, { id }: Market, hidden?: OwnHidden): DepthView {
    return this.#context.backend.feeds.depth(id, limit, interval, hidden);
  }

  /** A deal that nobody can see in the book changes the latest price alone. */
  #fullPush(market: Market, view: DepthView): Push {
    const last = this.#context.backend.feeds.lastPrice(market.id);
    const known = this.#full.get(view);
    if (known?.last === last) return known.push;
    const push = this.#print(market, true, view.json, view);
    this.#full.set(view, { last, push });
    return push;
  }

  #changesPush(market: Market, from: DepthView, to: DepthView): Push {
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
      push = this.#print(market, false, json, to);
      byView.set(from, push);
    }
    return push;
  }

  #print(market: Market, isFull: boolean, rows: string, { updatedAt, checksum }: DepthView): Push {
    const { backend, printers } = this.#context;
    const last = printers.of(market.id).priceOrNothing(backend.feeds.lastPrice(market.id));
    return pushOf(
      this.#contract.update.method,
      `{"market":"${market.name}","is_full":${isFull},` +
        `"depth":{${rows},"last":"${last}","updated_at":${updatedAt},"checksum":${checksum}}}`,
    );
  }

  #topicOf(name: string, limit: number, interval: string): Topic {
    const key = `${name} ${limit} ${interval}`;
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    const made = { key, name, limit, interval, followers: new Set<Follower>() };
    const topic: Topic = { ...made, marketId: -1, bookChanges: -1, hiddenChanges: -1, fullAt: 0 };
    this.#topics.set(key, topic);
    return topic;
  }

  #part(client: Client, name: string): void {
    const followers = this.#followers.get(client);
    const follower = followers?.get(name);
    if (followers === undefined || follower === undefined) return;
    followers.delete(name);
    if (followers.size === 0) this.#followers.delete(client);
    client.subscriptions--;
    const { topic } = follower;
    topic.followers.delete(follower);
    this.#greetings.drop(client, follower);
    if (topic.followers.size === 0) this.#topics.delete(topic.key);
  }
}
