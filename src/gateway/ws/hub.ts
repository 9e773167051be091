import type { OrderEventName, OrderRecord, RareEvent } from "../../engine/event.ts";
import type { PositionEvent } from "../../engine/futures/positions/position-event.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { StopEvent } from "../../engine/stops/stop-event.ts";
import type { WordBuffer } from "../../engine/words.ts";
import type { FeedListener } from "../../feeds/feeds.ts";
import type { OwnBalance, OwnDeal, PrivateFeed, PrivateListener } from "../../feeds/private-feed.ts";
import { addressRefused, keyRefused, type Needs } from "../auth/access.ts";
import type { ApiKey } from "../auth/key-directory.ts";
import { sessionAccessId } from "../auth/web-sessions.ts";
import type { ReadBarrier } from "../http/read-barrier.ts";
import type { GatewayLog } from "../http/server.ts";
import { Printers } from "../reading/market-printer.ts";
import { type Figures, Refused } from "../refused.ts";
import type { Channel, ChannelContext, ChannelDeclaration, SocketBackend } from "./channel.ts";
import type { Client } from "./client.ts";
import { isOn, type MarketKind, type SocketChannel } from "./contract.ts";
import type { LoginAsked, SocketAuthenticator, SocketGeneration, WatchingAsked } from "./generation.ts";
import { injectFault, type SocketFaults, strikeOn } from "./inject-fault.ts";
import type { SocketLimits } from "./limits.ts";
import type { CallAnswer, LateAnswer, Method } from "./methods.ts";
import { tooManyNames } from "./names-bound.ts";
import {
  failed,
  KEY_GONE,
  LATE_ANSWERS_MAX,
  LATE_CALLS_MAX,
  LOGIN_TOO_OLD,
  loggedOut,
  loginRefused,
  methodUnavailable,
  NOT_CURRENT,
  NOT_LOGGED_IN,
  SocketRefused,
  shortened,
  TOO_MANY_CALLS,
  TOO_MANY_LATE,
  TOO_MANY_LOGINS,
  tooFrequent,
  UNREADABLE,
  USED_ELSEWHERE,
} from "./refused.ts";
import { idInFront, NO_ID, type ReadRequest, type SocketRequest } from "./request.ts";
import { RESUME_MS, type Resumable, type Resumables } from "./resumable.ts";
import { Sessions } from "./sessions.ts";
import { type CallGround, SocketCall } from "./socket-call.ts";
import type { SocketObserver } from "./socket-observer.ts";
import type { UsedSignatures } from "./used-signatures.ts";
import type { WatchedClients } from "./watched-clients.ts";

/** How often every login is looked at; anyone who is told of something is looked at then as well. */
const SESSIONS_EVERY_MS = 1_000;
/** The name of the login method in both generations. */
const LOGIN = "server.sign";
/** Requests of a connection that may wait until this node is current. */
const IN_TURN_MAX = 64;
/** The permission that a key needs to have orders cancelled. */
const TRADES: Needs = { permission: "trade", callers: "any", subPermission: null };
const SETTLED = [() => true, () => false] as const;

export interface HubOptions {
  readonly kind: MarketKind;
  /** Where its sockets stand. */
  readonly path: string;
  readonly generation: SocketGeneration;
  readonly limits: Pick<
    SocketLimits,
    | "requestBytesMax"
    | "requestsMax"
    | "requestsWindowMs"
    | "subscriptionsMax"
    | "unlistedMax"
    | "loginMs"
    | "signWindowMs"
  >;
  readonly backend: SocketBackend;
  /** Of all sockets; told of events before the hubs are. */
  readonly accounts: PrivateFeed;
  readonly authenticator: SocketAuthenticator;
  /** On all sockets those whose end cancels orders. */
  readonly watched: WatchedClients;
  /** On all sockets what was sent to those who may go on after their connection has ended. */
  readonly resumables: Resumables;
  /** Of the logins on all sockets. */
  readonly usedSignatures: UsedSignatures;
  /** Hears of what is refused, in the dev profile. */
  readonly observer?: SocketObserver | undefined;
  /** Injected faults, in the dev profile. */
  readonly faults?: SocketFaults | undefined;
  /** Of a venue with several nodes: what a login or a signed request waits for. */
  readonly readBarrier?: ReadBarrier | undefined;
  /** How many messages an address may send, for who asks. */
  readonly admitFigures?: Figures | undefined;
  readonly log: GatewayLog;
}

