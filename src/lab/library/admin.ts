/** Calls of the operator's interface of a venue that a program has started. */
import type { Account } from "./running.ts";

/** The venue refused: `code` is that of docs/reference/errors.md, the message its sentence. */
export class AdminRefused extends Error {
  readonly code: number;

  constructor(call: string, code: number, sentence: string) {
    super(`${call} was refused with code ${code}: ${sentence}`);
    this.name = "AdminRefused";
    this.code = code;
  }
}

/** The venue was stopped, by `stop()` or by a fault, and answers nothing any more. */
export class VenueStopped extends Error {
  constructor(call: string, options?: ErrorOptions) {
    super(`The venue has been stopped: ${call} came after stop(). Start another one with startVenue().`, options);
    this.name = "VenueStopped";
  }
}

export interface ClockChange {
  /** True stops the clock, false lets it run. */
  readonly freeze?: boolean;
  /** Moves it forward by so many ms; */
  readonly advance_ms?: number;
  /** or to a time, in ms since 1970 or as ISO 8601 with its zone. */
  readonly set_ms?: number | string;
  /** Venue time per real time while it runs. */
  readonly speed?: number;
  /** Makes every index source repeat its last price on the way. */
  readonly hold_index?: boolean;
}

export interface ClockState {
  /** ms. */
  readonly time_ms: number;
  readonly frozen: boolean;
  readonly speed: number;
}

/** A state that a venue can go back to. */
export interface Snapshot {
  readonly snapshot_id: number;
  readonly name: string;
  readonly seq: number;
  readonly time_ms: number;
  readonly state_hash: string;
}

export interface VenueStatus {
  /** Of the last command. */
  readonly seq: number;
  readonly time_ms: number;
  readonly state_hash: string;
  readonly version: string;
  readonly profile: string;
  readonly uptime_ms: number;
  /** Where the API listens. */
  readonly url: string;
  readonly cancel_only: boolean;
  /** Why withdrawals over chains stand still; null: they go on. */
  readonly withdrawals_halted: { readonly since_ms: number; readonly reason: string } | null;
  /** Whose quotas of addresses and accounts hold. */
  readonly quotas: "off" | "own" | "shared" | "apart";
  /** Whether simulated makers move the markets. */
  readonly makers: boolean;
  /** low: the venue takes only cancels for want of room on the disk; full: nothing. */
  readonly storage: {
    readonly disk: "ample" | "low" | "full";
    readonly free_bytes: number | null;
    readonly history: string;
    readonly audit_trail: "writing" | "behind";
  };
  /** Settings that put money at risk, a sentence each. */
  readonly risks: readonly string[];
}

/** A request that was refused, as the venue remembers it. */
export interface Refusal {
  /** Counted from 1 since the venue's start. */
  readonly number: number;
  readonly request_id: string;
  readonly time: number;
  readonly method: string;
  readonly path: string;
  /** Empty when nobody signed. */
  readonly user: string;
  readonly code: number;
  /** Why, as a sentence. */
  readonly because: string;
  readonly reasons?: readonly {
    readonly rule: string;
    readonly refusal: string;
    readonly message: string;
    readonly figures: Readonly<Record<string, unknown>>;
  }[];
}

/** Of one answer; a test that was refused more often is told of the latest. */
const REFUSALS_MAX = 100;

type Query = Readonly<Record<string, string | number | boolean>>;
type Body = Readonly<Record<string, unknown>>;

/**
 * All calls of docs/reference/admin.md by `get`, `post` and `delete`; the ones that tests need most by names of their
 * own.
 */
export class Admin {
  readonly #url: string;
  readonly #token: string;
  readonly #hasStopped: () => boolean;

  constructor(url: string, token: string, hasStopped: () => boolean = () => false) {
    this.#url = url;
    this.#token = token;
    this.#hasStopped = hasStopped;
  }

  /** Reads, such as `get("/admin/orders", { user_id: 1 })`. Gives the data of the answer; throws AdminRefused. */
  get<Data = unknown>(path: string, query: Query = {}): Promise<Data> {
    return this.#call("GET", withQuery(path, query));
  }

