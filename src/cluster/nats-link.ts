/** The nodes' way to each other and to the streams, over NATS: the only file that knows of it. */
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from "@nats-io/jetstream";
import {
  AuthorizationError,
  type ConnectionOptions,
  connect,
  type Msg,
  type NatsConnection,
} from "@nats-io/transport-node";
import { SLOTS } from "./agreement/ports.ts";

/** A group of commands, its head included, may be so large. */
const PAYLOAD_BYTES_MIN = 8 * 1024 * 1024;
/** Each stream keeps so much: what nodes lack beyond it they read from each other. */
const STREAM_BYTES = 128 * 1024 * 1024;
/** How many servers hold a stream. */
const REPLICAS = 3;
const WRONG_LAST_SEQUENCE = 10_071;
const STREAM_NOT_FOUND = 10_059;
const PUBLISH_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 1_000;
/** A stream that has a leader answers at once. */
const STREAM_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;
/** A server that is silent for two of these is left for another one. */
const PING_MS = 250;
const RECONNECT_MS = 100;
/** Entries that are read at a time. */
export const READ_AT_ONCE = 64;
/** The leaders of the streams are looked at this often. */
const APART_MS = 2_000;

/** An entry as a stream has it, and its place there. */
export interface StoredEntry {
  readonly streamSeq: number;
  readonly bytes: Uint8Array;
}

export interface LinkHandlers {
  onMessage(bytes: Uint8Array): void;
  onEntry(slot: number, entry: StoredEntry): void;
  /** Another node asks; undefined: this one has nothing to say. */
  onAsked(bytes: Uint8Array): Uint8Array | undefined;
  onConnection(isUp: boolean): void;
  /** The connection is over and does not come back: the servers let this node in no longer. */
  onEnd(reason: string): void;
}

export interface LinkOptions {
  /** As `nats://host:port`; the first is asked first. */
  readonly servers: readonly string[];
  readonly node: string;
  readonly handlers: LinkHandlers;
}

/** The servers are not as the nodes need them. */
export class NatsUnfit extends Error {
  readonly code = "NATS_UNFIT";

  constructor(reason: string) {
    super(`The NATS servers cannot hold the log: ${reason}`);
    this.name = "NatsUnfit";
  }
}

