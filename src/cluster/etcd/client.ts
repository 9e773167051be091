import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import {
  type ChannelCredentials,
  type Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { type ServiceName, serviceOf } from "./protocol.ts";

/**
 * A call waits so long for its answer, and longer on a machine that is merely slow: twice as long after each failure.
 */
const CALL_MS = 500;
const CALL_MS_MAX = 4_000;
const KEEPALIVE_MS = 2_000;
const RECONNECT_MS = 100;
const RECONNECT_MS_MAX = 1_000;

/** Faults of the servers that do not pass, by the words that etcd has for them. */
const UNFIT: readonly (readonly [RegExp, string])[] = [
  [
    /authentication failed|user name is empty|password/i,
    "they do not let this node in: the user or the password in the setting log is not theirs",
  ],
  [/permission denied/i, "the user in the setting log may not read and write the keys of the venue"],
  [
    /authentication is not enabled/i,
    "the setting log names a user, but authentication is not enabled there; run: etcdctl auth enable",
  ],
];

/**
 * Codes of faults that pass by themselves: the server is busy, is about to end, or has lost the others. Whatever etcd
 * has no code for is of this kind as well.
 */
const PASSING_CODES: ReadonlySet<number> = new Set([
  ...[status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED, status.UNKNOWN, status.INTERNAL, status.ABORTED],
]);
const PASSING = /too many requests|not leader/i;

/** No server answered: whether the call had an effect is not known. */
export class EtcdAway extends Error {
  readonly code = "ETCD_AWAY";

  constructor(cause: Error) {
    super(`No etcd server answers: ${cause.message}`, { cause });
    this.name = "EtcdAway";
  }
}

/** The servers are not as the nodes need them. */
export class EtcdUnfit extends Error {
  readonly code = "ETCD_UNFIT";

  constructor(reason: string, options?: ErrorOptions) {
    super(`The etcd servers cannot hold the log: ${reason}.`, options);
    this.name = "EtcdUnfit";
  }
}

/** The servers have no room: nothing is written until an operator makes some. */
export class EtcdFull extends Error {
  readonly code = "ETCD_FULL";

  constructor() {
    super("The etcd servers have no room left (alarm NOSPACE).");
    this.name = "EtcdFull";
  }
}

export interface EtcdAccess {
  /**
   * As `http://host:2379` or `https://user:password@host:2379`, with the path under which the venue's keys lie; the
   * first is asked first.
   */
  readonly servers: readonly string[];
  /**
   * In PEM: who signed the servers' certificates, and this node's own certificate with its key; undefined: the
   * system's, and none.
   */
  readonly tls?: {
    readonly ca?: Buffer | undefined;
    readonly cert?: Buffer | undefined;
    readonly key?: Buffer | undefined;
  };
}

type Unary = (request: object, metadata: Metadata, options: { deadline: number }, done: Done) => void;
type Done = (error: ServiceError | null, answer: unknown) => void;
type Opened = (metadata: Metadata) => ClientDuplexStream<object, unknown>;

interface Server {
  readonly host: string;
  readonly credentials: ChannelCredentials;
  /** Sent to it as the name that is asked for, where the host is an address. */
  readonly nameOfAddress: string | undefined;
  readonly clients: Map<ServiceName, Client>;
}

/** Calls of etcd's interface, at one server after the other: a server that fails is left for the next one. */
export class EtcdClient {
  readonly #servers: readonly Server[];
  readonly #user: { readonly name: string; readonly password: string } | undefined;
  #at = 0;
  #token: string | undefined;
  #patience = 1;
  #isClosed = false;
  /** Hears that another server is asked from now on: what a stream of the one before still says is late. */
  onMoved: () => void = () => {};

  constructor({ servers, tls }: EtcdAccess) {
    const urls = servers.map((server) => new URL(server));
    const [first] = urls as [URL];
    this.#servers = urls.map((url) => serverOf(url, tls));
    if (first.username !== "") {
      this.#user = { name: decodeURIComponent(first.username), password: decodeURIComponent(first.password) };
    }
  }

  /** The server that is asked at present. */
  get server(): string {
    return (this.#servers[this.#at] as Server).host;
  }

  get hosts(): readonly string[] {
    return this.#servers.map(({ host }) => host);
  }

  /** Throws EtcdAway, EtcdUnfit or EtcdFull; other errors of etcd as they are. */
  async call<Answer>(service: ServiceName, method: string, request: object, server = this.#at): Promise<Answer> {
    if (this.#user !== undefined && this.#token === undefined) await this.#signIn(server);
    try {
      const answer = await this.#unary<Answer>(service, method, request, server);
      this.#patience = 1;
      return answer;
    } catch (error) {
      throw this.#judged(error as ServiceError, server);
    }
  }

  /** A stream of the server that is asked at present. Its errors are told by `fail`. */
  async open(service: ServiceName, method: string): Promise<ClientDuplexStream<object, unknown>> {
    if (this.#user !== undefined && this.#token === undefined) await this.#signIn(this.#at);
    const metadata = this.#metadata();
    // A server that has lost the others ends the stream instead of keeping silent.
    metadata.set("hasleader", "true");
    const client = this.#clientOf(service, this.#at) as unknown as Record<string, Opened>;
    return (client[method] as Opened).call(client, metadata);
  }

  /** Takes the error that ended a stream of `server`: another server is asked from now on where that one failed. */
  fail(error: ServiceError, server: string): void {
    this.#judged(
      error,
      this.#servers.findIndex(({ host }) => host === server),
    );
  }

  /** How long a call waits at present, ms. */
  get waitsMs(): number {
    return Math.min(CALL_MS * this.#patience, CALL_MS_MAX);
  }

  close(): void {
    this.#isClosed = true;
    for (const { clients } of this.#servers) for (const client of clients.values()) client.close();
  }

  async #signIn(server: number): Promise<void> {
    try {
      const { token } = await this.#unary<{ token: string }>("Auth", "Authenticate", this.#user as object, server);
      this.#token = token;
    } catch (error) {
      throw this.#judged(error as ServiceError, server);
    }
  }

  #metadata(): Metadata {
    const metadata = new Metadata();
    if (this.#token !== undefined) metadata.set("token", this.#token);
    return metadata;
  }

  #clientOf(service: ServiceName, at: number): Client {
    const { host, clients, credentials: shown, nameOfAddress } = this.#servers[at] as Server;
    const known = clients.get(service);
    if (known !== undefined) return known;
    const made = new (serviceOf(service))(host, shown, {
      ...(nameOfAddress === undefined ? {} : { "grpc.ssl_target_name_override": nameOfAddress }),
      "grpc.max_receive_message_length": -1,
      "grpc.max_send_message_length": -1,
      "grpc.enable_http_proxy": 0,
      "grpc.enable_retries": 0,
      "grpc.keepalive_time_ms": KEEPALIVE_MS,
      "grpc.keepalive_timeout_ms": KEEPALIVE_MS,
      "grpc.initial_reconnect_backoff_ms": RECONNECT_MS,
      "grpc.max_reconnect_backoff_ms": RECONNECT_MS_MAX,
    });
    clients.set(service, made);
    return made;
  }

  #unary<Answer>(service: ServiceName, method: string, request: object, server: number): Promise<Answer> {
    const client = this.#clientOf(service, server) as unknown as Record<string, Unary>;
    const deadline = Date.now() + this.waitsMs;
    return new Promise((resolve, reject) => {
      (client[method] as Unary).call(client, request, this.#metadata(), { deadline }, (error, answer) => {
        if (error === null) resolve(answer as Answer);
        else reject(error);
      });
    });
  }

  #judged(error: ServiceError, server: number): Error {
    const words = error.details ?? error.message;
    if (/invalid auth token|auth: revision in header is old/i.test(words)) {
      this.#token = undefined;
      return new EtcdAway(error);
    }
    const [, unfit] = UNFIT.find(([pattern]) => pattern.test(words)) ?? [];
    if (unfit !== undefined) return new EtcdUnfit(unfit);
    if (/database space exceeded/i.test(words)) return new EtcdFull();
    if (!PASSING_CODES.has(error.code) && !PASSING.test(words)) return error;
    if (server === this.#at && !this.#isClosed) {
      if (error.code === status.DEADLINE_EXCEEDED) this.#patience = Math.min(this.#patience * 2, CALL_MS_MAX / CALL_MS);
      this.#at = (this.#at + 1) % this.#servers.length;
      this.onMoved();
    }
    return new EtcdAway(error);
  }
}

/**
 * TLS names no addresses, and Node refuses to ask for one by name: a server that is named by its address is asked for
 * by another name, and its certificate is held against the address.
 */
function serverOf({ protocol, host, hostname }: URL, tls: EtcdAccess["tls"]): Server {
  const clients = new Map<ServiceName, Client>();
  if (protocol !== "https:")
    return { host, clients, credentials: credentials.createInsecure(), nameOfAddress: undefined };
  const address = hostname.replace(/^\[|\]$/g, "");
  const isAddress = isIP(address) !== 0;
  const verify = isAddress
    ? { checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(address, certificate) }
    : {};
  const shown = credentials.createSsl(tls?.ca, tls?.key, tls?.cert, verify);
  return { host, clients, credentials: shown, nameOfAddress: isAddress ? "etcd" : undefined };
}
