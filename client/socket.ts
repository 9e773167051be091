/**
 * One socket of the venue, kept open: it connects again by itself, each time later than the last, logs in again, and follows again what is
 * followed. Whoever follows is told when the line was lost and when it is back, since what was pushed in between is gone.
 */
import { type Answer, CLIENT_CODES, type Done, failed, outcomeOf } from "./answer.ts";
import type { ChannelOf, Following, FollowOptions, ItemOf, Product, PushOf, SocketGround } from "./following.ts";
import { type Message, reader } from "./frames.ts";
import { backoffMs, Quota } from "./quota.ts";
import { CHANNELS } from "./sockets.generated.ts";

interface Entry {
  readonly channel: string;
  readonly items: readonly unknown[];
  readonly signed: boolean;
  readonly list: string;
  readonly hear: (push: never) => void;
  readonly options: FollowOptions;
  /** Tells who asked first; later ones are told by `onLine`. */
  readonly settle: (answer: Answer<Following>) => void;
  isFollowed: boolean;
  tries: number;
}

const PING_MS = 20_000;
const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 10_000;
/** Requests per second that a connection may send for ever. */
const REQUEST_RATE = 20;
const REQUEST_BYTES = 2_048;
/** Ends of the codes of both sockets. */
const WRONG_SIGN = 1002;
const LOGIN_NEEDED = 1001;
const PASSING: ReadonlySet<number> = new Set([3001, 3002, 4001, 4002]);

export class VenueSocket<P extends Product = Product> {
  readonly product: P;
  /** How often a connection was opened. */
  connections = 0;
  readonly #ground: SocketGround;
  readonly #entries = new Set<Entry>();
  readonly #awaited = new Map<number, (answer: Answer<unknown>) => void>();
  #socket: WebSocket | undefined;
  #isConnecting = false;
  #isOpen = false;
  #isClosed = false;
  #login: Promise<Answer<unknown>> | undefined;
  #quota = new Quota(REQUEST_RATE);
  #nextId = 1;
  #tries = 0;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #retrying: ReturnType<typeof setTimeout> | undefined;

  constructor(product: P, ground: SocketGround) {
    this.product = product;
    this.#ground = ground;
  }