/** Where the servers are, and the word that lets this node in: the same at all of them, as at one cluster. */
function accessTo(servers: readonly string[]): Pick<ConnectionOptions, "servers" | "user" | "pass" | "tls"> {
  const urls = servers.map((server) => new URL(server));
  const { username, password } = urls[0] as URL;
  return {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    ...(username === "" ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(urls.some(({ protocol }) => protocol === "tls:") ? { tls: {} } : {}),
  };
}

export class NatsLink {
  readonly #connection: NatsConnection;
  readonly #handlers: LinkHandlers;
  readonly #streams: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #replicas: number;
  #isUp = true;

  /** Waits for a server that answers. Throws NatsUnfit. */
  static async open({ servers, node, handlers }: LinkOptions): Promise<NatsLink> {
    const connection = await connect({
      ...accessTo(servers),
      name: `bourse ${node}`,
      noRandomize: true,
      ignoreClusterUpdates: true,
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      timeout: CONNECT_TIMEOUT_MS,
      pingInterval: PING_MS,
      maxPingOut: 2,
    }).catch((error: Error) => {
      if (!(error instanceof AuthorizationError)) throw error;
      throw new NatsUnfit("they do not let this node in: the user or the password in the setting log is not theirs.");
    });
    try {
      const { max_payload: bytes = 0, jetstream: hasStreams } = connection.info ?? {};
      if (hasStreams !== true)
        throw new NatsUnfit("JetStream is not enabled; add a block jetstream to their configuration.");
      if (bytes < PAYLOAD_BYTES_MIN) throw new NatsUnfit(`they take ${bytes} bytes at a time; set max_payload to 8MB.`);
      const manager = await jetstreamManager(connection, { checkAPI: false, timeout: STREAM_TIMEOUT_MS });
      const link = new NatsLink(connection, manager, handlers, servers.length < REPLICAS ? 1 : REPLICAS);
      link.#listen(node);
      return link;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  private constructor(connection: NatsConnection, manager: JetStreamManager, handlers: LinkHandlers, replicas: number) {
    this.#connection = connection;
    this.#handlers = handlers;
    this.#streams = jetstream(connection, { timeout: PUBLISH_TIMEOUT_MS });
    this.#manager = manager;
    this.#replicas = replicas;
  }

  #listen(node: string): void {
    const { onMessage, onEntry, onAsked, onConnection, onEnd } = this.#handlers;
    for (const subject of ["bourse.nodes", `bourse.node.${node}`]) {
      this.#connection.subscribe(subject, { callback: (_error, { data }) => onMessage(data) });
    }
    this.#connection.subscribe(`bourse.ask.${node}`, {
      callback: (_error, message: Msg) => {
        const answer = onAsked(message.data);
        if (answer !== undefined) message.respond(answer);
      },
    });
    for (let slot = 0; slot < SLOTS; slot++) {
      this.#connection.subscribe(`bourse.out.${slot}`, {
        callback: (_error, { data, headers }) => {
          const streamSeq = Number(headers?.get("Nats-Sequence"));
          if (Number.isSafeInteger(streamSeq) && streamSeq > 0) onEntry(slot, { streamSeq, bytes: data });
        },
      });
    }
    void this.#watch(onConnection);
    void this.#connection.closed().then((error) => {
      if (error instanceof Error) onEnd(error.message);
    });
  }

  async #watch(onConnection: (isUp: boolean) => void): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type !== "disconnect" && type !== "reconnect") continue;
      this.#isUp = type === "reconnect";
      onConnection(this.#isUp);
    }
  }

  /** To one node, or to all. What cannot be sent now is not sent: it would be old when it came. */
  send(to: string | undefined, bytes: Uint8Array): void {
    if (!this.#isUp || this.#connection.isClosed()) return;
    this.#connection.publish(to === undefined ? "bourse.nodes" : `bourse.node.${to}`, bytes);
  }

  /** Undefined: no answer in time. */
  async ask(node: string, question: Uint8Array, timeoutMs = REQUEST_TIMEOUT_MS): Promise<Uint8Array | undefined> {
    if (!this.#isUp || this.#connection.isClosed()) return undefined;
    try {
      return (await this.#connection.request(`bourse.ask.${node}`, question, { timeout: timeoutMs })).data;
    } catch {
      return undefined;
    }
  }

  /** True: it is in. A number: it was refused, since the stream ends there. Undefined: nobody knows. */
  async publish(slot: number, bytes: Uint8Array, expected: number): Promise<true | number | undefined> {
    if (!this.#isUp || this.#connection.isClosed()) return undefined;
    try {
      await this.#streams.publish(`bourse.in.${slot}`, bytes, { expect: { lastSequence: expected }, retries: 1 });
      return true;
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== WRONG_LAST_SEQUENCE) return undefined;
      const [, last] = /wrong last sequence: (\d+)/.exec(error.message) ?? [];
      return last === undefined ? undefined : Number(last);
    }
  }

  /** Where a stream ends, and its last entry; makes it where it is not there. Undefined: nobody knows. */
  async endOf(slot: number): Promise<{ readonly last: number; readonly bytes: Uint8Array | undefined } | undefined> {
    try {
      const { state } = await this.#info(slot);
      if (state.last_seq === 0 || state.messages === 0) return { last: state.last_seq, bytes: undefined };
      const [entry] = await this.read(slot, state.last_seq, state.last_seq);
      return entry === undefined ? undefined : { last: state.last_seq, bytes: entry.bytes };
    } catch {
      return undefined;
    }
  }

  async #info(slot: number) {
    const name = `bourse-${slot}`;
    try {
      return await this.#manager.streams.info(name);
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== STREAM_NOT_FOUND) throw error;
      return await this.#manager.streams.add({
        name,
        subjects: [`bourse.in.${slot}`],
        num_replicas: this.#replicas,
        storage: "file",
        retention: "limits",
        discard: "old",
        max_bytes: STREAM_BYTES,
        allow_direct: true,
        republish: { src: `bourse.in.${slot}`, dest: `bourse.out.${slot}` },
      });
    }
  }

  /** Makes the streams that are missing; whether all are there. */
  async makeStreams(): Promise<boolean> {
    const made = await Promise.all(Array.from({ length: SLOTS }, (_, slot) => this.endOf(slot)));
    return made.every((end) => end !== undefined);
  }

  /** Entries from `from` to `to`, or as many as come at once; those that are no longer there are left out. */
  async read(slot: number, from: number, to: number): Promise<StoredEntry[]> {
    const count = Math.min(to - from + 1, READ_AT_ONCE);
    const name = `bourse-${slot}`;
    const found = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        this.#manager.direct.getMessage(name, { seq: from + at }).catch(() => undefined),
      ),
    );
    return found.flatMap((message) => (message ? [{ streamSeq: message.seq, bytes: message.data }] : []));
  }

  /** The first entry that a stream still has; undefined: nobody knows. */
  async firstOf(slot: number): Promise<number | undefined> {
    try {
      return (await this.#manager.streams.info(`bourse-${slot}`)).state.first_seq;
    } catch {
      return undefined;
    }
  }

  /**
   * Sees to it that the stream in use is led by another server than the one that this node is at, and the others by others: one machine that
   * fails takes one of them along at most. To be called by the leader, every `apartMs`.
   */
  async keepApart(slot: number): Promise<void> {
    const own = this.#connection.info?.server_name;
    const [next, afterNext] = [(slot + 1) % SLOTS, (slot + 2) % SLOTS];
    try {
      const [leader, second, third] = await Promise.all([slot, next, afterNext].map((each) => this.#leaderOf(each)));
      if (leader === undefined) return;
      if (leader === own) await this.#stepDown(slot);
      if (second === leader) await this.#stepDown(next);
      else if (third === leader || third === second) await this.#stepDown(afterNext);
    } catch {
      // Another time.
    }
  }

  static readonly apartMs = APART_MS;

  async #leaderOf(slot: number): Promise<string | undefined> {
    const { cluster } = await this.#manager.streams.info(`bourse-${slot}`);
    return (cluster?.replicas?.length ?? 0) === 0 ? undefined : cluster?.leader;
  }

  async #stepDown(slot: number): Promise<void> {
    await this.#connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.bourse-${slot}`, "", {
      timeout: REQUEST_TIMEOUT_MS,
    });
  }

  async close(): Promise<void> {
    if (this.#connection.isClosed()) return;
    await Promise.race([
      this.#connection.drain(),
      new Promise((resolve) => setTimeout(resolve, REQUEST_TIMEOUT_MS).unref()),
    ]);
    await this.#connection.close();
  }
}
