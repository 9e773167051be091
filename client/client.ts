/**
 * The venue's API as typed calls. Errors are values. Quotas are waited for; what may be asked again is asked again, and
 * what might happen twice is not: see docs/guides/client.md.
 */
import type { Answer, Failed } from "./answer.ts";
import {
  type ArgsOf,
  type CallName,
  type CallOptions,
  costOf,
  type DataOf,
  type GetPath,
  type PostPath,
  QUOTA_FAILED,
  queryOf,
  refuseFraction,
  withRows,
} from "./calls.ts";
import type { Product, Proof } from "./following.ts";
import { ADDRESS_RATE, ENDPOINTS, GROUP_RATES } from "./http.generated.ts";
import { openSocket } from "./open-socket.ts";
import { backoffMs, Quota, sleep } from "./quota.ts";
import { VenueSocket } from "./socket.ts";
import { type Reply, Transport, type TransportOptions } from "./transport.ts";
import { VenueClock } from "./venue-clock.ts";

export interface ClientOptions extends TransportOptions {
  /** How often what may be asked again is asked again. */
  readonly retries?: number | undefined;
  /** How long a call waits for quota at most, ms. */
  readonly quotaWaitMs?: number | undefined;
  /** Whether sockets go on without a gap after a line that broke, where the venue can; they do not unless told so. */
  readonly resume?: boolean | undefined;
  /** ms from one ping of a socket to the next; as long an answer may take. */
  readonly pingMs?: number | undefined;
}

const RETRIES = 3;
const QUOTA_WAIT_MS = 30_000;
const RETRY_FIRST_MS = 200;
const RETRY_MOST_MS = 2_000;

/** Nothing was done, and a moment later it may be. */
const BUSY: ReadonlySet<number> = new Set([3008, 4001]);
const WRONG_TIME: ReadonlySet<number> = new Set([4010, 4017]);
const TOO_OFTEN = 4213;

export class Client {
  readonly clock = new VenueClock();
  readonly transport: Transport;
  readonly #retries: number;
  readonly #quotaWaitMs: number;
  readonly #address = new Quota(ADDRESS_RATE);
  readonly #groups = new Map<string, Quota>();
  readonly #pingMs: number | undefined;
  readonly #resume: boolean | undefined;
  readonly #sockets: Partial<Record<Product, VenueSocket<Product>>> = {};

  constructor(options: ClientOptions = {}) {
    this.transport = new Transport(options, this.clock);
    this.#pingMs = options.pingMs;
    this.#resume = options.resume;
    this.#retries = options.retries ?? RETRIES;
    this.#quotaWaitMs = options.quotaWaitMs ?? QUOTA_WAIT_MS;
  }