  /**
   * Does something, such as `post("/admin/clock", { advance_ms: 60000 })`. Gives the data of the answer; throws
   * AdminRefused.
   */
  post<Data = unknown>(path: string, body: Body = {}): Promise<Data> {
    return this.#call("POST", path, body);
  }

  delete<Data = unknown>(path: string, query: Query = {}): Promise<Data> {
    return this.#call("DELETE", withQuery(path, query));
  }

  status(): Promise<VenueStatus> {
    return this.get("/admin/status");
  }

  /**
   * Freezes, moves or speeds up the clock of a venue that was started with `startTime`, `frozen` or `clock: "virtual"`.
   */
  clock(change: ClockChange): Promise<ClockState> {
    return this.post("/admin/clock", { ...change });
  }

  /** Moves the clock forward; when it resolves, all that fell due on the way has happened. */
  advance(ms: number): Promise<ClockState> {
    return this.clock({ advance_ms: ms });
  }

  /** Keeps the state, to go back to it with `revert`: what a test suite does before its tests. */
  snapshot(name = ""): Promise<Snapshot> {
    return this.post("/admin/snapshots", name === "" ? {} : { name });
  }

  /**
   * Sets the venue back to a snapshot: balances, orders, history, clock and keys. Sockets are closed with
   * 4001.
   */
  revert(snapshotId: number): Promise<Snapshot> {
    return this.post(`/admin/snapshots/${snapshotId}/revert`);
  }

  /** Sets the venue back to its first start. */
  reset(): Promise<Snapshot> {
    return this.post("/admin/reset");
  }

  /** Credits the spot account of a user with amounts by currency, such as `{ USDT: "1000" }`. */
  async credit(userId: number, amounts: Readonly<Record<string, string>>): Promise<void> {
    for (const [ccy, amount] of Object.entries(amounts)) {
      await this.post("/admin/deposits", { user_id: userId, ccy, amount, note: "credited by a program" });
    }
  }

  /** Makes somebody who owns these amounts and has a key that reads and trades. */
  async createAccount(name: string, amounts: Readonly<Record<string, string>> = {}): Promise<Account> {
    const { user_id } = await this.post<{ user_id: number | string }>("/admin/users", { name });
    const userId = Number(user_id);
    await this.credit(userId, amounts);
    const key = await this.post<{ access_id: string; secret_key: string }>("/admin/api-keys", { user_id: userId });
    return { name, userId, accessId: key.access_id, secretKey: key.secret_key };
  }

  /** Requests that were refused after the first `after` of them, the oldest first, and how many there have been. */
  async refusals(after = 0): Promise<{ readonly refusals: readonly Refusal[]; readonly refused: number }> {
    const page = { after, limit: REFUSALS_MAX };
    const { refusals, refused } = await this.get<{ refusals: Refusal[]; refused: number }>("/admin/refusals", page);
    return { refusals: refusals.reverse(), refused };
  }

  /** All figures of the venue in the text form that Prometheus reads. */
  async metrics(): Promise<string> {
    return await (await this.#fetch("GET", "/admin/metrics")).text();
  }

  async #call<Data>(method: string, path: string, body?: Body): Promise<Data> {
    const response = await this.#fetch(method, path, body);
    const { code, message, data } = (await response.json()) as { code: number; message: string; data: Data };
    if (code !== 0) throw new AdminRefused(`${method} ${path}`, code, message);
    return data;
  }

  async #fetch(method: string, path: string, body?: Body): Promise<Response> {
    if (this.#hasStopped()) throw new VenueStopped(`${method} ${path}`);
    try {
      return await fetch(this.#url + path, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      if (this.#hasStopped()) throw new VenueStopped(`${method} ${path}`, { cause });
      throw new Error(`The venue at ${this.#url} did not answer ${method} ${path}: ${reasonOf(cause)}.`, { cause });
    }
  }
}

function withQuery(path: string, query: Query): string {
  const fields = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return fields === "" ? path : `${path}?${fields}`;
}

/** Node says "fetch failed" and keeps the reason below. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}
