import type { Market } from "../../../engine/listing/market.ts";
import { RECENT_DEALS_MAX } from "../../../feeds/recent-deals.ts";
import { dealOf } from "../../current/handlers/wire.ts";
import { type ChannelContext, marketsIn, NamedChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import type { SocketChannel } from "../contract.ts";
import { Greetings } from "../greetings.ts";
import type { Push } from "../push.ts";

/** Deals of everybody, newest first, none twice. */
export class DealsChannel extends NamedChannel {
  readonly #context: ChannelContext;
  readonly #firstMax: number;
  /** The newest deal that was pushed, by market id. */
  readonly #told: number[] = [];
  /** Newer ones that followers were told of when they came, since the last beat. By market id. */
  readonly #toldFirst = new Map<number, Map<Client, number>>();
  /** What a new follower is told, for as long as there is no newer deal. By market id. */
  readonly #first: { readonly lastId: number; readonly push: Push }[] = [];
  readonly #greetings = new Greetings<Market>((client, market) => this.#greet(client, market));

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract);
    this.#context = context;
    this.#firstMax = contract.first_items_max as number;
  }

  beat(): void {
    for (const market of this.#context.markets()) this.#tell(market);
    this.#toldFirst.clear();
  }

  #tell(market: Market): void {
    const lastId = this.#context.backend.feeds.lastDealId(market.id);
    const told = this.#told[market.id] ?? 0;
    if (lastId === told) return;
    this.#told[market.id] = lastId;
    const toldFirst = this.#toldFirst.get(market.id);
    const pushes = new Map<number, Push>();
    this.audience.each(market.name, (client) => {
      if (this.#greetings.awaits(client, market)) return;
      const since = toldFirst?.get(client) ?? told;
      if (since === lastId) return;
      let push = pushes.get(since);
      if (push === undefined) {
        push = this.#print(market, since, RECENT_DEALS_MAX);
        pushes.set(since, push);
      }
      client.send(push);
    });
  }

  protected override greet(client: Client, names: readonly string[]): void {
    for (const market of marketsIn(this.#context, names)) this.#greetings.add(client, market);
  }

  override leave(client: Client): void {
    super.leave(client);
    this.#greetings.leave(client);
  }

  #greet(client: Client, market: Market): void {
    if (market.delisted || !this.audience.follows(client, market.name)) return;
    const lastId = this.#context.backend.feeds.lastDealId(market.id);
    this.#told[market.id] ??= lastId;
    let toldFirst = this.#toldFirst.get(market.id);
    if (toldFirst === undefined) {
      toldFirst = new Map();
      this.#toldFirst.set(market.id, toldFirst);
    }
    toldFirst.set(client, lastId);
    if (lastId > 0) client.send(this.#firstPush(market, lastId));
  }

  #firstPush(market: Market, lastId: number): Push {
    const known = this.#first[market.id];
    if (known?.lastId === lastId) return known.push;
    const push = this.#print(market, 0, this.#firstMax);
    this.#first[market.id] = { lastId, push };
    return push;
  }

  #print(market: Market, since: number, max: number): Push {
    const { backend, printers } = this.#context;
    const printer = printers.of(market.id);
    const deals = backend.feeds.recentDeals(market.id, since, max).map((deal) => dealOf(printer, deal));
    return this.update(`{"market":"${market.name}","deal_list":${JSON.stringify(deals)}}`);
  }
}
