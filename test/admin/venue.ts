import type { TestContext } from "node:test";
import type { JsonCommand } from "../../src/engine/command.ts";
import { Engine, refusalIn } from "../../src/engine/engine.ts";
import type { AdminVenue as AdminVenueBackend } from "../../src/gateway/admin/backend.ts";
import { createAdminServer } from "../../src/gateway/admin/server.ts";
import { Failures } from "../../src/gateway/auth/failures.ts";
import { SecretVault } from "../../src/gateway/auth/secret-vault.ts";
import { ADMIN_CALLS, REFUSAL_ROWS } from "../../src/gateway/parts.ts";
import { History } from "../../src/history/history.ts";
import { MemoryLog } from "../../src/log/memory-log.ts";
import { auditOf } from "../../src/venue/audit.ts";
import { KeptTrail } from "../../src/venue/audit-trail.ts";
import { VirtualClock } from "../../src/venue/clock.ts";
import { hashOf } from "../../src/venue/machine.ts";
import { Sequencer } from "../../src/venue/sequencer.ts";

/** What the envelope of an answer holds, with its HTTP status. */
export interface AdminReply {
  readonly status: number;
  readonly code: number;
  // Answers are looked into freely here.
  // biome-ignore lint/suspicious/noExplicitAny: the shape of each answer is what the tests check
  readonly data: any;
  readonly message: string;
}

/** Engine, log in memory and the admin listener: what an operator talks to, without the rest of a venue. */
export interface AdminVenue {
  readonly engine: Engine;
  readonly log: MemoryLog;
  readonly vault: SecretVault;
  readonly url: string;
  readonly token: string;
  stateHash(): string;
  /** What users and chains would enter. */
  enter(command: JsonCommand): Promise<void>;
  /** `body` as JSON text when it is no string already. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<AdminReply>;
  post(path: string, body: unknown): Promise<AdminReply>;
  get(path: string): Promise<AdminReply>;
  /** From now on as a venue that is stopping. */
  close(): Promise<void>;
}

const IDLE_MONITOR: AdminVenueBackend["monitor"] = {
  series: () => ({ stepMs: 1, endedAt: 0, figures: [], refusals: [] }),
  alerts: () => [],
  acknowledge: () => undefined,
};

const TOKEN = "0123456789abcdef0123456789abcdef";

