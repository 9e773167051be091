/**
 * One socket of the venue, kept open: it connects again by itself, each time later than the last, logs in again, and
 * follows again what is followed. Anyone who follows is told when the line was lost and when it is back, since what was
 * pushed in between is gone.
 */
import { type Answer, CLIENT_CODES, type Done, failed, outcomeOf } from "./answer.ts";
import { costOf, type DataOf, QUOTA_FAILED, refuseFraction, withRows } from "./calls.ts";
import type {
  CallOf,
  CancelOptions,
  ChannelOf,
  Following,
  FollowOptions,
  ItemOf,
  MethodOf,
  MethodParams,
  Product,
  PushOf,
  SocketGround,
} from "./following.ts";
import { type Message, reader } from "./frames.ts";
import { ENDPOINTS } from "./http.generated.ts";
import { backoffMs, Quota, sleep } from "./quota.ts";
import { CHANNELS, METHODS, type PushSession } from "./sockets.generated.ts";

/** Something that a connection is told once it is open, and again each time when it is open anew. */
interface Entry {
  /** Empty for what is no channel. */
  readonly channel: string;
  readonly items: readonly unknown[];
  readonly signed: boolean;
  /** The request that begins it, */
  readonly begin: Request;
  /** and the one that ends it for items, those of this entry that no other one has. */
  readonly end: (items: readonly unknown[]) => Request;
  readonly hear: (push: never) => void;
  readonly options: FollowOptions;
  /** Tells who asked first; later ones are told by `onLine`. */
  readonly settle: (answer: Answer<Following>) => void;
  isFollowed: boolean;
  /** It was followed when the line broke, and goes on where the session does. */
  isPaused: boolean;
  tries: number;
}

interface Request {
  readonly method: string;
  readonly params: object;
}

