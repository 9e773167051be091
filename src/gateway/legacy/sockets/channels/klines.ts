import type { Market } from "../../../../engine/listing/market.ts";
import { candleStart, KLINE_PERIODS, type KlinePeriod } from "../../../../history/candles/kline.ts";
import { fromHistory } from "../../../reading/from-history.ts";
import { Refused } from "../../../refused.ts";
import type { Params } from "../../../request/validate.ts";
import type { Channel, ChannelContext } from "../../../ws/channel.ts";
import type { Client } from "../../../ws/client.ts";
import type { SocketChannel } from "../../../ws/contract.ts";
import type { Push } from "../../../ws/push.ts";
import { klineOf } from "../../records/klines.ts";

const MINUTE_MS = 60_000;
/** Candles of a push, for a topic that could not be told of for long. */
const PUSHED_MAX = 100;

/** Candle lengths by their seconds, as this generation names them. */
export const PERIOD_OF_SECONDS: ReadonlyMap<number, KlinePeriod> = new Map(
  Object.entries(KLINE_PERIODS).map(([period, seconds]) => [seconds, period as KlinePeriod]),
);

/** The content of the last push of a topic. */
interface Told {
  /** The newest deal in it, */
  readonly dealId: number;
  /** and the start of its last candle, s. */
  readonly startS: number;
  /** None before the first deal: there are no candles then. */
  readonly push: Push | undefined;
}

/** Everybody who follows the candles of one length in a market. */
interface Topic {
  readonly market: Market;
  readonly periodS: number;
  readonly followers: Set<Client>;
  told: Told | undefined;
  isAsking: boolean;
}

/**
 * The candle under way, again whenever it is another; with the one before when that has ended. Candles come from
 * history, asked once for all who follow the same ones and only after a deal or at the end of a candle, so that they
 * are those of the HTTP interface.
 */
export class LegacyKlineChannel implements Channel {
  readonly #contract: SocketChannel;
  readonly #context: ChannelContext;
  readonly #topics = new Map<string, Topic>();
  readonly #byMarket = new Map<number, Set<Topic>>();
  /** A push names neither market nor length, so that a connection follows one topic. */
  readonly #followed = new Map<Client, Topic>();
  /** Markets with deals since the last beat. */
  readonly #touched = new Set<number>();
  /** Topics that could not be told of. */
  readonly #late = new Set<Topic>();
  /** The minute of the last beat: candles end with minutes. */
  #minute = -1;

  constructor(contract: SocketChannel, context: ChannelContext) {
    this.#contract = contract;
    this.#context = context;
  }

  subscribe(
    client: Client,
    { market_list: [wanted] }: { market_list: readonly [readonly [string, number]] } & Params,
  ): void {
    const [name, periodS] = wanted;
    const market = this.#context.marketNamed(name);
    if (market === undefined) return;
    const topic = this.#topicOf(market, periodS);
    topic.followers.add(client);
    this.#followed.set(client, topic);
    client.count(1);
    if (this.#isNews(topic)) this.#ask(topic);
    else if (topic.told?.push !== undefined) client.send(topic.told.push);
  }

  unsubscribe(client: Client): void {
    this.leave(client);
  }

  leave(client: Client): void {
    const topic = this.#followed.get(client);
    if (topic === undefined) return;
    this.#followed.delete(client);
    client.count(-1);
    topic.followers.delete(client);
    if (topic.followers.size === 0) this.#forget(topic);
  }

  followed(client: Client): number {
    return this.#followed.has(client) ? 1 : 0;
  }

  /** Nothing is kept of what is not listed. */
  unlistedIn(): number {
    return 0;
  }

  applied(touched: readonly number[]): void {
    if (this.#topics.size === 0) return;
    for (const marketId of touched) this.#touched.add(marketId);
  }

  beat(): void {
    const minute = Math.floor(this.#context.backend.now() / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      for (const topic of this.#topics.values()) this.#look(topic);
    } else {
      const late = [...this.#late];
      this.#late.clear();
      for (const topic of late) this.#look(topic);
      for (const marketId of this.#touched) {
        for (const topic of this.#byMarket.get(marketId) ?? []) this.#look(topic);
      }
    }
    this.#touched.clear();
  }

  #look(topic: Topic): void {
    if (topic.followers.size > 0 && !topic.market.delisted && this.#isNews(topic)) this.#ask(topic);
  }

  #isNews({ market, periodS, told }: Topic): boolean {
    const { feeds } = this.#context.backend;
    return told?.dealId !== feeds.lastDealId(market.id) || told.startS !== this.#startOf(periodS);
  }

  /** Start of the candle under way, s. */
  #startOf(periodS: number): number {
    return candleStart(periodS, Math.floor(this.#context.backend.now() / 1_000));
  }

  /** Asks history, which knows by then of every deal that has been told, and tells all who follow. */
  #ask(topic: Topic): void {
    if (topic.isAsking) {
      this.#late.add(topic);
      return;
    }
    topic.isAsking = true;
    const { market, periodS, told } = topic;
    const { feeds, history, now } = this.#context.backend;
    const dealId = feeds.lastDealId(market.id);
    const startS = this.#startOf(periodS);
    const ended = told === undefined ? 0 : (startS - told.startS) / periodS;
    const asked = history.klines({
      marketId: market.id,
      period: PERIOD_OF_SECONDS.get(periodS) as KlinePeriod,
      priceType: "latest_price",
      limit: Math.min(PUSHED_MAX, ended + 1),
      nowMs: now(),
    });
    fromHistory(asked)
      .then((candles) => {
        if (candles instanceof Refused) {
          this.#late.add(topic);
          return;
        }
        const printer = this.#context.printers.of(market.id);
        const rows = candles.map((candle) => JSON.stringify(klineOf(printer, candle)));
        const push =
          rows.length === 0 ? undefined : this.#context.push(this.#contract.update.method, rows.join(), false);
        topic.told = { dealId, startS, push };
        if (push !== undefined) for (const client of topic.followers) client.send(push);
      })
      .catch((error: unknown) => this.#context.log.error({ err: error }, "a push of candles failed unexpectedly"))
      .finally(() => {
        topic.isAsking = false;
      });
  }

  #topicOf(market: Market, periodS: number): Topic {
    const key = `${market.id} ${periodS}`;
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    const topic: Topic = { market, periodS, followers: new Set(), told: undefined, isAsking: false };
    this.#topics.set(key, topic);
    const others = this.#byMarket.get(market.id);
    if (others === undefined) this.#byMarket.set(market.id, new Set([topic]));
    else others.add(topic);
    return topic;
  }

  #forget(topic: Topic): void {
    const { market, periodS } = topic;
    this.#topics.delete(`${market.id} ${periodS}`);
    this.#late.delete(topic);
    const others = this.#byMarket.get(market.id);
    others?.delete(topic);
    if (others?.size === 0) this.#byMarket.delete(market.id);
  }
}
