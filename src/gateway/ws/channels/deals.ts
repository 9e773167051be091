import type { PublicDeal } from "../../../engine/event.ts";
import type { Market } from "../../../engine/listing/market.ts";
import { dealListText } from "../../current/records/deals.ts";
import { type ChannelContext, marketsIn, NamedChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import type { SocketChannel } from "../contract.ts";
import { InitialSnapshots } from "../initial-snapshots.ts";
import type { Push } from "../push.ts";

/** Deals in one push. */
const PUSHED_MAX = 1_000;

/** Deals of everybody, newest first, none twice. */
export class DealsChannel extends NamedChannel {
  readonly #firstMax: number;
  /** Markets whose book or deals have changed since the last beat, by id. */
  readonly #touched = new Set<number>();
  /** The newest deal that was pushed, by market id. */
  readonly #told: number[] = [];
  /** Newer ones that followers were told of when they came, since the last beat. By market id. */
  readonly #toldFirst = new Map<number, Map<Client, number>>();
  /** The first push to a new follower, valid as long as there is no newer deal. By market id. */
  readonly #first: { readonly lastId: number; readonly push: Push }[] = [];
  readonly #initialSnapshots = new InitialSnapshots<Market>((client, market) => this.#sendInitial(client, market));

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract, context);
    this.#firstMax = contract.first_items_max as number;
  }

  applied(touched: readonly number[]): void {
    for (const marketId of touched) this.#touched.add(marketId);
  }

  beat(): void {
    const { markets } = this.context.backend.state;
    for (const marketId of this.#touched) {
      const market = markets[marketId] as Market;
      if (!market.delisted) this.#tell(market);
    }
    this.#touched.clear();
    this.#toldFirst.clear();
  }

  #tell(market: Market): void {
    const lastId = this.context.backend.feeds.lastDealId(market.id);
    const told = this.#told[market.id] ?? 0;
    if (lastId !== told) this.#tellSince(told, market, lastId);
    this.#told[market.id] = lastId;
    this.context.backend.feeds.keepDealsAbove(
      market.id,
      this,
      this.subscribers.isHeard(market.name) ? lastId : undefined,
    );
  }

  #tellSince(told: number, market: Market, lastId: number): void {
    const toldFirst = this.#toldFirst.get(market.id);
    const pushes = new Map<number, readonly Push[]>();
    this.subscribers.each(market.name, (client) => {
      if (this.#initialSnapshots.awaits(client, market)) return;
      const since = toldFirst?.get(client) ?? told;
      if (since === lastId) return;
      let news = pushes.get(since);
      if (news === undefined) {
        news = this.#printSince(market, since);
        pushes.set(since, news);
      }
      for (const push of news) client.send(push);
    });
  }

  protected override sendInitial(client: Client, names: readonly string[]): void {
    for (const market of marketsIn(this.context, names)) this.#initialSnapshots.add(client, market);
  }

  override leave(client: Client): void {
    super.leave(client);
    this.#initialSnapshots.leave(client);
  }

  #sendInitial(client: Client, market: Market): void {
    if (market.delisted || !this.subscribers.follows(client, market.name)) return;
    const lastId = this.context.backend.feeds.lastDealId(market.id);
    this.#told[market.id] ??= lastId;
    let toldFirst = this.#toldFirst.get(market.id);
    if (toldFirst === undefined) {
      toldFirst = new Map();
      this.#toldFirst.set(market.id, toldFirst);
    }
    toldFirst.set(client, lastId);
    this.context.backend.feeds.keepDealsAbove(market.id, this, this.#told[market.id]);
    if (lastId > 0) client.send(this.#firstPush(market, lastId));
  }

  #firstPush(market: Market, lastId: number): Push {
    const known = this.#first[market.id];
    if (known?.lastId === lastId) return known.push;
    const push = this.#print(market, this.context.backend.feeds.recentDeals(market.id, 0, this.#firstMax));
    this.#first[market.id] = { lastId, push };
    return push;
  }

  /** All newer deals; very many are several pushes, the oldest first. */
  #printSince(market: Market, since: number): readonly Push[] {
    const deals = this.context.backend.feeds.recentDeals(market.id, since, Number.POSITIVE_INFINITY);
    const pushes: Push[] = [];
    for (let end = deals.length; end > 0; end -= PUSHED_MAX) {
      pushes.push(this.#print(market, deals.slice(Math.max(0, end - PUSHED_MAX), end)));
    }
    return pushes;
  }

  #print(market: Market, deals: readonly PublicDeal[]): Push {
    return this.update(this.print(market, deals));
  }

  protected print({ id, name }: Market, deals: readonly PublicDeal[]): string {
    const printer = this.context.printers.of(id);
    return `{"market":"${name}","deal_list":${dealListText(printer, deals)}}`;
  }
}