const PING_MS = 20_000;
const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 10_000;
/** Requests per second that a connection may send for ever. */
const REQUEST_RATE = 20;
const REQUEST_BYTES = 2_048;
/** Codes of both sockets end alike. */
const CODE_BASE = 10_000;
const WRONG_SIGN = 1002;
const LOGIN_NEEDED = 1001;
/** The connection has asked too much, or has too many calls under way; and how often one is sent again then. */
const TOO_FREQUENT = 3002;
const CALL_RETRIES = 5;
/** Of calls: the account has no quota left. */
const TOO_OFTEN = 4213;
/** Of a connection: later states are those of its end. */
const OPEN = 1;
const CANCELLING = "session.cancel_on_disconnect";
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
  /** Open, and what an earlier connection followed goes on or is known to be lost. */
  #isReady = false;
  /** Name of the session, and the number of the last push that came. */
  #session: string | undefined;
  #lastSeq = 0;
  #isCatchingUp = false;
  /** Requests that stop what was followed when the line broke: a session that goes on still follows it. */
  #owed: Request[] = [];
  #isClosed = false;
  #login: Promise<Answer<unknown>> | undefined;
  #quota = new Quota(REQUEST_RATE);
  #nextId = 1;
  #tries = 0;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #retrying: ReturnType<typeof setTimeout> | undefined;
  /** Who waits for the connection that is being made. */
  #whenMade: (() => void)[] = [];

  constructor(product: P, ground: SocketGround) {
    this.product = product;
    this.#ground = ground;
  }

  /**
   * Follows items of a channel, `[]` for all of them, until it is stopped. `hear` gets each push. The answer comes when
   * the venue has acknowledged; without a connection that may take until there is one.
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
    const { signed, list } = needs;
    const begin = { method: `${channel}.subscribe`, params: { [list]: items } };
    const end = (left: readonly unknown[]) => ({ method: `${channel}.unsubscribe`, params: { [list]: left } });
    return this.#keep({ channel, items, signed, begin, end, hear, options });
  }

  /**
   * Has the venue cancel open orders of the account when this connection ends, whatever ends it. After a line that
   * broke it is told again. The answer comes when the venue watches the connection; `stop` ends it, and orders stay. A
   * later call takes the place of an earlier one.
   */
  cancelOnDisconnect(options: CancelOptions = {}): Promise<Answer<Following>> {
    if (this.#isClosed) return Promise.resolve(CLOSED);
    if (this.#ground.proof === undefined) return Promise.resolve(NO_KEY);
    for (const entry of this.#entries) {
      if (entry.begin.method === CANCELLING && this.#entries.delete(entry)) entry.settle(STOPPED);
    }
    const { scope = "ALL", markets = [], graceMs = 0 } = options;
    const begin = { method: CANCELLING, params: { scope, market_list: markets, grace_ms: graceMs } };
    const end = () => ({ method: CANCELLING, params: { active: false } });
    return this.#keep({ channel: "", items: [], signed: true, begin, end, hear: () => {}, options });
  }

  #keep(wanted: Omit<Entry, "settle" | "isFollowed" | "isPaused" | "tries">): Promise<Answer<Following>> {
    const { signal } = wanted.options;
    if (signal?.aborted === true) return Promise.resolve(STOPPED);
    return new Promise((settle) => {
      const entry = { ...wanted, settle, isFollowed: false, isPaused: false, tries: 0 };
      this.#entries.add(entry);
      signal?.addEventListener("abort", () => this.#stop(entry));
      if (this.#isReady) void this.#subscribe(entry);
      else this.#connect();
    });
  }

  /**
   * A call as over HTTP, such as `order.place`, with the parameters and the answer of that call. Logs in by itself, and
   * waits for quota. Nothing is sent again once it may have been done: where the line broke before the answer,
   * `outcome` is `unknown`.
   */
  async call<M extends MethodOf<P>>(method: M, params: MethodParams<P, M>): Promise<Answer<DataOf<CallOf<P, M>>>> {
    return (await this.#call(method, params as object)) as Answer<DataOf<CallOf<P, M>>>;
  }

  async #call(method: string, params: object): Promise<Answer<unknown>> {
    const fraction = refuseFraction(params);
    if (fraction !== undefined) return fraction;
    const endpoint = (METHODS[this.product] as Readonly<Record<string, keyof typeof ENDPOINTS>>)[method];
    if (endpoint === undefined) throw new TypeError(`The ${this.product} socket has no method ${method}.`);
    if (this.#ground.proof === undefined) return NO_KEY;
    const { group = "", batch } = ENDPOINTS[endpoint];
    const cost = costOf(ENDPOINTS[endpoint], params);
    const { quotas } = this.#ground;
    for (let logins = 0, tries = 0; ; ) {
      if (!(await this.#made())) return this.#isClosed ? CLOSED : NO_LINE;
      const login = await this.#loggedIn();
      if (!login.ok) return login;
      if (quotas !== undefined && !(await quotas.take(group, cost))) return QUOTA_FAILED;
      const answer = await this.ask(method, params);
      const isExhausted = !answer.ok && answer.code === TOO_OFTEN;
      quotas?.answered(group, cost, isExhausted);
      // Over the quota of the account it counts for the connection as well.
      if (!isExhausted) this.#quota.giveBack(1);
      if (answer.ok) return batch === true ? withRows(answer) : answer;
      // Nothing was done, so it may be asked for again.
      if (isExhausted && quotas !== undefined) continue;
      if (answer.code % CODE_BASE === TOO_FREQUENT && tries < CALL_RETRIES) {
        await sleep(backoffMs(tries++, RETRY_FIRST_MS, RETRY_MOST_MS));
        continue;
      }
      if (answer.code % CODE_BASE !== LOGIN_NEEDED || logins++ > 0) return answer;
      this.#login = undefined;
    }
  }

  /** Waits for a connection; false where the one that was tried did not come about. */
  async #made(): Promise<boolean> {
    if (!this.#isOpen && !this.#isClosed) {
      const made = new Promise<void>((resolve) => this.#whenMade.push(resolve));
      this.#connect();
      await made;
    }
    return this.#isOpen;
  }

  #madeOrNot(): void {
    for (const resolve of this.#whenMade.splice(0)) resolve();
  }

  /** Sends a request of its own, such as `server.time`. Fails where there is no connection. */
  ask(method: string, params: object = {}): Promise<Answer<unknown>> {
    return this.#ask(method, params);
  }

  /** `take` is given the venue's answer before anything that comes behind it. */
  async #ask(method: string, params: object, take?: (answer: Answer<unknown>) => void): Promise<Answer<unknown>> {
    const socket = this.#socket;
    if (socket === undefined || !this.#isOpen) return NO_LINE;
    const id = this.#nextId++;
    const text = JSON.stringify({ id, method, params });
    await this.#quota.take(Math.ceil(text.length / REQUEST_BYTES), Number.POSITIVE_INFINITY);
    // Nothing was sent.
    if (socket !== this.#socket) return NO_LINE;
    return await new Promise((resolve) => {
      this.#awaited.set(id, (answer) => {
        if (socket === this.#socket) take?.(answer);
        resolve(answer);
      });
      socket.send(text);
    });
  }

  /** Somebody is signed in now, as the proof will say. */
  login(): void {
    this.#login = undefined;
    if (!this.#isReady) return;
    for (const entry of this.#entries) if (entry.signed && !entry.isFollowed) void this.#subscribe(entry);
  }

  /** Connects at once, where there is no connection; without waiting for its turn. */
  connectNow(): void {
    this.#tries = 0;
    if (this.#entries.size > 0) this.#connect();
  }

  /** Makes the connection anew: the account that asks over it is another one. */
  reconnect(): void {
    this.#drop();
    this.#endSession();
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
      // An address that may not be asked is given up before anybody listens.
      if (socket.readyState > OPEN) this.#lost(socket);
    });
  }

  #opened(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#isOpen = true;
    this.connections++;
    this.#quota = new Quota(REQUEST_RATE);
    this.#madeOrNot();
    const { pingMs = PING_MS, watch } = this.#ground;
    watch?.state("open");
    if (this.#ground.resume === true) void this.#goOn(socket);
    else this.#begin();
    this.#pinging = setInterval(() => void this.#ping(socket, pingMs), pingMs);
    if (watch !== undefined) void this.#ping(socket, pingMs);
  }

  /** Follows what is not followed yet. */
  #begin(): void {
    this.#isReady = true;
    for (const entry of this.#entries) if (!entry.isFollowed) void this.#subscribe(entry);
  }

  /** Takes over what the connection before followed; or has its pushes numbered, so that the next one can. */
  async #goOn(socket: WebSocket): Promise<void> {
    const isSigned = [...this.#entries].some(({ isPaused, signed }) => isPaused && signed);
    if (isSigned) await this.#loggedIn();
    if (this.#socket !== socket) return;
    if (this.#session === undefined) await this.#ask("session.open", {}, (answer) => this.#takeSession(answer));
    else await this.#resume();
    if (this.#socket === socket) this.#begin();
  }

  /**
   * Resumes the session. Messages that were missed come right behind the answer, so the session must be known by then.
   */
  async #resume(): Promise<void> {
    const params = { session: this.#session, last_seq: this.#lastSeq };
    await this.#ask("session.resume", params, (answer) => this.#takeSession(answer));
  }

  /** A venue without sessions goes on as without numbers. */
  #takeSession(answer: Answer<unknown>): void {
    const session = answer.ok ? (answer.data as PushSession) : undefined;
    const owed = this.#owed.splice(0);
    if (session?.resumed === true) {
      for (const { method, params } of owed) void this.ask(method, params);
      for (const entry of this.#entries) this.#lineResumed(entry);
      return;
    }
    this.#endSession();
    this.#session = session?.session;
    this.#lastSeq = session?.last_seq ?? 0;
  }

  #endSession(): void {
    this.#session = undefined;
    this.#owed = [];
    for (const entry of this.#entries) this.#lineLost(entry);
  }

  /** A push is missing although the line has not ended: what is followed begins anew, unless the venue can say more. */
  async #catchUp(socket: WebSocket): Promise<void> {
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    await this.#resume();
    this.#isCatchingUp = false;
    if (this.#socket === socket) this.#begin();
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
    if (this.#session === undefined) this.#endSession();
    else for (const entry of this.#entries) this.#linePaused(entry);
    if (this.#isClosed || this.#entries.size === 0) return;
    this.#retrying = setTimeout(() => this.#connect(), backoffMs(this.#tries++, RETRY_FIRST_MS, RETRY_MOST_MS));
  }

  /** Forgets the connection and what only it knew. */
  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isOpen = false;
    this.#isReady = false;
    this.#isCatchingUp = false;
    this.#login = undefined;
    clearInterval(this.#pinging);
    this.#ground.watch?.latency(undefined);
    this.#ground.watch?.login(false);
    for (const resolve of this.#awaited.values()) resolve(LOST);
    this.#awaited.clear();
    this.#madeOrNot();
    // A line that is dead may take long until it is closed.
    socket?.close();
  }

  #lineLost(entry: Entry): void {
    if (!entry.isFollowed && !entry.isPaused) return;
    entry.isFollowed = false;
    entry.isPaused = false;
    entry.options.onLine?.("lost");
  }

  /** Cancelling ended with the connection, whatever goes on. */
  #linePaused(entry: Entry): void {
    if (entry.begin.method === CANCELLING) this.#lineLost(entry);
    if (!entry.isFollowed) return;
    entry.isFollowed = false;
    entry.isPaused = true;
    entry.options.onLine?.("paused");
  }

  #lineResumed(entry: Entry): void {
    if (!entry.isPaused) return;
    entry.isPaused = false;
    entry.isFollowed = true;
    this.#tries = 0;
    entry.options.onLine?.("resumed");
  }

  async #subscribe(entry: Entry): Promise<void> {
    const socket = this.#socket;
    let answer: Answer<unknown> = entry.signed ? await this.#loggedIn() : OK;
    if (answer.ok) answer = await this.ask(entry.begin.method, entry.begin.params);
    if (this.#socket !== socket || !this.#entries.has(entry) || answer === NOBODY) return;
    if (answer.ok) return this.#followed(entry);
    if (PASSING.has(answer.code % CODE_BASE) || answer.code < 0) {
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
    const left = this.#onlyIn(entry);
    if (left === undefined) return;
    const end = entry.end(left);
    if (this.#isReady) void this.ask(end.method, end.params);
    else if (this.#session !== undefined && entry.isPaused) this.#owed.push(end);
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
    if (answer.ok || answer.code % CODE_BASE !== WRONG_SIGN) return answer;
    const next = await proof.refused();
    if (next === "again" && mayTryAgain) return await this.#sign(false);
    return next === "wait" ? NOBODY : answer;
  }

  #hear({ id, code = 0, message = "", method, data, seq, reason, request_id: requestId }: Message): void {
    if (method !== undefined) {
      if (this.#isNext(seq)) this.#push(method, data);
      return;
    }
    if (id === null) {
      if (code % CODE_BASE === LOGIN_NEEDED) this.#loggedOut();
      return;
    }
    const resolve = this.#awaited.get(id);
    this.#awaited.delete(id);
    resolve?.(
      code === 0
        ? { ok: true, data, requestId }
        : { ok: false, code, message, requestId, reason, outcome: outcomeOf(code) },
    );
  }

  /** Whether a push is the one after the last; behind a gap nothing counts until the venue has been asked. */
  #isNext(seq: number | undefined): boolean {
    if (seq === undefined || this.#session === undefined) return true;
    if (seq === this.#lastSeq + 1) {
      this.#lastSeq = seq;
      return true;
    }
    if (seq > this.#lastSeq) void this.#catchUp(this.#socket as WebSocket);
    return false;
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
/** The user who is to sign in has not done so yet. */
const NOBODY = failed(CLIENT_CODES.noKey, "Nobody is signed in.");
const NO_KEY = failed(CLIENT_CODES.noKey, "This needs a key, and this client has none.");
const NO_LINE = failed(CLIENT_CODES.noAnswer, "There is no connection; nothing was sent.");
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
