/** A venue that a program has started: where it is, who trades there, and what a test does with it. */
import { Client } from "../../../client/index.ts";
import { Admin, type ClockState, type Snapshot, VenueStopped } from "./admin.ts";
import type { Account, Running } from "./running.ts";

/** Something that goes wrong on purpose; docs/reference/admin.md says what each does. */
export interface Fault {
  readonly fault:
    | "delay"
    | "drop"
    | "busy"
    | "unavailable"
    | "timeout"
    | "limited"
    | "close_sockets"
    | "stall_sockets"
    | "stale_index";
  /**
   * Whom it strikes: a path, `user_id=N`, a channel or a method of sockets, a market of `stale_index`; everybody unless
   * given.
   */
  readonly match?: string;
  /** Part of what matches, drawn from the seed; all unless given. */
  readonly share?: number;
  /** How long a delay, a stall or a silence lasts. */
  readonly ms?: number;
  /** It ends when it has struck so often; never unless given. */
  readonly count?: number;
  /** Of `drop` and `timeout`: whether it strikes before or after the effect; before unless given. */
  readonly when?: "before" | "after";
}

export interface IndexPrice {
  readonly market: string;
  readonly price: string;
}

/** The explanation of an order, a stop order, a position or a request; docs/guides/monitoring.md shows some. */
export type Explained = Readonly<Record<string, unknown>>;

export interface ScenarioOptions {
  /** The user whose account is looked at, instead of the file's. */
  readonly bot?: string;
  /** The real time that a bot has between two ticks of a virtual clock, ms; 100 unless given. */
  readonly paceMs?: number;
}

/** The outcome of a scenario. */
export interface PlayedScenario {
  /** Whether all that was expected came true. */
  readonly ok: boolean;
  readonly checks: readonly {
    readonly step: number;
    readonly name: string;
    readonly ok: boolean;
    readonly sentence: string;
  }[];
  /** The expectations that did not come true, in sentences. */
  readonly missed: readonly string[];
}

interface ScenarioRun {
  readonly run_id: number;
  readonly status: "playing" | "passed" | "missed" | "failed" | "stopped";
  readonly sentence: string;
  readonly checks: PlayedScenario["checks"];
}

/** Real time between two looks at a scenario that plays. */
const LOOK_EVERY_MS = 20;
const PACE_MS = 100;

/** A venue that serves. */
export class StartedVenue {
  /** Where the API listens, as `http://127.0.0.1:PORT`; its calls stand below `/v2`. */
  readonly url: string;
  /** Where its sockets are, as `ws://127.0.0.1:PORT`; they stand at `/v2/spot` and `/v2/futures`. */
  readonly wsUrl: string;
  /** Where the operator's interface listens; `admin` calls it. */
  readonly adminUrl: string;
  /** Two with funds, alice and bob; in a folder whose venue was made elsewhere those that are known there. */
  readonly accounts: readonly Account[];
  readonly admin: Admin;
  readonly #running: Running;
  readonly #clients = new Map<string, Client>();
  #hasStopped = false;

