/** A dev venue with its makers on, in a process of its own, and all that is looked at in it from time to time. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { filesOf } from "../../src/venue/storage-figures.ts";
import { quantile } from "../report.ts";
import type { Insides } from "./probe.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MIB = 1024 * 1024;
/** Orders placed and cancelled per look, with this pause between them: as fast as an account may. */
const ORDERS_PER_LOOK = 20;
const PAUSE_MS = 50;
/** As long as a full start on a busy machine may take. */
const END_MS = 60_000;

/** What was seen at one time, by name, in the unit that the name ends with. */
export type Look = Readonly<Record<string, number>>;

interface Account {
  readonly access_id: string;
  readonly secret_key: string;
}

export class Subject {
  readonly #child: ChildProcess;
  readonly #data: string;
  readonly #url: string;
  readonly #adminUrl: string;
  readonly #account: Account;

  private constructor(child: ChildProcess, data: string, line: string) {
    const [, , url, , adminUrl] = line.split(" ") as [string, string, string, string, string];
    this.#child = child;
    this.#data = data;
    this.#url = url;
    this.#adminUrl = adminUrl;
    [this.#account] = JSON.parse(readFileSync(join(data, "dev-accounts.json"), "utf8")) as [Account];
  }

  static async start(data: string, settings: readonly string[]): Promise<Subject> {
    const probe = new URL("./probe.ts", import.meta.url).href;
    const flags = [...process.execArgv, "--expose-gc", "--import", probe];
    const args = ["src/cli/main.ts", "start", "--data", data, "--port", "0", "--past", "0", "--log-level", "warn"];
    const child = spawn(process.execPath, [...flags, ...args, ...settings], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    // Whatever way the watching ends, the watched one goes with it.
    process.once("exit", () => child.kill("SIGKILL"));
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }).on("line", (said) => {
        if (said.startsWith("bourse ready ")) resolve(said);
      });
      child.once("exit", (code) => reject(new Error(`The venue ended with ${code} before it was ready.`)));
    });
    return new Subject(child, data, line);
  }

  async look(): Promise<Look> {
    const latencies = await this.#latencies();
    const insides = await this.#insides();
    const { pid } = this.#child;
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const counts = await this.#counts();
    const files = [...filesOf(this.#data)].map(([{ kind }, bytes]) => [`file_${kind}_mib`, bytes / MIB] as const);
    return {
      resident_mib: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024,
      heap_mib: insides.heap / MIB,
      external_mib: insides.external / MIB,
      threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      timers: insides.handles["Timeout"] ?? 0,
      handles: Object.values(insides.handles).reduce((sum, count) => sum + count, 0),
      order_p50_ms: quantile(latencies, 0.5),
      order_worst_ms: quantile(latencies, 1),
      ...counts,
      ...Object.fromEntries(files),
    };
  }

  /** Moves a virtual clock on, and settles when the market has lived through it. */
  async advance(ms: number): Promise<void> {
    await this.#operate("/admin/clock", { advance_ms: ms });
  }

  /** Ends it as an operator would. Gives its exit code. */
  async stop(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGTERM");
    const late = setTimeout(() => this.#child.kill("SIGKILL"), END_MS);
    const code = await ended;
    clearTimeout(late);
    return code;
  }

  #insides(): Promise<Insides> {
    return new Promise((resolve, reject) => {
      this.#child.once("message", (insides) => resolve(insides as Insides));
      this.#child.send("look", (error) => error && reject(error));
    });
  }

  /** Times of orders far from the market that are cancelled again, ms, ascending. */
  async #latencies(): Promise<number[]> {
    const latencies: number[] = [];
    for (let order = 0; order < ORDERS_PER_LOOK; order++) {
      const asked = { market: "BTCUSDT", market_type: "SPOT" };
      const startMs = performance.now();
      const { order_id } = await this.#sign("/v2/spot/order", {
        ...{ ...asked, side: "buy", type: "maker_only", amount: "0.01", price: "1000" },
      });
      latencies.push(performance.now() - startMs);
      await this.#sign("/v2/spot/cancel-order", { ...asked, order_id });
      await sleep(PAUSE_MS);
    }
    return latencies.sort((left, right) => left - right);
  }

  async #counts(): Promise<Look> {
    const response = await fetch(`${this.#adminUrl}/admin/metrics`, { headers: this.#authorization });
    const text = await response.text();
    const figureOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    return {
      commands: figureOf("bourse_seq"),
      open_orders: figureOf("bourse_open_orders"),
      users: figureOf("bourse_users"),
    };
  }

  async #sign(target: string, content: object): Promise<{ readonly order_id: number }> {
    const body = JSON.stringify(content);
    const timestamp = String(Date.now());
    const { access_id, secret_key } = this.#account;
    const sign = createHmac("sha256", secret_key).update(`POST${target}${body}${timestamp}`).digest("hex");
    const response = await fetch(this.#url + target, {
      method: "POST",
      headers: {
        ...{ "Content-Type": "application/json", "X-SVC-KEY": access_id, "X-SVC-SIGN": sign },
        ...{ "X-SVC-TIMESTAMP": timestamp, "X-SVC-WINDOWTIME": "60000" },
      },
      body,
    });
    return dataOf(target, await response.json());
  }

  async #operate(path: string, content: object): Promise<unknown> {
    const response = await fetch(this.#adminUrl + path, {
      method: "POST",
      headers: { ...this.#authorization, "Content-Type": "application/json" },
      body: JSON.stringify(content),
    });
    return dataOf(path, await response.json());
  }

  get #authorization(): Record<string, string> {
    return { Authorization: `Bearer ${readFileSync(join(this.#data, "admin-token"), "utf8").trim()}` };
  }
}

function dataOf<Data>(path: string, answer: unknown): Data {
  const { code, message, data } = answer as { readonly code: number; readonly message: string; readonly data: Data };
  if (code !== 0) throw new Error(`${path}: ${code} ${message}`);
  return data;
}