/**
 * All that happens on the sockets of one generation and one kind of market: requests come in, the venue's events come
 * in, answers and pushes go out. It knows clients by what they follow and who they are; bytes and connections are none
 * of its business.
 *
 * Pushes come from events alone, after the state shows them: what a client asks for when it has seen a push is never
 * older than the push. The answer to the command itself is written before.
 */
export class Hub implements FeedListener, PrivateListener {
  readonly #options: HubOptions;
  readonly #methods: ReadonlyMap<string, Method>;
  /** Of calls as over HTTP, where its generation has them. */
  readonly #ground: CallGround | undefined;
  readonly #sessions: Sessions;
  readonly #tooManyHere: SocketRefused;
  readonly #tooManyOfAddress: SocketRefused;
  readonly #all: readonly Channel[];
  readonly #signed: readonly Channel[];
  readonly #byName: ReadonlyMap<string, Channel>;
  // Those of them that hear of one kind of thing that happens to accounts.
  readonly #ofOrders: readonly Hearing<"order">[];
  readonly #ofDeals: readonly Hearing<"deal">[];
  readonly #ofStops: readonly Hearing<"stop">[];
  readonly #ofPositions: readonly Hearing<"position">[];
  readonly #ofBalances: readonly Hearing<"balances">[];
  /** Channels that are sent on a beat, with when that is due. */
  readonly #beating: readonly { readonly channel: Channel; readonly everyMs: number; dueMs: number }[];
  /** Clients for whom first pushes wait. */
  readonly #waiting = new Set<Client>();
  /** The time of the last beat, and when sessions are to be looked at again. */
  #nowMs = 0;
  #sessionsDueMs = 0;
  /** How often `beat` is to be called, in ms. */
  readonly beatMs: number;