export async function openAdminVenue(
  t: TestContext,
  options: {
    virtualClock?: boolean;
    fourEyes?: ReadonlyMap<string, string>;
    vault?: SecretVault;
    /** Whether anybody could work the token out. */
    isRootOpen?: boolean;
    /** What a venue of the dev profile has besides. */
    dev?: Pick<AdminVenueBackend, "faults" | "requests" | "lives">;
    /** The nodes that it is one of. */
    cluster?: AdminVenueBackend["cluster"];
    /** What watches its figures; nobody unless given. */
    monitor?: AdminVenueBackend["monitor"];
    /** What the process wrote; nothing unless given. */
    log?: AdminVenueBackend["log"];
  } = {},
): Promise<AdminVenue> {
  const engine = new Engine();
  const { state } = engine;
  const clock = new VirtualClock(1_750_000_000_000);
  const log = new MemoryLog(clock);
  const onFault = (fault: Error) => {
    throw fault;
  };
  const history = await History.open({ path: ":memory:", venueId: "test", onFault });
  const sequencer = new Sequencer(engine, log.open(), {
    onEvents: (events, lastSeq) => history.append(events.written(), lastSeq),
    onFault: () => {},
    isBehind: () => false,
  });
  const vault = options.vault ?? SecretVault.inMemory();
  const trail = new KeptTrail(":memory:");
  let token = TOKEN;
  const backend: AdminVenueBackend = {
    history,
    injectFault: undefined,
    ...options.dev,
    cluster: options.cluster,
    backups: undefined,
    trail,
    rootToken: {
      get current() {
        return token;
      },
      rotate: () => (token = "f".repeat(64)),
    },
    isRootOpen: () => options.isRootOpen === true && token === TOKEN,
    state,
    vault,
    clock: options.virtualClock === true ? clock : undefined,
    submit: (command, applied) =>
      sequencer.submit(command, (outcome, its) => {
        trail.applied(command, outcome, state.seq, state.timeMs);
        applied(outcome, its);
      }),
    status: () => ({
      seq: state.seq,
      timeMs: sequencer.now(),
      stateHash: hashOf(engine),
      version: "0.0.0",
      profile: "dev",
      url: "http://127.0.0.1:1",
      uptimeMs: 5,
      quotas: "own",
      hasMakers: false,
      risks: [],
      storage: { disk: "ample", freeBytes: undefined, history: "writing", isTrailBehind: false },
    }),
    audit: async () => auditOf(state),
    monitor: options.monitor ?? IDLE_MONITOR,
    log: options.log ?? { newest: () => [] },
    metrics: () => "bourse_seq 1\n",
  };
  const bounds = Array.from(options.fourEyes ?? [], ([ccy, call]) => ({ ccy, call }));
  if (bounds.length > 0) await sequencer.ask({ kind: "set_four_eyes", actor: "venue", bounds }, () => {});
  const failures: object[] = [];
  const server = createAdminServer({
    backend,
    calls: ADMIN_CALLS,
    rows: REFUSAL_ROWS,
    log: { error: (details) => failures.push(details) },
    failures: new Failures({ what: "tokens", log: { warn: () => {} } }),
  });
  const { port } = await server.listen("127.0.0.1", 0);
  server.open();
  const url = `http://127.0.0.1:${port}`;
  t.after(async () => {
    await server.drain(100);
    await sequencer.close();
    await history.close();
    if (failures.length > 0) throw new Error("A call failed unexpectedly.", { cause: failures[0] });
  });

  const send: AdminVenue["send"] = async (method, path, body, headers) => {
    const response = await fetch(url + path, {
      method,
      headers: headers ?? { Authorization: `Bearer ${TOKEN}` },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as Omit<AdminReply, "status">) };
  };
  return {
    engine,
    log,
    vault,
    url,
    token: TOKEN,
    stateHash: () => hashOf(engine),
    enter: async (command) => {
      const refusal = await sequencer.ask(command, (outcome) => refusalIn(outcome));
      if (refusal !== undefined) throw new Error(`${command.kind} is refused: ${refusal}.`);
    },
    send,
    post: (path, body) => send("POST", path, body),
    get: (path) => send("GET", path),
    close: () => sequencer.close(),
  };
}

/** Lets an operator in, who enrols: gives his token. */
export async function operatorToken(
  venue: Pick<AdminVenue, "post" | "send">,
  name: string,
  role: string,
  more: object = {},
): Promise<string> {
  const made = await venue.post("/admin/operators", { name, role, ...more });
  if (made.code !== 0) throw new Error(made.message);
  return enrolled(venue, name, made.data.enrolment);
}

/** Enrols with the codes that he was given: gives his token. */
export async function enrolled(
  venue: Pick<AdminVenue, "send">,
  name: string,
  ...codes: readonly string[]
): Promise<string> {
  const own = await venue.send("POST", "/admin/enrolment", { name, codes }, {});
  if (own.code !== 0) throw new Error(own.message);
  return own.data.token;
}

/** BTC, USDT and their market, listed through the interface itself. */
export async function listBtcUsdt(venue: AdminVenue): Promise<void> {
  await venue.post("/admin/assets", { ccy: "BTC", scale: 8 });
  await venue.post("/admin/assets", { ccy: "USDT", scale: 8 });
  const reply = await venue.post("/admin/markets", BTCUSDT);
  if (reply.code !== 0) throw new Error(reply.message);
}

export const BTCUSDT = {
  market: "BTCUSDT",
  base_ccy: "BTC",
  quote_ccy: "USDT",
  base_ccy_precision: 6,
  quote_ccy_precision: 2,
  min_amount: "0.0001",
  maker_fee_rate: "0.002",
  taker_fee_rate: "0.002",
};
