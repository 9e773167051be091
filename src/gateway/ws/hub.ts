import type { Happening, OrderEventName, OrderRecord } from "../../engine/event.ts";
import type { PositionEvent } from "../../engine/futures/positions/position-event.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { StopEvent } from "../../engine/stops/stop-event.ts";
import type { WordBuffer } from "../../engine/words.ts";
import type { FeedListener } from "../../feeds/feeds.ts";
import type { OwnBalance, OwnDeal, PrivateFeed, PrivateListener } from "../../feeds/private-feed.ts";
import type { ApiKey } from "../auth/key-directory.ts";
import { sessionAccessId } from "../auth/web-sessions.ts";
import type { GatewayLog } from "../http/server.ts";
import { Printers } from "../reading/market-printer.ts";
import { Refused } from "../refused.ts";
import type { Params } from "../request/validate.ts";
import type { Channel, ChannelContext, ChannelDeclaration, SocketBackend } from "./channel.ts";
import type { Client } from "./client.ts";
import { isOn, type MarketKind, type SocketChannel } from "./contract.ts";
import type { SocketRefusal } from "./errors.ts";
import type { LoginAsked, SocketAuthenticator, SocketGeneration } from "./generation.ts";
import type { SocketLimits } from "./limits.ts";
import type { CallAnswer, LateAnswer, Method } from "./methods.ts";
import { idInFront, NO_ID, type SocketRequest } from "./request.ts";
import { Sessions } from "./sessions.ts";
import type { UsedSignatures } from "./used-signatures.ts";

/** How often every login is looked at; whoever is told of something is looked at then as well. */
const SESSIONS_EVERY_MS = 1_000;

/** Answers that a connection may be waiting for; more than any program asks for at once. */
const LATE_ANSWERS_MAX = 8;

export interface HubOptions {
  readonly kind: MarketKind;
  readonly generation: SocketGeneration;
  readonly limits: Pick<
    SocketLimits,
    "requestBytesMax" | "subscriptionsMax" | "unlistedMax" | "loginMs" | "signWindowMs"
  >;
  readonly backend: SocketBackend;
  /** Of all sockets; told of events before the hubs are. */
  readonly accounts: PrivateFeed;
  readonly authenticator: SocketAuthenticator;
  /** Of the logins on all sockets. */
  readonly usedSignatures: UsedSignatures;
  readonly log: GatewayLog;
}

/**
 * All that happens on the sockets of one generation and one kind of market: requests come in, the venue's events come in, answers and pushes go
 * out. It knows clients by what they follow and who they are; bytes and connections are none of its business.
 *
 * Pushes come from events alone, after the state shows them: what a client asks for when it has seen a push is never older
 * than the push. The answer to the command itself is written before.
 */