  constructor(options: HubOptions) {
    this.#options = options;
    const { kind, generation, backend, accounts, limits, admitFigures } = options;
    const { state, feeds } = backend;
    this.#sessions = new Sessions(accounts);
    this.#tooManyHere = tooFrequent("There are too many messages on this connection.", {
      per: "connection",
      limit: limits.requestsMax,
      seconds: limits.requestsWindowMs / 1_000,
    });
    this.#tooManyOfAddress = new SocketRefused(
      "too_frequent",
      new Refused("address_rate_limited", undefined, undefined, admitFigures),
    );

    const context: ChannelContext = {
      kind,
      backend,
      push: generation.push,
      log: options.log,
      printers: new Printers(state),
      hidden: accounts.hidden,
      clientsOf: (userId) => this.#clientsOf(userId),
      marketNamed: (name) => state.marketNamed(name, kind === "futures"),
      markets: () => state.markets.filter((market) => !market.delisted && kindOf(market) === kind),
    };
    const described = generation.channels.filter((channel) => isOn(kind, channel));
    const channels = channelsOf(described, generation.declared, context);
    this.#byName = channels;
    this.#all = [...channels.values()];
    this.#ofOrders = hearing(this.#all, "order");
    this.#ofDeals = hearing(this.#all, "deal");
    this.#ofStops = hearing(this.#all, "stop");
    this.#ofPositions = hearing(this.#all, "position");
    this.#ofBalances = hearing(this.#all, "balances");
    this.#signed = described.filter(({ signed }) => signed).map(({ name }) => channels.get(name) as Channel);
    this.#beating = described
      .filter((channel) => channel.every_ms !== null)
      .map(({ name, every_ms }) => ({ channel: channels.get(name) as Channel, everyMs: every_ms as number, dueMs: 0 }));
    this.beatMs = Math.min(...this.#beating.map(({ everyMs }) => everyMs));
    this.#methods = generation.methodsOf(context, channels, {
      login: (client, asked) => this.#login(client, asked),
      loginBySession: (client, csrf) => this.#loginBySession(client, csrf),
      cancelOnDisconnect: (client, asked) => this.#cancelOnDisconnect(client, asked),
      openSession: (client) => ({ data: sessionText(this.#openSession(client), false) }),
      resume: (client, session, lastSeq) => this.#resume(client, session, lastSeq),
    });
    const { renderer } = generation;
    this.#ground = renderer && {
      ...{ renderer, path: options.path, observer: options.observer, now: () => backend.now() },
      failed: (err, method) => options.log.error({ err, method }, "a request over a socket failed unexpectedly"),
    };
    accounts.listen(this);
    feeds.listen(this);
  }

  /** Takes a message of a client; the answer comes first, then what it asked for. False when it was refused. */
  receive(client: Client, message: Buffer, isBinary: boolean): boolean {
    const request = this.#options.generation.read(message, isBinary, this.#options.limits.requestBytesMax);
    const { readBarrier } = this.#options;
    if (readBarrier !== undefined && (client.turn !== undefined || this.#isGuarded(request)))
      return this.#takeInTurn(client, request, readBarrier);
    return this.#take(client, request);
  }

  /**
   * Whether a request shows what is an account's own: what this node has not applied yet must not be missing in the
   * answer.
   */
  #isGuarded({ method }: ReadRequest): boolean {
    return method !== undefined && (method === LOGIN || this.#methods.get(method)?.signed === true);
  }

  /** Waits until this node is current; what comes behind it on this connection waits for its turn. */
  #takeInTurn(client: Client, request: ReadRequest, barrier: ReadBarrier): boolean {
    if (client.inTurn >= IN_TURN_MAX) {
      this.#refuse(client, request, TOO_MANY_LATE);
      return false;
    }
    client.inTurn++;
    const { line } = client;
    const isGuarded = this.#isGuarded(request);
    const isCurrent = isGuarded ? barrier().then(...SETTLED) : Promise.resolve(true);
    const turn = (client.turn ?? Promise.resolve())
      .then(() => isCurrent)
      .then((current) => {
        if (client.isGone(line)) return;
        if (current) this.#take(client.current, request);
        else this.#refuse(client.current, request, NOT_CURRENT);
      })
      .finally(() => {
        client.inTurn--;
        for (const each of [client, client.current]) if (each.turn === turn) each.turn = undefined;
      });
    client.turn = turn;
    return true;
  }

  #take(client: Client, request: ReadRequest): boolean {
    let isServed = false;
    try {
      if (request.method === undefined) this.#refuse(client, request, UNREADABLE);
      else isServed = this.#serve(client, request);
    } catch (error) {
      this.#fail(client, request, error);
    }
    if (client.isWaiting) this.#waiting.add(client);
    return isServed;
  }

  /** Answers a message that came too soon after the ones before it. */
  refuseTooFrequent(client: Client, message: Buffer, whose: "connection" | "address"): void {
    this.#refuse(client, { id: idInFront(message) }, whose === "address" ? this.#tooManyOfAddress : this.#tooManyHere);
  }

  /** Whether a client follows anything in a channel, by its name in the contract. */
  follows(client: Client, channel: string): boolean {
    return (this.#byName.get(channel)?.followed(client) ?? 0) > 0;
  }

  /** The connection of a client has ended. */
  leave(client: Client): void {
    const { watched, resumables } = this.#options;
    watched.ended(client);
    if (!resumables.leave(client)) this.#forget(client);
  }

  /** A client has gone. */
  #forget(client: Client): void {
    for (const channel of this.#all) channel.leave(client);
    this.#sessions.end(client);
    this.#waiting.delete(client);
    client.leave();
  }

  /** Sends what has been collected for long enough; `nowMs` is a time that runs evenly. */
  beat(nowMs: number): void {
    this.#guard("a beat of the sockets", () => this.#beat(nowMs));
    this.#options.watched.beat(nowMs);
    this.#options.resumables.beat(nowMs);
    for (const client of this.#waiting) {
      this.#guard("a first push", () => client.sendWaiting());
      if (!client.isWaiting) this.#waiting.delete(client);
    }
  }

  #beat(nowMs: number): void {
    this.#nowMs = nowMs;
    if (nowMs >= this.#sessionsDueMs) this.#lookAtSessions(nowMs);
    const { backend } = this.#options;
    if (backend.timeStands?.() === true) return;
    // What is pushed goes by the venue's time where that is in somebody's hand.
    const beatMs = backend.timeStands === undefined ? nowMs : backend.now();
    for (const beating of this.#beating) {
      // Half a beat early is on time: timers are never exact.
      if (beatMs < beating.dueMs - this.beatMs / 2) continue;
      beating.dueMs = beatMs + beating.everyMs;
      beating.channel.beat?.(beatMs);
    }
  }

  /** While time stands, or is moved on, each group of commands is a beat of its own. */
  #beatWithGroup(): void {
    const { backend } = this.#options;
    if (backend.timeStands?.() !== true) return;
    const beatMs = backend.now();
    for (const beating of this.#beating) {
      beating.dueMs = beatMs + beating.everyMs;
      beating.channel.beat?.(beatMs);
    }
  }

  /** Keys that have expired, and logins that are too old: nobody knows who holds such a connection by now. */
  #lookAtSessions(nowMs: number): void {
    this.#sessionsDueMs = nowMs + SESSIONS_EVERY_MS;
    const { authenticator, backend, limits } = this.#options;
    const venueMs = backend.now();
    this.#logOut((key, { loggedInMs }) => {
      if (nowMs - loggedInMs >= limits.loginMs) return LOGIN_TOO_OLD;
      const barred = authenticator.barredNow(key, venueMs);
      return barred && keyRefused(barred, key);
    });
    this.#options.usedSignatures.sweep(venueMs);
  }

  happened(event: RareEvent, timeMs: number): void {
    this.#guard("telling sockets what happened", () => this.#tell(event, timeMs));
  }

  #tell(event: RareEvent, timeMs: number): void {
    if (event.type === "api_key_deleted") {
      this.#logOut((key) => (key.accessId === event.accessId ? KEY_GONE : undefined));
    }
    if (event.type === "api_key_changed") this.#renewKey(event.accessId, event.userId);
    else if (event.type === "session_ended") this.#endLogins(event.userId, sessionAccessId(event.sessionId));
    else if (event.type === "user_changed") this.#logOutBarred(event.userId, timeMs);
    for (const channel of this.#all) channel.happened?.(event, timeMs);
  }

  applied(_events: WordBuffer, _from: number, _to: number, touched: readonly number[]): void {
    this.#guard("telling markets of events", () => {
      // Markets of both kinds may have the same name.
      const ours = touched.filter((marketId) => this.#isOurs(marketId));
      for (const channel of this.#all) channel.applied?.(ours);
    });
    this.#guard("a beat of the sockets", () => this.#beatWithGroup());
  }

  order(event: OrderEventName, order: OrderRecord, stopId: number): void {
    if (!this.#isOurs(order.marketId)) return;
    this.#tellAccount(order.userId, this.#ofOrders, (channel, clients) => channel.order(clients, event, order, stopId));
  }

  deal(userId: number, deal: OwnDeal): void {
    if (!this.#isOurs(deal.deal.marketId)) return;
    this.#tellAccount(userId, this.#ofDeals, (channel, clients) => channel.deal(clients, deal));
  }

  stop(event: StopEvent): void {
    if (!this.#isOurs(event.stop.marketId)) return;
    this.#tellAccount(event.stop.userId, this.#ofStops, (channel, clients) => channel.stop(clients, event));
  }

  position(event: PositionEvent): void {
    this.#tellAccount(event.userId, this.#ofPositions, (channel, clients) => channel.position(clients, event));
  }

  balances(userId: number, balances: readonly OwnBalance[]): void {
    this.#tellAccount(userId, this.#ofBalances, (channel, clients) => channel.balances(clients, balances));
  }

  /** Has each channel tell the connections of an account of something, if it has any here. */
  #tellAccount<Told>(
    userId: number,
    channels: readonly Told[],
    tell: (channel: Told, clients: readonly Client[]) => void,
  ): void {
    if (!this.#sessions.has(userId)) return;
    this.#guard("telling accounts of events", () => {
      const clients = this.#clientsOf(userId);
      if (clients.length > 0) for (const channel of channels) tell(channel, clients);
    });
  }

  /** Pushes go out within the venue's own turn, which no failure to make one may disturb. */
  #guard(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.log.error({ err: error }, `${what} failed unexpectedly`);
    }
  }

  #isOurs(marketId: number): boolean {
    return kindOf(this.#options.backend.state.markets[marketId] as Market) === this.#options.kind;
  }

  /** The connections of an account whose keys have not expired by the time of the events. */
  #clientsOf(userId: number): readonly Client[] {
    this.#logOutBarred(userId, this.#options.backend.state.timeMs);
    return this.#sessions.of(userId);
  }

  /** Answers a request, and does what it asks for; false when it was refused. */
  #serve(client: Client, request: SocketRequest): boolean {
    const answer = this.#answer(client, request);
    if (answer instanceof SocketRefused) {
      this.#refuse(client, request, answer);
      return false;
    }
    const { faults, path } = this.#options;
    const channels = this.#methods.get(request.method)?.channels ?? [];
    const strike = strikeOn(faults, path, client, request, channels, answer);
    if (strike === undefined) return this.#give(client, request, answer);
    return injectFault(faults as SocketFaults, strike, client, {
      perform: () => {
        if ("done" in answer) answer.done?.();
        else if ("perform" in answer) this.#perform(client, request, answer.perform, true);
      },
      refuse: (refused) => this.#refuse(client, request, refused),
      serve: () => this.#serveDelayed(client.current, request),
      fail: (error) => this.#fail(client, request, error),
    });
  }

  /** By now the login may have ended, or a market be gone: what is true now is answered. */
  #serveDelayed(client: Client, request: SocketRequest): void {
    const answer = this.#answer(client, request);
    if (answer instanceof SocketRefused) this.#refuse(client, request, answer);
    else this.#give(client, request, answer);
    if (client.isWaiting) this.#waiting.add(client);
  }

  #fail(client: Client, request: ReadRequest, error: unknown): void {
    this.#options.log.error({ err: error, method: request.method }, "a socket request failed unexpectedly");
    this.#refuse(client, request, failed());
  }

  #give(client: Client, request: SocketRequest, answer: CallAnswer): boolean {
    const { generation } = this.#options;
    if ("data" in answer) {
      client.send(generation.answer(request.id, answer.data));
      answer.done?.();
    } else if ("later" in answer) {
      return this.#answerLater(client, request, answer.later);
    } else if ("perform" in answer) {
      return this.#perform(client, request, answer.perform);
    } else {
      client.send(generation.acknowledge(request.id));
      answer.done();
    }
    return true;
  }

  /** Serves a request as over HTTP. Several may be under way; their answers come in the order of the log. */
  #perform(client: Client, request: SocketRequest, perform: (call: SocketCall) => void, isMuted = false): boolean {
    if (client.lateCalls >= LATE_CALLS_MAX) {
      this.#refuse(client, request, TOO_MANY_CALLS);
      return false;
    }
    const call = new SocketCall(this.#ground as CallGround, client, request, isMuted);
    call.goOn(() => perform(call));
    return true;
  }

  /**
   * Answers a request when its late data is known; meanwhile the connection goes on, and the ids tell the answers
   * apart. Refuses, and returns false, when the connection waits for too many answers. A client that has another
   * connection by then gets no answer.
   */
  #answerLater(client: Client, request: SocketRequest, later: () => Promise<LateAnswer>): boolean {
    if (client.lateAnswers >= LATE_ANSWERS_MAX) {
      this.#refuse(client, request, TOO_MANY_LATE);
      return false;
    }
    client.lateAnswers++;
    const { line } = client;
    later()
      .then((answer) => {
        if (client.line !== line) return;
        if (answer instanceof SocketRefused) this.#refuse(client, request, answer);
        else client.send(this.#options.generation.answer(request.id, answer.data));
      })
      .catch((error: unknown) => this.#fail(client, request, error))
      .finally(() => client.lateAnswers--);
    return true;
  }

  #answer(client: Client, { method: name, params: given }: SocketRequest): CallAnswer | SocketRefused {
    const method = this.#methods.get(name);
    if (method === undefined) return methodUnavailable(name);
    if (method.signed && !this.#isLoggedIn(client)) return NOT_LOGGED_IN;
    const params = method.check(given);
    if (params instanceof Refused) return new SocketRefused("invalid_argument", params);
    return tooManyNames(client, method, params, this.#options.limits) ?? method.run(client, params);
  }

  #isLoggedIn(client: Client): boolean {
    if (client.key !== undefined) this.#logOutBarred(client.key.userId, this.#options.backend.now());
    return client.key !== undefined;
  }

  /** A login renews that of the same account. It takes the place of another's, and drops what that one followed. */
  #login(client: Client, asked: LoginAsked): CallAnswer | SocketRefused {
    const { authenticator, backend, limits, usedSignatures } = this.#options;
    const { remoteAddress } = client;
    const { accessId, signature, timestamp } = asked;
    const { signWindowMs } = limits;
    const nowMs = backend.now();
    const key = authenticator.login({ ...asked, remoteAddress }, signWindowMs, nowMs);
    if (key instanceof Refused) return loginRefused(key);
    const untilMs = authenticator.goodUntil(timestamp, signWindowMs, nowMs);
    const use = usedSignatures.take(accessId, signature, remoteAddress, untilMs, nowMs);
    if (use === "too_many") return TOO_MANY_LOGINS;
    if (use === "used_elsewhere") return USED_ELSEWHERE;
    return this.#loggedIn(client, key);
  }

  /** By the cookie that came with the handshake, and the word that goes with it. */
  #loginBySession(client: Client, csrf: string): CallAnswer | SocketRefused {
    const { authenticator, backend } = this.#options;
    const key =
      authenticator.loginBySession?.(client.sessionToken, csrf, backend.now()) ?? new Refused("session_unknown");
    return key instanceof Refused ? loginRefused(key) : this.#loggedIn(client, key);
  }

  /** Cancels the orders of an account at the end of this connection, or not any more. */
  #cancelOnDisconnect(client: Client, { markets: names, ...asked }: WatchingAsked): CallAnswer {
    return {
      perform: (call) => {
        const lacking = this.#options.authenticator.lackOf?.(client.key as ApiKey, TRADES, call.nowMs);
        if (lacking !== undefined) {
          call.refuse(lacking);
          return;
        }
        const { state } = this.#options.backend;
        const markets = new Map<number, string>();
        for (const name of names) {
          const market = state.marketNamed(name, this.#options.kind === "futures");
          if (market === undefined) {
            call.refuse(new Refused("market_not_found"));
            return;
          }
          markets.set(market.id, name);
        }
        this.#options.watched.set(client, call, { ...asked, markets });
      },
    };
  }

  #openSession(client: Client): Resumable {
    return this.#options.resumables.open(client, this, () => this.#forget(client));
  }

  /**
   * A session of another socket or account, and one that has not kept enough, is not gone on with: a new one begins.
   */
  #resume(client: Client, token: string, lastSeq: number): CallAnswer {
    const { resumables, watched } = this.#options;
    const earlier = resumables.find(token);
    const isOurs = earlier?.hub === this && earlier.client.key?.userId === client.key?.userId;
    // Nothing is missing on a connection that has not ended; sending all again at a word would cost too much.
    if (!isOurs || earlier.client === client || !earlier.reaches(lastSeq))
      return { data: sessionText(this.#openSession(client), false) };
    return {
      data: sessionText(earlier, true),
      done: () => {
        const back = earlier.client;
        resumables.takeOver(earlier, client);
        watched.moved(client, back);
        back.key = client.key;
        back.loggedInMs = client.loggedInMs;
        this.#forget(client);
        earlier.goTo(lastSeq);
        back.whenRoom(earlier);
        back.sendWaiting();
        this.#waiting.add(back);
      },
    };
  }

  #loggedIn(client: Client, key: ApiKey): CallAnswer {
    return {
      login: key,
      done: () => {
        client.loggedInMs = this.#nowMs;
        if (client.key?.userId === key.userId) {
          // The same account goes on with what it follows.
          client.key = key;
          return;
        }
        this.#endSession(client);
        this.#sessions.begin(client, key);
        this.#lookAgain(client);
      },
    };
  }

  /** Logins go on with the key as it now is, but for those from addresses that it no longer serves. */
  #renewKey(accessId: string, userId: number): void {
    for (const client of this.#sessions.of(userId)) {
      if (client.key?.accessId !== accessId) continue;
      const key = this.#options.authenticator.renewed(client.key, client.remoteAddress);
      if (key === undefined) this.#endLoudly(client, addressRefused(client.remoteAddress));
      else client.key = key;
    }
  }

  #endLogins(userId: number, accessId: string): void {
    for (const client of this.#sessions.of(userId)) {
      if (client.key?.accessId === accessId) this.#endLoudly(client, new Refused("session_unknown"));
    }
  }

  #logOutBarred(userId: number, timeMs: number): void {
    // What an operator says of a main account holds for its sub-accounts.
    for (const id of [userId, ...this.#options.backend.state.users.subsOf(userId)]) {
      for (const client of this.#sessions.of(id)) {
        const barred = this.#options.authenticator.barredNow(client.key as ApiKey, timeMs);
        if (barred !== undefined) this.#endLoudly(client, keyRefused(barred, client.key as ApiKey));
      }
    }
  }

  /** Ends the logins that there is a reason to end. */
  #logOut(why: (key: ApiKey, client: Client) => Refused | undefined): void {
    for (const [client, refused] of this.#sessions.those(why)) this.#endLoudly(client, refused);
  }

  /** Who is logged out is told: silence would look like an account in which nothing happens. */
  #endLoudly(client: Client, why: Refused): void {
    const userId = client.key?.userId;
    this.#endSession(client);
    this.#refuse(client, { id: NO_ID }, loggedOut(why), userId);
  }

  #endSession(client: Client): void {
    const { resumables } = this.#options;
    // Who is away cannot be told.
    if (client.resumable !== undefined && client.hasLeft) {
      resumables.end(client.resumable);
      return;
    }
    resumables.forget(client);
    this.#options.watched.ended(client);
    for (const channel of this.#signed) channel.leave(client);
    this.#sessions.end(client);
    this.#lookAgain(client);
  }

  #lookAgain(client: Client): void {
    for (const channel of this.#all) channel.lookAgain?.(client);
  }

  #refuse(
    client: Client,
    { id, method = "" }: Pick<ReadRequest, "id" | "method">,
    { refusal, behind, more }: SocketRefused,
    userId = client.key?.userId ?? 0,
  ): void {
    const { generation, kind, path, observer } = this.#options;
    const { code, message } = generation.errorOf(kind, refusal);
    const told = observer?.hears({ path, method: shortened(method), userId, code, refused: behind });
    client.send(generation.refuse(id, code, more === undefined ? message : `${message}: ${more}`, told));
  }
}

