import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import type { KeyPermission } from "../../src/engine/accounts/command-schemas.ts";
import type { Command } from "../../src/engine/command.ts";
import { type Engine, refusalIn } from "../../src/engine/engine.ts";
import { checkInvariants } from "../../src/engine/invariants.ts";
import { REAL_CHANCE, SeededChance } from "../../src/gateway/auth/chance.ts";
import { engineKeys } from "../../src/gateway/auth/engine-keys.ts";
import type { ApiKey, KeyDirectory } from "../../src/gateway/auth/key-directory.ts";
import { KeyRing } from "../../src/gateway/auth/key-ring.ts";
import type { SecretVault } from "../../src/gateway/auth/secret-vault.ts";
import type { Backend, ChainAddresses } from "../../src/gateway/backend.ts";
import type { LifecycleTrace } from "../../src/gateway/explain/lifecycle-trace.ts";
import type { RequestMemory } from "../../src/gateway/explain/request-memory.ts";
import type { Fault } from "../../src/gateway/faults/faults.ts";
import { type FaultSpec, refuseTerms } from "../../src/gateway/faults/terms.ts";
import { NO_PROXIES, type ProxyOptions } from "../../src/gateway/http/proxies.ts";
import type { RequestObserver } from "../../src/gateway/http/request-observer.ts";
import type { Surface } from "../../src/gateway/http/router.ts";
import type { HttpServer } from "../../src/gateway/http/server.ts";
import type { RateFigures, RateSettings } from "../../src/gateway/limits/figures.ts";
import type { RateLimits } from "../../src/gateway/limits/rate-limits.ts";
import type { SharedQuotas } from "../../src/gateway/limits/shared/shared-quotas.ts";
import type { SocketOptions } from "../../src/gateway/sockets.ts";
import type { Mail } from "../../src/gateway/web/mails.ts";
import type { SocketEvent } from "../../src/gateway/ws/connection.ts";
import type { SocketLimits } from "../../src/gateway/ws/limits.ts";
import type { History } from "../../src/history/history.ts";
import { InjectedFaults } from "../../src/lab/dev/injected-faults.ts";
import { openGateway } from "../../src/venue/assembly/gateway.ts";
import { openNode } from "../../src/venue/assembly/node.ts";
import { openStorage } from "../../src/venue/assembly/storage.ts";
import { type WatchedNode, watched } from "../../src/venue/assembly/watch.ts";
import type { World } from "../../src/venue/assembly/world.ts";
import { hashOf } from "../../src/venue/machine.ts";
import type { Sequencer } from "../../src/venue/sequencer.ts";
import type { Settings } from "../../src/venue/settings.ts";
import { ApiClient, type ApiKeyPair } from "./api-client.ts";
import { INVERSE, LINEAR } from "./futures-venue.ts";
import { LegacySocketClient } from "./legacy-socket-client.ts";
import { SocketClient } from "./socket-client.ts";
import { describe, marketOf } from "./venue.ts";
import { testSettings, testWorld } from "./world.ts";

/** An instant at which nothing in particular begins: 2025-06-15 15:06:40 UTC. */
const START_MS = 1_750_000_000_000;
const DRAIN_MS = 2_000;

export interface ApiUser {
  readonly userId: number;
  /** Signs with a key that may read and trade. */
  readonly client: ApiClient;
}

/** What a test holds in its hand. */
interface Control {
  /** The venue's clock. */
  timeMs: number;
  /** Makes the venue say that too much is waiting. */
  busy: boolean;
  /** The even time that connections are measured with. */
  evenMs: number;
  /** Lets collected pushes go out. */
  beat: () => void;
  /** What has become of connections. */
  readonly socketEvents: SocketEvent[];
  /** Mails that were sent, oldest first. */
  readonly mails: Mail[];
  /** Failures that the gateway has logged. */
  readonly failures: object[];
}

/** What a surface is built on. */
export interface SurfaceGround {
  readonly backend: Backend;
  readonly directory: KeyDirectory;
  readonly keyRing: KeyRing;
  readonly limits: RateLimits | undefined;
}

export interface ApiVenueOptions {
  readonly compat?: boolean;
  /** Whether what the live venue is known to refuse is refused; it is not. */
  readonly strict?: boolean;
  /** Whether refusals on sockets say no more than the contract has; they do. */
  readonly isProduction?: boolean;
  /** Whether there is the legacy generation; there is. */
  readonly legacy?: boolean;
  /** Amounts by currency above which a withdrawal waits for an operator. */
  readonly reviewBound?: ReadonlyMap<string, string>;
  readonly socketLimits?: Partial<SocketLimits>;
  readonly admit?: (address: string) => boolean;
  /** Rate limits with these figures set; without, everybody may ask as much as they like. */
  readonly rates?: RateSettings;
  /** Makes those that they are shared with; without, nobody. */
  readonly others?: ((figures: RateFigures, nowMs: () => number) => Promise<SharedQuotas>) | undefined;
  /** What people who sign in from a page find. */
  readonly web?: WebOptions;
  /** Further generations of the API beside the current one. */
  readonly surfaces?: (ground: SurfaceGround) => readonly Surface[];
  /** That of another venue, whose keys may then be used here as well. */
  readonly vault?: SecretVault;
}