  constructor(running: Running) {
    const { url, adminUrl, adminToken, accounts } = running;
    this.#running = running;
    this.url = url;
    this.wsUrl = url.replace(/^http/, "ws");
    this.adminUrl = adminUrl;
    this.accounts = accounts;
    this.admin = new Admin(adminUrl, adminToken, () => this.#hasStopped);
  }

  /**
   * The typed client of a sample account by its name, or of an account that `admin.createAccount` made. The same
   * account has the same client.
   */
  client(account: string | Account): Client {
    const key = typeof account === "string" ? this.#accountNamed(account) : account;
    if (this.#hasStopped) throw new VenueStopped(`client(${JSON.stringify(key.name)})`);
    const { accessId, secretKey } = key;
    const known = this.#clients.get(accessId);
    if (known !== undefined) return known;
    const client = new Client({ url: this.url, key: { accessId, secretKey } });
    this.#clients.set(accessId, client);
    return client;
  }

  /** Moves the clock forward; when it resolves, all that fell due on the way has happened. */
  advance(ms: number): Promise<ClockState> {
    return this.admin.advance(ms);
  }

  /**
   * Sets the price that every source of a market's index gives. With makers on they say theirs again a second later.
   */
  async setIndex(market: string, price: string | number, marketType: "SPOT" | "FUTURES" = "SPOT"): Promise<IndexPrice> {
    const path = `/admin/markets/${encodeURIComponent(market)}`;
    const { index_sources } = await this.admin.get<{ index_sources: readonly { exchange: string }[] }>(path, {
      market_type: marketType,
    });
    if (index_sources.length === 0)
      throw new Error(`The market ${market} has no index whose sources could say a price.`);
    const sources = index_sources.map(({ exchange }) => ({ exchange, price: String(price) }));
    return this.admin.post("/admin/index-prices", { market, market_type: marketType, sources });
  }

  /** Injects a fault, until `clearFaults`; gives the fault's number. */
  async fault(fault: Fault): Promise<number> {
    return (await this.admin.post<{ fault_id: number }>("/admin/faults", { ...fault })).fault_id;
  }

  async clearFaults(): Promise<void> {
    await this.admin.delete("/admin/faults");
  }

  /**
   * Tells why an order, a stop order, a position or a request came out as it did; a request by the `requestId` of its
   * answer.
   */
  explain(what: "order" | "stop" | "position" | "request", id: number | string): Promise<Explained> {
    return this.admin.get(`/admin/explain/${what}/${encodeURIComponent(id)}`);
  }

  /**
   * Plays a scenario on the venue and resolves when it is over: one that comes along, such as `flash-crash`, or that of
   * a file. The makers pause in its markets meanwhile where it comes along; for a file of your own start the venue with
   * `makers: false`.
   */
  async scenario(nameOrFile: string, options: ScenarioOptions = {}): Promise<PlayedScenario> {
    return /[/\\]|\.json$/.test(nameOrFile)
      ? await this.#playFile(nameOrFile, options)
      : await this.#playNamed(nameOrFile, options);
  }

  /** Keeps the state, to go back to it with `revert`. */
  snapshot(name?: string): Promise<Snapshot> {
    return this.admin.snapshot(name);
  }

  /**
   * Sets the venue back to a snapshot: balances, orders, history, clock and keys. Sockets are closed with
   * 4001.
   */
  revert(snapshot: Snapshot | number): Promise<Snapshot> {
    return this.admin.revert(typeof snapshot === "number" ? snapshot : snapshot.snapshot_id);
  }

  /**
   * Stops the venue, closes its clients and frees its ports, threads and files. Calling it again waits for the same.
   */
  async stop(): Promise<void> {
    this.#hasStopped = true;
    for (const client of this.#clients.values())
      client.close("The venue has been stopped: this call came after stop().");
    await this.#running.stop();
  }

  #accountNamed(name: string): Account {
    const account = this.accounts.find((each) => each.name === name);
    if (account !== undefined) return account;
    const names = this.accounts.map((each) => each.name).join(", ");
    throw new Error(
      `There is no sample account ${name}; there are ${names}. For others give client() what ` +
        "admin.createAccount() gave.",
    );
  }

  async #playNamed(scenario: string, { bot, paceMs: pace_ms }: ScenarioOptions): Promise<PlayedScenario> {
    const body = { scenario, ...(bot === undefined ? {} : { bot }), ...(pace_ms === undefined ? {} : { pace_ms }) };
    const { run_id } = await this.admin.post<ScenarioRun>("/admin/scenario-runs", body);
    for (;;) {
      const { status, sentence, checks } = await this.admin.get<ScenarioRun>(`/admin/scenario-runs/${run_id}`);
      if (status === "failed" || status === "stopped")
        throw new Error(`The scenario ${scenario} ${status}: ${sentence}`);
      if (status !== "playing") return playedOf(checks);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async #playFile(file: string, { bot, paceMs = PACE_MS }: ScenarioOptions): Promise<PlayedScenario> {
    // A program that plays none need not load what plays them.
    const { readFile } = await import("node:fs/promises");
    const { parseLivingScenario } = await import("../scenario/living/living-scenario.ts");
    const { playLive } = await import("../scenario/living/play.ts");
    const scenario = parseLivingScenario(await readFile(file, "utf8"));
    const { admin } = this;
    const operator = {
      call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
        if (method === "GET") return admin.get(path);
        return method === "POST" ? admin.post(path, { ...body }) : admin.delete(path);
      },
      text: () => admin.metrics(),
    };
    const { checks } = await playLive(scenario, { operator, bot, file, paceMs });
    return playedOf(checks);
  }
}

function playedOf(checks: PlayedScenario["checks"]): PlayedScenario {
  const missed = checks.filter(({ ok }) => !ok).map(({ sentence }) => sentence);
  return { ok: missed.length === 0, checks, missed };
}