/** Of a session, as its answer has it: JSON. */
function sessionText({ token, lastSeq }: Resumable, isResumed: boolean): string {
  return `{"session":"${token}","resumed":${isResumed},"last_seq":${lastSeq},"resume_ms":${RESUME_MS}}`;
}

/** The channels that the contract describes, by name. Throws when nothing serves one of them. */
function channelsOf(
  described: readonly SocketChannel[],
  declared: readonly ChannelDeclaration[],
  context: ChannelContext,
): ReadonlyMap<string, Channel> {
  const channels = new Map<string, Channel>();
  for (const contract of described) {
    const declaration = declared.find(({ name, markets }) => name === contract.name && isOn(context.kind, { markets }));
    if (declaration === undefined) throw new Error(`Nothing serves the channel ${contract.name} of the contract.`);
    channels.set(contract.name, declaration.make(contract, context));
  }
  return channels;
}

/** A channel that is told of something. */
type Hearing<What extends keyof Channel> = Channel & Required<Pick<Channel, What>>;

function hearing<What extends keyof Channel>(channels: readonly Channel[], what: What): Hearing<What>[] {
  return channels.filter((channel): channel is Hearing<What> => channel[what] !== undefined);
}

/** Which of the two sockets tells of a market. */
function kindOf({ futures }: Market): MarketKind {
  return futures === undefined ? "spot" : "futures";
}