export interface WebOptions {
  readonly profile?: "dev" | "production";
  readonly demoAccounts?: readonly string[];
  readonly signUp?: boolean;
  readonly origin?: string;
  readonly proxies?: ProxyOptions;
}

/** A chain whose addresses say whose they are; capital letters are its one spelling, and DARK cannot be asked. */
const TEST_ADDRESSES: ChainAddresses = {
  addressOf: async (chain, userId, renewals) => (chain === "DARK" ? undefined : `A${userId}-${renewals}`),
  opened: () => Promise.resolve(true),
  normalized: (_chain, address) => (/^[A-Za-z0-9-]+$/.test(address) ? address.toUpperCase() : undefined),
};

/** What a venue of a test is made of. */
interface Parts {
  readonly node: WatchedNode;
  readonly server: HttpServer;
  readonly world: World;
  readonly control: Control;
  readonly faults: InjectedFaults;
  readonly notes: string[];
}

/**
 * Storage, node and gateway of a venue in memory, in which nothing happens by itself: a test is its clock and its
 * operator.
 */
export class ApiVenue {
  readonly engine: Engine;
  readonly history: History;
  readonly control: Control;
  /** What became of the latest requests. */
  readonly requests: RequestMemory;
  /** What goes wrong on purpose, */
  readonly faults: InjectedFaults;
  /** and what was noted of it. */
  readonly notes: string[];
  /** Signs nothing. */
  readonly anybody: ApiClient;
  readonly base: string;
  readonly #sequencer: Sequencer;
  readonly #gateway: HttpServer;
  readonly #vault: SecretVault;
  readonly #lifecycleTrace: LifecycleTrace | undefined;
  readonly #opened: AsyncDisposableStack;
  readonly #sockets: SocketClient[] = [];

  static async open(options: ApiVenueOptions = {}): Promise<ApiVenue> {
    const control: Control = {
      timeMs: START_MS,
      busy: false,
      evenMs: 0,
      beat: () => {},
      socketEvents: [],
      mails: [],
      failures: [],
    };
    const settings = settingsFor(options);
    const world = worldFor(options, control);
    const node = await watched(settings, await openNode(settings, await openStorage(settings, world), world), world);
    const notes: string[] = [];
    const faults = new InjectedFaults({
      chanceOf: (faultId) => new SeededChance(1, `fault ${faultId}`),
      note: (text) => void notes.push(text),
      now: () => control.timeMs,
    });
    const { backend, vault, limits, requests } = node;
    const ground = { backend, directory: engineKeys(backend.state), keyRing: new KeyRing(vault), limits };
    const names = options.web?.demoAccounts ?? [];
    const { server } = openGateway(
      settings,
      node,
      {
        faults,
        accounts: names.map((name) => ({ name, user_id: 0, access_id: "", secret_key: "" })),
        sockets: socketsFor(options, control),
        surfaces: options.surfaces?.(ground) ?? [],
        pages: new Map(),
        observer: watchful(requests.observer(REAL_CHANCE), control.failures, settings.profile === "dev"),
      },
      world,
    );
    const { port } = await server.listen("127.0.0.1", 0);
    server.open();
    return new ApiVenue({ node, server, world, control, faults, notes }, `http://127.0.0.1:${port}`);
  }

  private constructor({ node, server, world, control, faults, notes }: Parts, base: string) {
    this.engine = node.engine;
    this.history = node.history;
    this.#sequencer = node.sequencer;
    this.#gateway = server;
    this.#vault = node.vault;
    this.#opened = world.opened;
    this.control = control;
    this.requests = node.requests;
    this.faults = faults;
    this.notes = notes;
    this.#lifecycleTrace = node.lifecycleTrace;
    this.base = base;
    this.anybody = this.#client();
  }

