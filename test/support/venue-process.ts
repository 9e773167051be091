import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { IN_MEMORY } from "../../src/venue/settings.ts";
import { ApiClient, type ApiKeyPair } from "./api-client.ts";
import { mainProgram } from "./program.ts";
import { runningLimit } from "./running-time.ts";

/** How long a venue may take until it is ready; generous, because test machines are slow and shared. */
const READY_MS = 180_000;
/** A request did not come whole in time. */
const NOT_WHOLE = 408;

export interface BeginningVenue {
  readonly ready: Promise<VenueProcess>;
  readonly complaints: () => string;
  kill(signal?: NodeJS.Signals): void;
}

/** A venue in a process of its own, started and spoken to as an operator would. */
export class VenueProcess {
  readonly url: string;
  readonly adminUrl: string;
  readonly data: string;
  /** What it wrote to standard error so far. */
  readonly complaints: () => string;
  readonly #exited: Promise<number | null>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, data: string, line: string, complaints: () => string) {
    const [, , url, , adminUrl] = line.split(" ") as [string, string, string, string, string];
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once("exit", resolve));
    this.data = data;
    this.url = url;
    this.adminUrl = adminUrl;
    this.complaints = complaints;
  }

  /** Starts one on free ports and waits until it is ready. Rejects with its standard error when it ends before. */
  static async start(data: string, ...options: readonly string[]): Promise<VenueProcess> {
    return await VenueProcess.startIn(process.env, data, ...options);
  }

  static async startIn(env: NodeJS.ProcessEnv, data: string, ...options: readonly string[]): Promise<VenueProcess> {
    return await VenueProcess.begin(env, data, ...options).ready;
  }

  /** As startIn, for who looks at what it says before it is ready. */
  static begin(env: NodeJS.ProcessEnv, data: string, ...options: readonly string[]): BeginningVenue {
    return VenueProcess.beginProgram(mainProgram(env), env, data, ...options);
  }

  /** The same of another program than this one. */
  static beginProgram(
    main: string,
    env: NodeJS.ProcessEnv,
    data: string,
    ...options: readonly string[]
  ): BeginningVenue {
    // Who needs a past says so: everybody else would wait for it.
    const args = [main, "start", "--data", data, "--port", "0", "--past", "0", ...options];
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    // A test that fails on its way must not leave a venue behind, nor wait for it.
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    child.unref();
    for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();
    let complaints = "";
    child.stderr.on("data", (chunk: Buffer) => {
      complaints += chunk;
    });
    const line = new Promise<string>((resolve, reject) => {
      const late = runningLimit(READY_MS);
      late.signal.addEventListener("abort", () => {
        child.kill("SIGKILL");
        reject(new Error(`The venue was not ready in time: ${complaints}`));
      });
      createInterface({ input: child.stdout }).once("line", (first) => {
        late.end();
        resolve(first);
      });
      child.once("exit", (code) => {
        late.end();
        reject(new Error(`The venue ended with ${code}: ${complaints}`));
      });
    });
    const ready = line.then((text) => new VenueProcess(child, data, text, () => complaints));
    // Who ends it before it is ready need not wait for that.
    ready.catch(() => {});
    return { ready, complaints: () => complaints, kill: (signal = "SIGKILL") => void child.kill(signal) };
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Its exit code, when it has ended; null when a signal killed it. A caller waits for it. */
  get exited(): Promise<number | null> {
    this.#child.ref();
    return this.#exited;
  }

  /** A client of its API; without a key it sends unsigned requests. */
  client(key?: ApiKeyPair): ApiClient {
    return this.clientAt(Date.now, key);
  }

  /** The same of a venue whose clock is another one. */
  clientAt(now: () => number, key?: ApiKeyPair): ApiClient {
    return new ApiClient(this.url, now, key);
  }

  /** Calls the operator's interface; gives the data or throws what it said. */
  // biome-ignore lint/suspicious/noExplicitAny: as in ApiClient, a test looks at what came.
  async admin(path: string, body?: object): Promise<any> {
    const send = () =>
      fetch(this.adminUrl + path, {
        method: body === undefined ? "GET" : "POST",
        // A test that counts what a venue holds open must not be one of those who hold it.
        headers: { authorization: this.authorization, "content-type": "application/json", connection: "close" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    let response = await send();
    // Where the machine stood still in the middle of it. Nothing was done then.
    while (response.status === NOT_WHOLE) response = await send();
    const envelope = (await response.json()) as { code: number; message: string; data: unknown };
    if (envelope.code !== 0) throw new Error(`${path}: ${envelope.code} ${envelope.message}`);
    return envelope.data;
  }

  /** Lets an operator in, who enrols: gives his token. */
  async operator(name: string, role: string, more: object = {}): Promise<string> {
    const { enrolment } = await this.admin("/admin/operators", { name, role, ...more });
    return (await this.admin("/admin/enrolment", { name, codes: [enrolment] })).token;
  }

  /** Its figures, as text. */
  async metrics(): Promise<string> {
    // A connection that is kept would count as one of the venue's open files for a minute.
    const headers = { authorization: this.authorization, connection: "close" };
    return (await fetch(`${this.adminUrl}/metrics`, { headers })).text();
  }

  /** Makes a user with funds and a key, and gives a client that signs with it. */
  async trader(name: string, funds: Readonly<Record<string, string>>): Promise<{ userId: number; key: ApiKeyPair }> {
    const { user_id } = await this.admin("/admin/users", { name });
    for (const [ccy, amount] of Object.entries(funds)) {
      await this.admin("/admin/deposits", { user_id, ccy, amount, note: "test" });
    }
    const { access_id, secret_key } = await this.admin("/admin/api-keys", { user_id });
    return { userId: Number(user_id), key: { accessId: access_id, secret: secret_key } };
  }

  /** The header with the token, which a venue that keeps nothing has in a folder that it names in its log. */
  get authorization(): string {
    const folder = this.data === IN_MEMORY ? (/"folder":"([^"]+)"/.exec(this.complaints())?.[1] as string) : this.data;
    return `Bearer ${readFileSync(join(folder, "admin-token"), "utf8").trim()}`;
  }

  /** Sends a signal and waits for the end; gives the exit code, null when the signal killed it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return await this.exited;
  }
}
