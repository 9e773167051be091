/** The channels that one connection of the program follows, as its requests and the venue's acknowledgements tell. */
import type { Frame, SocketPair } from "./socket-pair.ts";

/** How one channel is followed: item by item, `*` for all. */
export type Followed = Map<string, Set<string>>;

const SUBSCRIBE = ".subscribe";
const UNSUBSCRIBE = ".unsubscribe";

export class Line {
  readonly pair: SocketPair;
  /** By channel. */
  readonly followed: Followed = new Map();
  /** The same with what was left again. */
  readonly ever: Followed = new Map();
  /** Channels whose pushes hold changes only, by market: how many have come. */
  readonly changes = new Map<string, number>();
  firstFollowedMs: number | undefined;
  /** Whether it was cut for being silent. */
  wasSilent = false;
  readonly #asked = new Map<number, Frame>();

  constructor(pair: SocketPair) {
    this.pair = pair;
  }

  asks(frame: Frame): void {
    if (typeof frame.id === "number" && frame.method !== undefined) this.#asked.set(frame.id, frame);
  }

  /** The venue has answered a request of this line; gives the request where it was acknowledged. */
  answered({ id, code, method }: Frame): Frame | undefined {
    if (typeof id !== "number" || method !== undefined) return undefined;
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (asked?.method === undefined || code !== 0) return undefined;
    if (asked.method.endsWith(SUBSCRIBE)) this.#follow(asked.method.slice(0, -SUBSCRIBE.length), asked);
    if (asked.method.endsWith(UNSUBSCRIBE)) this.#leave(asked.method.slice(0, -UNSUBSCRIBE.length), asked);
    return asked;
  }

  follows(channel: string): boolean {
    return this.followed.has(channel);
  }

  #follow(channel: string, asked: Frame): void {
    this.firstFollowedMs ??= performance.now();
    const items = this.followed.get(channel) ?? new Set();
    const ever = this.ever.get(channel) ?? new Set();
    this.followed.set(channel, items);
    this.ever.set(channel, ever);
    for (const item of itemsIn(asked)) {
      items.add(item);
      ever.add(item);
    }
    if (channel === "depth") for (const item of itemsIn(asked)) this.changes.set(item, 0);
  }

  #leave(channel: string, asked: Frame): void {
    const items = this.followed.get(channel);
    for (const item of itemsIn(asked)) {
      if (item === "*") items?.clear();
      else items?.delete(item);
    }
    if (items?.size === 0) this.followed.delete(channel);
  }
}

/** The items that a request names, as texts. */
export function itemsIn({ params }: Frame): string[] {
  const list: unknown = params === null || typeof params !== "object" ? undefined : Object.values(params)[0];
  if (!Array.isArray(list) || list.length === 0) return ["*"];
  return list.map((item) => String(Array.isArray(item) ? item[0] : item));
}