  /** The lifecycle trace of orders and positions, which a venue in production does not keep. */
  get lifecycleTrace(): LifecycleTrace {
    assert.ok(this.#lifecycleTrace);
    return this.#lifecycleTrace;
  }

  /** Ends everything. No request may have failed unexpectedly, and the books and the ledger must be sound. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) await socket.close();
    await this.#gateway.drain(DRAIN_MS);
    await this.#opened.disposeAsync();
    assert.deepEqual(this.control.failures, []);
    assert.deepEqual(checkInvariants(this.engine.state), []);
  }

  /** Lets something go wrong; the same `faultId` draws the same. */
  fault(terms: FaultSpec, faultId = this.faults.reserve()): Fault {
    assert.equal(refuseTerms(terms), undefined);
    return this.faults.begin(faultId, terms);
  }

  /** A command of the operator, which must be accepted; gives its result. */
  async operate(command: Command): Promise<unknown> {
    const { refusal, detail, result } = await this.#sequencer.ask(command, (outcome) => ({
      refusal: refusalIn(outcome),
      detail: outcome.detail,
      result: outcome.result,
    }));
    assert.equal(refusal, undefined, `${describe(command)}: ${detail}`);
    return result;
  }

  /** A connection to the sockets; with a client of the API it is logged in as that client's user. */
  async socket(as?: ApiClient, path = "/v2/spot"): Promise<SocketClient> {
    const socket = await SocketClient.connect(this.base, path);
    this.#sockets.push(socket);
    if (as?.key !== undefined) await socket.must("server.sign", socket.signParams(as.key, this.#sequencer.now()));
    return socket;
  }

  /** The same of the legacy sockets. */
  async legacySocket(as?: ApiClient, path = "/"): Promise<LegacySocketClient> {
    const socket = await LegacySocketClient.connect(this.base, path);
    this.#sockets.push(socket);
    if (as?.key !== undefined) await socket.must("server.sign", socket.signRow(as.key, this.#sequencer.now()));
    return socket;
  }

  /** Lets as much even time pass as pushes are collected for, and lets them go out. */
  beat(ms = 200): void {
    this.control.evenMs += ms;
    this.control.beat();
  }

  /** Lets time pass. */
  async wait(ms: number): Promise<void> {
    this.control.timeMs += ms;
    await this.operate({ kind: "tick" });
  }

  async listAssets(...currencies: readonly string[]): Promise<void> {
    for (const ccy of currencies) await this.operate({ kind: "list_asset", ccy, scale: 8 });
  }

  /** A user who owns what is given, as { USDT: "100" }. */
  async addUser(name: string, funds: Readonly<Record<string, string>> = {}, mainUserId?: number): Promise<ApiUser> {
    const { userId } = (await this.operate({ kind: "create_user", name, mainUserId })) as { userId: number };
    for (const [ccy, amount] of Object.entries(funds)) {
      await this.operate({ kind: "deposit", userId, ccy, amount, note: "" });
    }
    return { userId, client: await this.addKey(userId, ["read", "trade"]) };
  }

  /** As `addUser`, with everything in the futures account. */
  async addTrader(name: string, funds: Readonly<Record<string, string>>): Promise<ApiUser> {
    const trader = await this.addUser(name, funds);
    for (const [ccy, amount] of Object.entries(funds)) {
      await this.operate({ kind: "transfer", userId: trader.userId, from: "SPOT", to: "FUTURES", ccy, amount });
    }
    return trader;
  }

  /** Sets the index of a futures market, and with it the mark. */
  /** Brings a stale index back: two updates, five seconds apart. */
  async indexBack(price: string, market = "BTCUSDT"): Promise<void> {
    await this.index(price, market);
    await this.wait(5_000);
    await this.index(price, market);
  }

  async index(price: string, market = "BTCUSDT"): Promise<void> {
    const sources = [{ exchange: "one", price }];
    await this.operate({ kind: "set_index_prices", market, marketType: "FUTURES", sources });
  }

  /** A client with a new key of the user. */
  async addKey(
    userId: number,
    permissions: readonly KeyPermission[],
    { expiredAt = 0, ipWhitelist = [] }: { expiredAt?: number; ipWhitelist?: readonly string[] } = {},
  ): Promise<ApiClient> {
    const accessId = randomBytes(16).toString("hex").toUpperCase();
    const secret = randomBytes(24).toString("hex");
    const secretCipher = this.#vault.seal(accessId, secret);
    const key = {
      kind: "create_api_key",
      userId,
      accessId,
      secretCipher,
      permissions,
      ipWhitelist,
      expiredAt,
    } as const;
    await this.operate(key);
    return this.#client({ accessId, secret });
  }

  /** A client with the key that another venue with the same vault has made for the user of this id. */
  async addSameKey(of: ApiVenue, { key }: ApiClient): Promise<ApiClient> {
    const { accessId, secret } = key as ApiKeyPair;
    const { userId, secretCipher, permissions, ipWhitelist, expiredAt } = engineKeys(of.engine.state).find(
      accessId,
    ) as ApiKey;
    const same = { userId, accessId, secretCipher, permissions, ipWhitelist, expiredAt };
    await this.operate({ kind: "create_api_key", ...same });
    return this.#client({ accessId, secret });
  }

  /** The hash of everything that commands can change. */
  stateHash(): string {
    return hashOf(this.engine);
  }

  #client(key?: { accessId: string; secret: string }): ApiClient {
    return new ApiClient(this.base, () => this.#sequencer.now(), key);
  }
}

/** A venue with the market of the worked examples, BTCUSDT, and with ETHUSDT. */
export async function bitcoinApiVenue(options: ApiVenueOptions = {}): Promise<ApiVenue> {
  const venue = await ApiVenue.open(options);
  await venue.listAssets("USDT", "BTC", "ETH");
  await venue.operate(marketOf("BTC", "USDT"));
  await venue.operate({ ...marketOf("ETH", "USDT"), minAmount: "0.001" });
  return venue;
}

/** A venue with the futures markets of the worked examples, BTCUSDT and BTCUSD, both with an index of 30000. */
export async function futuresApiVenue(options: ApiVenueOptions = {}): Promise<ApiVenue> {
  const venue = await ApiVenue.open(options);
  await venue.listAssets("USDT", "BTC", "USD");
  await listFutures(venue);
  return venue;
}

/** Lists them. BTC, USDT and USD must be listed. */
export async function listFutures(venue: ApiVenue): Promise<void> {
  await venue.operate(LINEAR);
  await venue.operate(INVERSE);
  await venue.index("30000");
  await venue.index("30000", "BTCUSD");
}

/** The body of an order in the futures market BTCUSDT: a limit order, or without a price a market order. */
export function contract(side: "buy" | "sell", amount: string, price?: string, more: object = {}) {
  const kind = price === undefined ? { type: "market" } : { type: "limit", price };
  return { market: "BTCUSDT", market_type: "FUTURES", side, amount, ...kind, ...more };
}

/** The body of a limit order in BTCUSDT. */
export function limitOrder(side: "buy" | "sell", amount: string, price: string, more: object = {}) {
  return { market: "BTCUSDT", market_type: "SPOT", side, type: "limit", amount, price, ...more };
}

/** The body of a market order in BTCUSDT. */
export function marketOrder(side: "buy" | "sell", amount: string, more: object = {}) {
  return { market: "BTCUSDT", market_type: "SPOT", side, type: "market", amount, ...more };
}

function settingsFor({ compat = false, strict = false, legacy = true, rates, ...rest }: ApiVenueOptions): Settings {
  const { isProduction = false, reviewBound = new Map(), web = {} } = rest;
  return testSettings({
    ...{ compat, strict, legacy, limits: rates !== undefined, rates: rates ?? {}, withdrawReview: reviewBound },
    profile: isProduction ? "production" : (web.profile ?? "dev"),
    serviceNames: ["SVC", "COINEX"],
    signUp: web.signUp ?? true,
    webOrigin: web.origin,
    proxies: web.proxies ?? NO_PROXIES,
    // Somebody sends mails, so that answers do not show what is in them.
    smtp: "smtp://127.0.0.1",
  });
}

function worldFor({ vault, others }: ApiVenueOptions, control: Control): World {
  return testWorld({
    log: pino({ level: "error" }, { write: (line) => void control.failures.push(JSON.parse(line)) }),
    clock: { now: () => control.timeMs },
    machineNow: () => control.timeMs,
    evenNow: () => control.evenMs,
    vault,
    mailer: { send: async (mail) => void control.mails.push(mail) },
    addresses: TEST_ADDRESSES,
    isFull: () => control.busy,
    shareQuotas: others && ((figures) => others(figures, () => control.timeMs)),
  });
}

function socketsFor({ socketLimits = {}, admit }: ApiVenueOptions, control: Control): Partial<SocketOptions> {
  return {
    limits: socketLimits,
    ...(admit === undefined ? {} : { admit }),
    now: () => control.evenMs,
    onEvent: (event) => void control.socketEvents.push(event),
    every: (_ms, beat) => {
      // Each kind of market has a beat of its own.
      const others = control.beat;
      control.beat = () => {
        others();
        beat();
      };
      return () => {};
    },
  };
}

/** An observer that takes a refusal without a reason for a failure; `tells`: the reason is in a header. */
function watchful(observer: RequestObserver, failures: object[], tells: boolean): RequestObserver {
  return {
    answered: (answered) => {
      const { context, code, refused } = answered;
      const lines = observer.answered(answered);
      if (code > 0 && refused === undefined) failures.push({ path: context?.path, code, why: "no reason was given" });
      if (tells && refused !== undefined && !/\r\nX-Bourse-Reason: \d[^\r\n]*\r\n$/.test(lines))
        failures.push({ lines });
      return lines;
    },
  };
}