  /** Asks; it may be asked again, so it is when no answer came. */
  async get<Path extends GetPath>(path: Path, ...args: ArgsOf<`GET ${Path}`>): Promise<Answer<DataOf<`GET ${Path}`>>> {
    return (await this.#call("GET", path, ...(args as [object?, CallOptions?]))) as Answer<DataOf<`GET ${Path}`>>;
  }

  /**
   * Does. When no answer came, `outcome` is `unknown`, and nothing is sent again unless `repeatable` says that it may
   * be.
   */
  async post<Path extends PostPath>(
    path: Path,
    ...args: ArgsOf<`POST ${Path}`>
  ): Promise<Answer<DataOf<`POST ${Path}`>>> {
    return (await this.#call("POST", path, ...(args as [object?, CallOptions?]))) as Answer<DataOf<`POST ${Path}`>>;
  }

  /** Takes the venue's time over; a call that is refused for its time does so by itself. */
  async syncClock(): Promise<boolean> {
    return await this.clock.sync(async () => {
      const { answer } = await this.transport.send({ method: "GET", target: "/v2/time", signed: false });
      return answer.ok ? (answer.data as { timestamp: number }).timestamp : undefined;
    });
  }

  /** The socket of a product, which is opened when it is first needed. */
  socket<P extends Product>(product: P): VenueSocket<P> {
    const ground = {
      url: this.transport.url,
      open: openSocket,
      proof: this.#proof(),
      pingMs: this.#pingMs,
      resume: this.#resume,
      quotas: {
        take: (group: string, cost: number) => this.#group(group).take(cost, this.#quotaWaitMs),
        answered: (group: string, cost: number, isExhausted: boolean) => {
          const quota = this.#group(group);
          // Answers over sockets do not say what is left.
          quota.answered(cost, false, undefined, undefined);
          if (isExhausted) quota.exhausted();
        },
      },
    };
    this.#sockets[product] ??= new VenueSocket<Product>(product, ground);
    return this.#sockets[product] as unknown as VenueSocket<P>;
  }

  /** A key's signature, whose time is taken over from the venue where it was refused. */
  #proof(): Proof | undefined {
    const { signer } = this.transport;
    if (signer === undefined) return undefined;
    return {
      params: async () => {
        const timestamp = this.clock.now();
        return { access_id: signer.accessId, signed_str: await signer.sign(String(timestamp)), timestamp };
      },
      refused: async () => ((await this.syncClock()) ? "again" : "end"),
    };
  }

  /** Gives up what is under way and closes the sockets; later calls fail with the sentence `because`. */
  close(because?: string): void {
    for (const socket of Object.values(this.#sockets)) socket.close();
    this.transport.close(because);
  }

  async #call(
    method: "GET" | "POST",
    path: string,
    params: object = {},
    options: CallOptions = {},
  ): Promise<Answer<unknown>> {
    const fraction = refuseFraction(params);
    if (fraction !== undefined) return fraction;
    const needs = ENDPOINTS[`${method} ${path}` as CallName];
    const { signed, group, batch } = needs;
    const query = method === "GET" ? queryOf(params) : "";
    const attempt = {
      method,
      target: `/v2${path}${query === "" ? "" : `?${query}`}`,
      body: method === "GET" ? undefined : JSON.stringify(params),
      signed,
      windowMs: options.windowMs,
    };
    const mayRepeat = method === "GET" || options.repeatable === true;
    const cost = costOf(needs, params);
    const deadlineMs = performance.now() + (options.quotaWaitMs ?? this.#quotaWaitMs);
    let hasSynced = false;
    for (let tries = 0; ; ) {
      if (!(await this.#takeQuota(group, cost, deadlineMs))) return QUOTA_FAILED;
      const reply = await this.transport.send(attempt);
      this.#noteQuota(group, cost, reply);
      const { answer } = reply;
      if (answer.ok) return batch === true ? withRows(answer) : answer;
      if (answer.code === TOO_OFTEN) {
        // Nothing was done, so anything may be asked again, as soon as there is quota.
        (reply.isAddressLimit === true || group === undefined ? this.#address : this.#group(group)).exhausted();
        continue;
      }
      if (WRONG_TIME.has(answer.code) && !hasSynced) {
        hasSynced = true;
        if (await this.syncClock()) continue;
        return answer;
      }
      if (!mayRepeat || !mayPass(answer) || tries >= this.#retries) return answer;
      await sleep(backoffMs(tries++, RETRY_FIRST_MS, RETRY_MOST_MS));
    }
  }

  async #takeQuota(group: string | undefined, cost: number, deadlineMs: number): Promise<boolean> {
    if (!(await this.#address.take(1, deadlineMs - performance.now()))) return false;
    if (group === undefined) return true;
    if (await this.#group(group).take(cost, deadlineMs - performance.now())) return true;
    this.#address.answered(1, false, undefined, undefined);
    return false;
  }

  #noteQuota(group: string | undefined, cost: number, { answer, limit, remaining }: Reply): void {
    this.#address.answered(1, false, undefined, undefined);
    if (group === undefined) return;
    this.#group(group).answered(cost, answer.ok, limit, remaining);
    // A venue without limits of accounts has none of addresses either.
    if (answer.ok && limit === undefined) this.#address.lift();
  }

  #group(name: string): Quota {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const quota = new Quota(GROUP_RATES[name] ?? 1);
    this.#groups.set(name, quota);
    return quota;
  }
}

/** Whether asking again may bring an answer. */
function mayPass({ code, outcome }: Failed): boolean {
  return BUSY.has(code) || outcome === "unknown";
}