  /**
   * Follows items of a channel, `[]` for all of them, until it is stopped. `hear` gets each push. The answer comes when the venue has
   * acknowledged; without a connection that may take until there is one.
   */
  follow<C extends ChannelOf<P>>(
    channel: C,
    items: readonly ItemOf<P, C>[],
    hear: (push: PushOf<P, C>) => void,
    options: FollowOptions = {},
  ): Promise<Answer<Following>> {
    const needs = CHANNELS[this.product][channel];
    if (this.#isClosed) return Promise.resolve(CLOSED);
    if (needs === undefined) throw new TypeError(`The ${this.product} socket has no channel ${channel}.`);
    if (needs.signed && this.#ground.proof === undefined) {
      return Promise.resolve(
        failed(CLIENT_CODES.noKey, `The channel ${channel} needs a key, and this client has none.`),
      );
    }
    if (options.signal?.aborted === true) return Promise.resolve(STOPPED);
    return new Promise((settle) => {
      const { signed, list } = needs;
      const entry = { channel, items, signed, list, hear, options, settle, isFollowed: false, tries: 0 };
      this.#entries.add(entry);
      options.signal?.addEventListener("abort", () => this.#stop(entry));
      if (this.#isOpen) void this.#subscribe(entry);
      else this.#connect();
    });
  }

  /** Sends a request of its own, such as `server.time`. Fails where there is no connection. */
  async ask(method: string, params: object = {}): Promise<Answer<unknown>> {
    const socket = this.#socket;
    if (socket === undefined || !this.#isOpen) return failed(CLIENT_CODES.noAnswer, "There is no connection.");
    const id = this.#nextId++;
    const text = JSON.stringify({ id, method, params });
    await this.#quota.take(Math.ceil(text.length / REQUEST_BYTES), Number.POSITIVE_INFINITY);
    if (socket !== this.#socket) return LOST;
    return await new Promise((resolve) => {
      this.#awaited.set(id, resolve);
      socket.send(text);
    });
  }

  /** Somebody is signed in now, as the proof will say. */
  login(): void {
    this.#login = undefined;
    if (!this.#isOpen) return;
    for (const entry of this.#entries) if (entry.signed && !entry.isFollowed) void this.#subscribe(entry);
  }

  /** Connects at once, where there is no connection; without waiting for its turn. */
  connectNow(): void {
    this.#tries = 0;
    if (this.#entries.size > 0) this.#connect();
  }

  /** Makes the connection anew: whoever asks over it is another one. */
  reconnect(): void {
    this.#drop();
    for (const entry of this.#entries) this.#lineLost(entry);
    this.connectNow();
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
    clearTimeout(this.#retrying);
    for (const { settle } of this.#entries) settle(CLOSED);
    this.#entries.clear();
  }

  #connect(): void {
    if (this.#socket !== undefined || this.#isConnecting || this.#isClosed) return;
    clearTimeout(this.#retrying);
    this.#isConnecting = true;
    const url = `${this.#ground.url.replace(/^http/, "ws")}/v2/${this.product}`;
    void this.#ground.open(url).then((socket) => {
      this.#isConnecting = false;
      if (this.#isClosed) return socket.close();
      this.#socket = socket;
      const read = reader(
        (message) => {
          if (this.#socket === socket) this.#hear(message);
        },
        () => this.#lost(socket),
      );
      socket.onopen = () => this.#opened(socket);
      socket.onmessage = ({ data }) => read(data);
      socket.onclose = () => this.#lost(socket);
      socket.onerror = () => this.#lost(socket);
    });
  }

  #opened(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#isOpen = true;
    this.connections++;
    this.#quota = new Quota(REQUEST_RATE);
    const { pingMs = PING_MS, watch } = this.#ground;
    watch?.state("open");
    for (const entry of this.#entries) void this.#subscribe(entry);
    this.#pinging = setInterval(() => void this.#ping(socket, pingMs), pingMs);
    if (watch !== undefined) void this.#ping(socket, pingMs);
  }

  async #ping(socket: WebSocket, pingMs: number): Promise<void> {
    const late = setTimeout(() => this.#lost(socket), pingMs);
    const sentMs = performance.now();
    const { ok } = await this.ask("server.ping");
    clearTimeout(late);
    if (ok && this.#socket === socket) this.#ground.watch?.latency(Math.round(performance.now() - sentMs));
  }

  #lost(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#ground.watch?.state("lost");
    this.#drop();
    for (const entry of this.#entries) this.#lineLost(entry);
    if (this.#isClosed || this.#entries.size === 0) return;
    this.#retrying = setTimeout(() => this.#connect(), backoffMs(this.#tries++, RETRY_FIRST_MS, RETRY_MOST_MS));
  }

  /** Forgets the connection and what only it knew. */
  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isOpen = false;
    this.#login = undefined;
    clearInterval(this.#pinging);
    this.#ground.watch?.latency(undefined);
    this.#ground.watch?.login(false);
    for (const resolve of this.#awaited.values()) resolve(LOST);
    this.#awaited.clear();
    // A line that is dead may take long until it is closed.
    socket?.close();
  }

  #lineLost(entry: Entry): void {
    if (!entry.isFollowed) return;
    entry.isFollowed = false;
    entry.options.onLine?.("lost");
  }

  async #subscribe(entry: Entry): Promise<void> {
    const socket = this.#socket;
    let answer: Answer<unknown> = entry.signed ? await this.#loggedIn() : OK;
    if (answer.ok) answer = await this.ask(`${entry.channel}.subscribe`, { [entry.list]: entry.items });
    if (this.#socket !== socket || !this.#entries.has(entry) || answer === NOBODY) return;
    if (answer.ok) return this.#followed(entry);
    if (PASSING.has(answer.code % 10_000) || answer.code < 0) {
      const waitMs = backoffMs(entry.tries++, RETRY_FIRST_MS, RETRY_MOST_MS);
      setTimeout(() => {
        if (this.#socket === socket && this.#entries.has(entry)) void this.#subscribe(entry);
      }, waitMs);
      return;
    }
    this.#entries.delete(entry);
    entry.settle(answer);
    entry.options.onEnd?.(answer);
  }

  #followed(entry: Entry): void {
    this.#tries = 0;
    entry.tries = 0;
    entry.isFollowed = true;
    const following: Following = {
      renew: () => {
        if (this.#isOpen && this.#entries.has(entry)) void this.#subscribe(entry);
      },
      stop: () => this.#stop(entry),
    };
    entry.settle({ ok: true, data: following, requestId: undefined });
    entry.options.onLine?.("followed");
  }

  #stop(entry: Entry): void {
    if (!this.#entries.delete(entry)) return;
    entry.settle(STOPPED);
    // Also where no answer has come yet: it may be on its way.
    this.#unsubscribe(entry.channel, entry.list, this.#onlyIn(entry));
  }

  /** The items of a following that no other one has; undefined for none. */
  #onlyIn({ channel, items }: Entry): readonly unknown[] | undefined {
    const others = [...this.#entries].filter((entry) => entry.channel === channel);
    if (others.some((entry) => entry.items.length === 0)) return undefined;
    if (items.length === 0) return others.length === 0 ? [] : undefined;
    const kept = new Set(others.flatMap((entry) => entry.items.map(nameOf)));
    const left = items.map(nameOf).filter((name) => !kept.has(name));
    return left.length === 0 ? undefined : left;
  }

  #unsubscribe(channel: string, list: string, items: readonly unknown[] | undefined): void {
    if (items !== undefined && this.#isOpen) void this.ask(`${channel}.unsubscribe`, { [list]: items });
  }

  /** Logs in once for everybody who needs it. */
  async #loggedIn(): Promise<Answer<unknown>> {
    this.#login ??= this.#sign(true).then((answer) => {
      this.#ground.watch?.login(answer.ok);
      return answer;
    });
    const login = this.#login;
    const answer = await login;
    if (!answer.ok && this.#login === login) this.#login = undefined;
    return answer;
  }

  async #sign(mayTryAgain: boolean): Promise<Answer<unknown>> {
    const { proof } = this.#ground;
    const params = await proof?.params();
    if (proof === undefined || params === undefined) return NOBODY;
    const answer = await this.ask("server.sign", params);
    if (answer.ok || answer.code % 10_000 !== WRONG_SIGN) return answer;
    const next = await proof.refused();
    if (next === "again" && mayTryAgain) return await this.#sign(false);
    return next === "wait" ? NOBODY : answer;
  }

  #hear({ id, code = 0, message = "", method, data }: Message): void {
    if (method !== undefined) {
      this.#push(method, data);
      return;
    }
    if (id === null) {
      if (code % 10_000 === LOGIN_NEEDED) this.#loggedOut();
      return;
    }
    const resolve = this.#awaited.get(id);
    this.#awaited.delete(id);
    const requestId = undefined;
    resolve?.(
      code === 0
        ? { ok: true, data, requestId }
        : { ok: false, code, message, requestId, reason: undefined, outcome: outcomeOf(code) },
    );
  }

  #push(method: string, data: unknown): void {
    const market = marketOf(data);
    const heard: Entry[] = [];
    for (const entry of this.#entries) {
      if (`${entry.channel}.update` !== method) continue;
      if (market !== undefined && entry.items.length > 0 && !entry.items.some((item) => nameOf(item) === market))
        continue;
      heard.push(entry);
    }
    // By then it may have been stopped.
    const take = () => {
      for (const entry of heard) if (this.#entries.has(entry)) entry.hear(data as never);
    };
    if (heard.length === 0) return;
    if (this.#ground.deliver === undefined) take();
    else this.#ground.deliver(take);
  }

  /** The login has ended by itself: where it was only too old, another one brings everything back. */
  #loggedOut(): void {
    this.#login = undefined;
    this.#ground.watch?.login(false);
    for (const entry of this.#entries) {
      if (!entry.signed) continue;
      this.#lineLost(entry);
      void this.#subscribe(entry);
    }
  }
}

const OK: Done<unknown> = { ok: true, data: undefined, requestId: undefined };
const CLOSED = failed(CLIENT_CODES.closed, "The client was closed.");
const STOPPED = failed(CLIENT_CODES.closed, "It was stopped before the venue answered.");
/** Whoever is to sign in has not done so yet. */
const NOBODY = failed(CLIENT_CODES.noKey, "Nobody is signed in.");
const LOST = failed(CLIENT_CODES.noAnswer, "The connection was lost.", "unknown");

/** An item's name; of a list, as of depth, its first member. */
function nameOf(item: unknown): unknown {
  return Array.isArray(item) ? item[0] : item;
}

/** The market that a push is about, where it is about one. */
function marketOf(data: unknown): unknown {
  const { market, order, stop, position } = data as Record<string, unknown> &
    Record<"order" | "stop" | "position", { market?: unknown }>;
  return market ?? order?.market ?? stop?.market ?? position?.market;
}
