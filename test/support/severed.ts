/** A venue whose clients go away in the middle of everything, and what must be true of it all the same. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { NetConnectOpts } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ENDINGS, type Ending, knows, type Listener, STATES, type State } from "./connection-states.ts";
import { Nginx } from "./nginx.ts";
import { Peer } from "./peer.ts";
import { VenueProcess } from "./venue-process.ts";
import { xorshift } from "./xorshift.ts";

export const SCENES = ["dev", "production", "nginx"] as const;
export type SceneName = (typeof SCENES)[number];

/** Requests of an address in a second: below what a greedy state sends, above what all others do. */
export const IP_RATE = 60;
/** A stalled connection is held for so long at most before it is ended in another way. */
const STALL_MS_MAX = 400;
/** Generous: a busy machine is slow. */
const SETTLED_MS = 120_000;
const POLL_MS = 100;

export class Scene {
  readonly venue: VenueProcess;
  readonly listeners: readonly Listener[];
  /** Its own, where it is one. */
  readonly #folder: string | undefined;
  readonly #nginx: Nginx | undefined;
  readonly #openAtStart: number;

  private constructor(venue: VenueProcess, listeners: readonly Listener[], folder?: string, nginx?: Nginx) {
    this.venue = venue;
    this.listeners = listeners;
    this.#folder = folder;
    this.#nginx = nginx;
    this.#openAtStart = this.#openFiles;
  }

  /**
   * `dev` and `production` are venues of that profile; `nginx` is a production venue behind the shipped configuration.
   */
  static async open(name: SceneName): Promise<Scene> {
    const folder = mkdtempSync(join(tmpdir(), "bourse-severed-"));
    const options = ["--ip-rate", String(IP_RATE), "--log-level", "warn", "--admin-port", "0"];
    if (name === "dev") options.push("--makers", "off");
    else {
      const config = join(folder, "bourse.json");
      writeFileSync(config, JSON.stringify({ profile: "production" }));
      options.push("--config", config, "--trusted-proxies", name === "nginx" ? "127.0.0.1" : "192.0.2.1");
    }
    const venue = await VenueProcess.start(join(folder, "venue"), ...options);
    const listeners = await listenersOf(venue, name === "dev");
    if (name !== "nginx") return new Scene(venue, listeners, folder);
    const at = join(folder, "nginx");
    mkdirSync(at);
    const nginx = await Nginx.start(at, venue.url);
    const to = { host: "127.0.0.1", port: nginx.port };
    const api = { ...(listeners[0] as Listener), name: "API behind nginx", to, isSecure: true, isProxied: true };
    return new Scene(venue, [api], folder, nginx);
  }

  /** A venue of the dev profile that somebody else has started, with `IP_RATE`, and will end. */
  static async over(venue: VenueProcess): Promise<Scene> {
    return new Scene(venue, await listenersOf(venue, true));
  }