export class Hub implements FeedListener, PrivateListener {
  readonly #options: HubOptions;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #sessions: Sessions;
  readonly #all: readonly Channel[];
  readonly #signed: readonly Channel[];
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
    const { kind, generation, backend, accounts } = options;
    const { state, feeds } = backend;
    this.#sessions = new Sessions(accounts);

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
    this.#all = [...channels.values()];
    this.#signed = described.filter(({ signed }) => signed).map(({ name }) => channels.get(name) as Channel);
    this.#beating = described
      .filter((channel) => channel.every_ms !== null)
      .map(({ name, every_ms }) => ({ channel: channels.get(name) as Channel, everyMs: every_ms as number, dueMs: 0 }));
    this.beatMs = Math.min(...this.#beating.map(({ everyMs }) => everyMs));
    this.#methods = generation.methodsOf(context, channels, {
      login: (client, asked) => this.#login(client, asked),
      loginBySession: (client, csrf) => this.#loginBySession(client, csrf),
    });
    accounts.listen(this);
    feeds.listen(this);
  }

  /** Takes a message of a client; the answer comes first, then what it asked for. False when it was refused. */
  receive(client: Client, message: Buffer, isBinary: boolean): boolean {
    const request = this.#options.generation.read(message, isBinary, this.#options.limits.requestBytesMax);
    let isServed = false;
    try {
      if (request.method === undefined) this.#refuse(client, request.id, "invalid_argument");
      else isServed = this.#serve(client, request);
    } catch (error) {
      this.#options.log.error({ err: error, method: request.method }, "a socket request failed unexpectedly");
      this.#refuse(client, request.id, "internal_error");
    }
    if (client.isWaiting) this.#waiting.add(client);
    return isServed;
  }

  /** Answers a message that came too soon after the ones before it. */
  refuseTooFrequent(client: Client, message: Buffer): void {
    this.#refuse(client, idInFront(message), "too_frequent");
  }

  /** A client has gone. */
  leave(client: Client): void {
    for (const channel of this.#all) channel.leave(client);
    this.#sessions.end(client);
    this.#waiting.delete(client);
    client.leave();
  }

  /** Sends what has been collected for long enough; `nowMs` is a time that runs evenly. */
  beat(nowMs: number): void {
    this.#guard("a beat of the sockets", () => this.#beat(nowMs));
    for (const client of this.#waiting) {
      this.#guard("a first push", () => client.sendWaiting());
      if (!client.isWaiting) this.#waiting.delete(client);
    }
  }

  #beat(nowMs: number): void {
    this.#nowMs = nowMs;
    if (nowMs >= this.#sessionsDueMs) this.#lookAtSessions(nowMs);
    for (const beating of this.#beating) {
      // Half a beat early is on time: timers are never exact.
      if (nowMs < beating.dueMs - this.beatMs / 2) continue;
      beating.dueMs = nowMs + beating.everyMs;
      beating.channel.beat?.(nowMs);
    }
  }

  /** Keys that have expired, and logins that are too old: nobody knows who holds such a connection by now. */
  #lookAtSessions(nowMs: number): void {
    this.#sessionsDueMs = nowMs + SESSIONS_EVERY_MS;
    const { authenticator, backend, limits } = this.#options;
    const venueMs = backend.now();
    this.#logOut(
      (key, { loggedInMs }) =>
        nowMs - loggedInMs >= limits.loginMs || authenticator.barredNow(key, venueMs) !== undefined,
    );
    this.#options.usedSignatures.sweep(venueMs);
  }

  happened(event: Happening, timeMs: number): void {
    this.#guard("telling sockets what happened", () => this.#tell(event, timeMs));
  }

  #tell(event: Happening, timeMs: number): void {
    if (event.type === "api_key_deleted") this.#logOut((key) => key.accessId === event.accessId);
    else if (event.type === "api_key_changed") this.#renewKey(event.accessId, event.userId);
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
  }

  order(event: OrderEventName, order: OrderRecord, stopId: number): void {
    if (!this.#isOurs(order.marketId)) return;
    this.#tellAccount(order.userId, (channel, clients) => channel.order?.(clients, event, order, stopId));
  }

  deal(userId: number, deal: OwnDeal): void {
    if (!this.#isOurs(deal.deal.marketId)) return;
    this.#tellAccount(userId, (channel, clients) => channel.deal?.(clients, deal));
  }

  stop(event: StopEvent): void {
    if (!this.#isOurs(event.stop.marketId)) return;
    this.#tellAccount(event.stop.userId, (channel, clients) => channel.stop?.(clients, event));
  }

  position(event: PositionEvent): void {
    this.#tellAccount(event.userId, (channel, clients) => channel.position?.(clients, event));
  }

  balances(userId: number, balances: readonly OwnBalance[]): void {
    this.#tellAccount(userId, (channel, clients) => channel.balances?.(clients, balances));
  }

  /** Lets each channel tell the connections of an account of something, if it has any here. */
  #tellAccount(userId: number, tell: (channel: Channel, clients: readonly Client[]) => void): void {
    this.#guard("telling accounts of events", () => {
      const clients = this.#clientsOf(userId);
      if (clients.length > 0) for (const channel of this.#all) tell(channel, clients);
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
    return [...this.#sessions.of(userId)];
  }

  /** Answers a request, and does what it asks for; false when it was refused. */
  #serve(client: Client, request: SocketRequest): boolean {
    const { id } = request;
    const { generation } = this.#options;
    const answer = this.#answer(client, request);
    if (typeof answer === "string") {
      this.#refuse(client, id, answer);
      return false;
    }
    if ("refusal" in answer) {
      this.#refuse(client, id, answer.refusal, answer.why);
      return false;
    }
    if ("data" in answer) {
      client.send(generation.answer(id, answer.data));
    } else if ("later" in answer) {
      return this.#answerLater(client, request, answer.later);
    } else {
      client.send(generation.acknowledge(id));
      answer.done();
    }
    return true;
  }

  /** What is known late is answered when it is; meanwhile the connection goes on, and its ids tell the answers apart. */
  #answerLater(client: Client, { id, method }: SocketRequest, later: () => Promise<LateAnswer>): boolean {
    if (client.lateAnswers >= LATE_ANSWERS_MAX) {
      this.#refuse(client, id, "too_frequent");
      return false;
    }
    client.lateAnswers++;
    later()
      .then((answer) => {
        if (typeof answer === "string") this.#refuse(client, id, answer);
        else client.send(this.#options.generation.answer(id, answer.data));
      })
      .catch((error: unknown) => {
        this.#options.log.error({ err: error, method }, "a socket request failed unexpectedly");
        this.#refuse(client, id, "internal_error");
      })
      .finally(() => client.lateAnswers--);
    return true;
  }

  #answer(client: Client, { method: name, params: given }: SocketRequest): CallAnswer | SocketRefusal | Refusal {
    const method = this.#methods.get(name);
    if (method === undefined) return "method_unavailable";
    if (method.signed && !this.#isLoggedIn(client)) return "auth_required";
    const params = method.check(given);
    if (params === undefined) return "invalid_argument";
    return this.#tooMuch(client, method, params) ?? method.run(client, params);
  }

  /** Leaving names may cost room too, as exceptions from everything; it always works below the bound. */
  #tooMuch(client: Client, { names: about }: Method, params: Params): SocketRefusal | Refusal | undefined {
    if (about === undefined) return undefined;
    const { channels, isJoining, replaces } = about;
    const { subscriptionsMax, unlistedMax } = this.#options.limits;
    const { budget } = client;
    const [names] = Object.values(params) as (readonly unknown[])[];
    let added = Math.max(1, names?.length ?? 1) * channels.length;
    let unlisted = 0;
    for (const channel of channels) {
      unlisted += channel.unlistedIn(client, params, isJoining);
      if (!replaces) continue;
      // What gives way makes room.
      added = Math.max(0, added - channel.followed(client));
    }
    const ownMax = isJoining ? subscriptionsMax : 2 * subscriptionsMax;
    if (client.subscriptions + added > ownMax) return tooMany(`a connection follows ${ownMax} names at most`);
    if (unlisted > 0 && client.unlisted + unlisted > unlistedMax) {
      return tooMany(`a connection follows ${unlistedMax} names at most that are not listed`);
    }
    if (isJoining && added > 0 && !budget.allows(client.subscriptions, added)) return CROWDED;
    if (unlisted > 0 && !budget.allowsUnlisted(client.unlisted, unlisted)) return CROWDED;
    return undefined;
  }

  #isLoggedIn(client: Client): boolean {
    if (client.key !== undefined) this.#logOutBarred(client.key.userId, this.#options.backend.now());
    return client.key !== undefined;
  }

  /** A login renews that of the same account. It takes the place of another's, and drops what that one followed. */
  #login(client: Client, asked: LoginAsked): CallAnswer | SocketRefusal {
    const { authenticator, backend, limits, usedSignatures } = this.#options;
    const { remoteAddress } = client;
    const { accessId, signature, timestamp } = asked;
    const { signWindowMs } = limits;
    const nowMs = backend.now();
    const key = authenticator.login({ ...asked, remoteAddress }, signWindowMs, nowMs);
    if (key instanceof Refused) return "signature_incorrect";
    const untilMs = authenticator.goodUntil(timestamp, signWindowMs, nowMs);
    const use = usedSignatures.take(accessId, signature, remoteAddress, untilMs, nowMs);
    if (use === "too_many") return "too_frequent";
    if (use === "used_elsewhere") return "signature_incorrect";
    return this.#loggedIn(client, key);
  }

  /** By the cookie that came with the handshake, and the word that goes with it. */
  #loginBySession(client: Client, csrf: string): CallAnswer | SocketRefusal {
    const { authenticator, backend } = this.#options;
    const key = authenticator.loginBySession?.(client.sessionToken, csrf, backend.now());
    return key === undefined || key instanceof Refused ? "signature_incorrect" : this.#loggedIn(client, key);
  }

  #loggedIn(client: Client, key: ApiKey): CallAnswer {
    return {
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
    for (const client of [...this.#sessions.of(userId)]) {
      if (client.key?.accessId !== accessId) continue;
      const key = this.#options.authenticator.renewed(client.key, client.remoteAddress);
      if (key === undefined) this.#endLoudly(client);
      else client.key = key;
    }
  }

  #endLogins(userId: number, accessId: string): void {
    for (const client of [...this.#sessions.of(userId)]) if (client.key?.accessId === accessId) this.#endLoudly(client);
  }

  #logOutBarred(userId: number, timeMs: number): void {
    for (const client of [...this.#sessions.of(userId)]) {
      if (this.#options.authenticator.barredNow(client.key as ApiKey, timeMs) !== undefined) this.#endLoudly(client);
    }
  }

  #logOut(applies: (key: ApiKey, client: Client) => boolean): void {
    for (const client of this.#sessions.those(applies)) this.#endLoudly(client);
  }

  /** Who is logged out is told: silence would look like an account in which nothing happens. */
  #endLoudly(client: Client): void {
    this.#endSession(client);
    this.#refuse(client, NO_ID, "auth_required");
  }

  #endSession(client: Client): void {
    for (const channel of this.#signed) channel.leave(client);
    this.#sessions.end(client);
    this.#lookAgain(client);
  }

  #lookAgain(client: Client): void {
    for (const channel of this.#all) channel.lookAgain?.(client);
  }

  #refuse(client: Client, id: string, refusal: SocketRefusal, why?: string): void {
    const { generation, kind } = this.#options;
    client.send(generation.refuse(kind, id, refusal, why));
  }
}

/** A refusal with what there is to say beyond the contract's message. */
interface Refusal {
  readonly refusal: SocketRefusal;
  readonly why: string;
}

function tooMany(why: string): Refusal {
  return { refusal: "invalid_argument", why };
}

const CROWDED: Refusal = {
  refusal: "service_unavailable",
  why: "all connections together follow as many names as the venue can; follow fewer, or try again later",
};

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

/** Which of the two sockets tells of a market. */
function kindOf({ futures }: Market): MarketKind {
  return futures === undefined ? "spot" : "futures";
}
