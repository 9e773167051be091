import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { pino } from "pino";
import type { JsonCommand } from "../../src/engine/command.ts";
import { type Engine, refusalIn } from "../../src/engine/engine.ts";
import type { AdminVenue as AdminVenueBackend } from "../../src/gateway/admin/backend.ts";
import type { SecretVault } from "../../src/gateway/auth/secret-vault.ts";
import type { LogGroup } from "../../src/log/chain.ts";
import { openGateway } from "../../src/venue/assembly/gateway.ts";
import { openNode } from "../../src/venue/assembly/node.ts";
import { openOperators } from "../../src/venue/assembly/operators.ts";
import { openStorage } from "../../src/venue/assembly/storage.ts";
import { watched } from "../../src/venue/assembly/watch.ts";
import { VirtualClock } from "../../src/venue/clock.ts";
import { InvariantMonitor } from "../../src/venue/invariant-monitor.ts";
import { hashOf } from "../../src/venue/machine.ts";
import { testSettings, testWorld } from "../support/world.ts";

/** What the envelope of an answer holds, with its HTTP status. */
export interface AdminReply {
  readonly status: number;
  readonly code: number;
  // Answers are looked into freely here.
  // biome-ignore lint/suspicious/noExplicitAny: the shape of each answer is what the tests check
  readonly data: any;
  readonly message: string;
}

/** A venue in memory in which nothing happens by itself, and the listener that its operators talk to. */
export interface AdminVenue {
  readonly engine: Engine;
  /** What the log holds behind the beginning of its rules. */
  groups(): Iterable<LogGroup>;
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

const START_MS = 1_750_000_000_000;
/** Behind the command that begins the rules. */
const FIRST_SEQ = 2;
const TOKEN_FILE = "admin-token";
const NO_CLIENTS = { faults: undefined, accounts: [], pages: new Map() };
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
    dev?: Pick<AdminVenueBackend, "faults" | "requests" | "lifecycleTrace">;
    /** The nodes that it is one of. */
    cluster?: AdminVenueBackend["cluster"];
    /** What watches its figures; nobody unless given. */
    monitor?: AdminVenueBackend["monitor"];
    /** What the process wrote; nothing unless given. */
    log?: AdminVenueBackend["log"];
  } = {},
): Promise<AdminVenue> {
  const failures: object[] = [];
  const clock = new VirtualClock(START_MS);
  const settings = testSettings(
    options.virtualClock === true ? { clock: "virtual", startTimeMs: START_MS } : { clock: "real" },
  );
  const world = testWorld({
    log: pino({ level: "error" }, { write: (line) => void failures.push(JSON.parse(line)) }),
    vault: options.vault,
    clock: options.virtualClock === true ? undefined : clock,
  });
  const storage = await openStorage(settings, world);
  writeFileSync(join(storage.files.folder, TOKEN_FILE), TOKEN, { mode: 0o600 });
  const node = await watched(settings, await openNode(settings, storage, world), world);
  const { engine, sequencer, vault } = node;
  const invariantMonitor = new InvariantMonitor({ state: engine.state, onBreach: () => {} });
  const { tickets, openSandbox, server: clients } = openGateway(settings, node, NO_CLIENTS, world);
  const side = { invariantMonitor, faults: undefined, dev: undefined, scenarios: undefined };
  const { venue, server } = openOperators(
    settings,
    node,
    { ...side, gateway: { tickets, openSandbox, server: clients } },
    world,
  );
  const { dev = {}, isRootOpen = false } = options;
  const status = venue.status;
  // What a test looks at by itself, in the place of what the venue has.
  Object.assign(venue, {
    ...{ faults: dev.faults, requests: dev.requests, lifecycleTrace: dev.lifecycleTrace, cluster: options.cluster },
    ...{ monitor: options.monitor ?? IDLE_MONITOR, log: options.log ?? { newest: () => [] } },
    ...{ scenarios: undefined, chains: undefined, addresses: undefined, snapshots: undefined, injectFault: undefined },
    isRootOpen: () => isRootOpen && venue.rootToken.current === TOKEN,
    status: () => ({ ...status(), version: "0.0.0", uptimeMs: 5, quotas: "own" }),
    metrics: () => "bourse_seq 1\n",
  } satisfies Partial<AdminVenueBackend>);
  const bounds = Array.from(options.fourEyes ?? [], ([ccy, call]) => ({ ccy, call }));
  if (bounds.length > 0) await sequencer.ask({ kind: "set_four_eyes", actor: "venue", bounds }, () => {});
  const { port } = await server.listen("127.0.0.1", 0);
  server.open();
  const url = `http://127.0.0.1:${port}`;
  t.after(async () => {
    await server.drain(100);
    await world.opened.disposeAsync();
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
    groups: () => node.log.read(FIRST_SEQ),
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
