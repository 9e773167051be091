/** Calls of the operator's interface of a venue that a program has started. */
import type { Account } from "./running.ts";

/** The venue refused: `code` is that of docs/errors.md, the message its sentence. */
export class AdminRefused extends Error {
  readonly code: number;

  constructor(call: string, code: number, sentence: string) {
    super(`${call} was refused with code ${code}: ${sentence}`);
    this.name = "AdminRefused";
    this.code = code;
  }
}

export interface ClockChange {
  /** True stops the clock, false lets it run. */
  readonly freeze?: boolean;
  /** Moves it forward by so many ms. */
  readonly advance_ms?: number;
  /** Venue time per real time while it runs. */
  readonly speed?: number;
  /** Lets every index source repeat its last price on the way. */
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
  /** Whose quotas of addresses and accounts hold. */
  readonly quotas: "off" | "own" | "shared" | "apart";
  /** What in the settings puts money at risk, a sentence each. */
  readonly risks: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;

/** All calls of docs/operating.md by `get`, `post` and `delete`; the ones that tests need most by names of their own. */
export class Admin {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Reads, such as `get("/admin/orders", { user_id: 1 })`. Gives the data of the answer; throws AdminRefused. */
  get<Data = unknown>(path: string, query: Readonly<Record<string, string | number | boolean>> = {}): Promise<Data> {
    const fields = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
    return this.#call("GET", fields === "" ? path : `${path}?${fields}`);
  }

  /** Does something, such as `post("/admin/clock", { advance_ms: 60000 })`. Gives the data of the answer; throws AdminRefused. */
  post<Data = unknown>(path: string, body: Body = {}): Promise<Data> {
    return this.#call("POST", path, body);
  }

  delete<Data = unknown>(path: string, body?: Body): Promise<Data> {
    return this.#call("DELETE", path, body);
  }

  status(): Promise<VenueStatus> {
    return this.get("/admin/status");
  }

  /** Freezes, moves or speeds up the clock of a venue that was started with `startTime`, `frozen` or `clock: "virtual"`. */
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

  /** Lets the venue be what it was at a snapshot: balances, orders, history, clock and keys. Sockets are closed with 4001. */
  revert(snapshotId: number): Promise<Snapshot> {
    return this.post(`/admin/snapshots/${snapshotId}/revert`);
  }

  /** Lets the venue be what it was right after its first start. */
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

  async #call<Data>(method: string, path: string, body?: Body): Promise<Data> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { code, message, data } = (await response.json()) as { code: number; message: string; data: Data };
    if (code !== 0) throw new AdminRefused(`${method} ${path}`, code, message);
    return data;
  }
}