  async end(): Promise<void> {
    await this.#nginx?.end();
    if (this.#folder === undefined) return;
    await this.venue.end("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Connects to a listener; `from` chooses the client's address, where there is one to choose. */
  async connect({ to, isSecure }: Listener, from: string): Promise<Peer> {
    return await Peer.open("path" in to ? to : { ...to, localAddress: from }, isSecure);
  }

  /** Whether the venue answers. Throws when its process has ended. */
  async assertServes(): Promise<void> {
    const ended = this.venue.exited.then((code) =>
      assert.fail(`the venue ended with ${code}: ${this.venue.complaints()}`),
    );
    const answered = fetch(`${this.venue.url}/readyz`, { headers: { connection: "close" } }).then(({ status }) =>
      assert.equal(status, 200),
    );
    await Promise.race([answered, ended]);
    assert.doesNotMatch(this.venue.complaints(), /failed unexpectedly/);
  }

  /** Waits until the venue holds no more open files than when it started. */
  async assertSettled(): Promise<void> {
    // Its connections to the venue are kept for a while.
    await this.#nginx?.end();
    const end = performance.now() + SETTLED_MS;
    while (this.#openFiles > this.#openAtStart && performance.now() < end) await pause(POLL_MS);
    assert.ok(
      this.#openFiles <= this.#openAtStart,
      `${this.#openFiles} files are open, ${this.#openAtStart} at the start`,
    );
    await this.assertServes();
  }

  get #openFiles(): number {
    return openFilesOf(this.venue.pid);
  }
}

/** How many files and connections a process holds open; 0 where the system does not say. */
export function openFilesOf(pid: number): number {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : 0;
}

async function listenersOf(venue: VenueProcess, mindsOrigin: boolean): Promise<readonly Listener[]> {
  // Production credits nobody without consent, and refuses the orders then.
  const { key } = await venue.trader("severed", mindsOrigin ? { USDT: "1000" } : {});
  const api: Listener = {
    name: "API",
    to: toOf(venue.url),
    ...{ small: "/v2/ping", large: "/openapi.json", taking: "/v2/spot/order", socketPath: "/v2/spot" },
    signed:
      `X-SVC-KEY: ${key.accessId}\r\nX-SVC-SIGN: ${"a".repeat(64)}\r\nX-SVC-TIMESTAMP: ` +
      `${Date.now()}\r\nX-SVC-WINDOWTIME: 60000\r\n`,
    login: () => {
      const timestamp = Date.now();
      const signature = createHmac("sha256", key.secret).update(String(timestamp)).digest("hex");
      return { access_id: key.accessId, signed_str: signature, timestamp };
    },
    mindsOrigin,
    hasQuotas: true,
  };
  const admin: Listener = {
    name: "operators'",
    to: toOf(venue.adminUrl),
    ...{ small: "/admin/status", large: "/metrics", taking: "/admin/users" },
    signed: `Authorization: ${venue.authorization}\r\n`,
  };
  const local = { ...admin, name: "operators' in the data folder", to: { path: join(venue.data, "admin-socket") } };
  return [api, admin, local];
}

function toOf(url: string): NetConnectOpts {
  return { host: "127.0.0.1", port: Number(new URL(url).port) };
}

/** Ends a connection in one of the ways; after a half-close the venue must end it. */
export async function endBy(ending: Exclude<Ending, "stall">, peer: Peer): Promise<void> {
  if (ending === "half-close") {
    peer.halfClose();
    await peer.over();
    peer.close();
  } else if (ending === "reset") peer.reset();
  else peer.close();
}

export interface SeveredOptions {
  readonly seed: number;
  /** Connections that are under way side by side. */
  readonly atOnce?: number;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Opens so many connections to a scene, each in a random state, and ends each at a random moment in a random way. */
export async function sever(
  scene: Scene,
  { connections, ...options }: SeveredOptions & { readonly connections: number },
): Promise<void> {
  await severWhile(scene, (begun) => begun < connections, options);
  await scene.assertSettled();
}

/** The same as long as `goOn`, behind so many that were begun; gives how many there were. */
export async function severWhile(
  scene: Scene,
  goOn: (begun: number) => boolean,
  { seed, atOnce = 24, onProgress }: SeveredOptions,
): Promise<number> {
  const chance = xorshift(seed);
  const below = (end: number) => Math.floor(chance() * end);
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
  let begun = 0;
  let done = 0;
  const one = async () => {
    const at = pick(scene.listeners);
    const state: State = pick(STATES.filter((each) => knows(at, each)));
    const ending = pick(ENDINGS);
    const [last, stallMs, waits] = [pick(["reset", "half-close", "close"] as const), below(STALL_MS_MAX), below(2)];
    // All of them are this machine.
    const from = state.isGreedy === true ? `127.9.9.${1 + below(4)}` : `127.8.${below(256)}.${1 + below(254)}`;
    const peer = await scene.connect(at, from);
    try {
      await state.bring(peer, at);
      if (waits === 1) await pause(below(20));
      if (ending === "stall") await pause(stallMs);
      await endBy(ending === "stall" ? last : ending, peer);
    } catch (error) {
      peer.close();
      await scene.assertServes();
      throw new Error(`Seed ${seed}, ${at.name}, "${state.name}", then ${ending}: ${error}`, { cause: error });
    }
  };
  const worker = async () => {
    while (goOn(begun)) {
      begun++;
      await one();
      done++;
      if (done % 1_000 === 0) {
        await scene.assertServes();
        onProgress?.(done);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await scene.assertServes();
  return done;
}
