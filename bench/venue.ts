/** Whole venues in processes of their own, funded accounts and signed orders, for benches over HTTP. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Rate limits are at work, so that their cost is measured, with figures that nobody reaches. */
export const UNLIMITED = [
  ...["--ip-rate", "1000000", "--group-rates", '{"spot:Place and edit orders":1000000,"spot:Cancel orders":1000000}'],
  ...["--long-effective-min", "0"],
];

export interface Venue {
  readonly pid: number;
  readonly port: number;
  readonly adminUrl: string;
  readonly token: string;
}

export interface Trader {
  readonly accessId: string;
  readonly secretKey: string;
}

/** Of the kernel's counts: the same on every Linux. */
const TICKS_PER_SECOND = 100;

/** Of what a program said last, enough to tell why it ended. */
const COMPLAINTS_MAX = 4_096;

const children: ChildProcess[] = [];
// Whatever way a bench ends, an error on a socket included, nothing of it goes on.
process.once("exit", stopAll);

/** Ends all that was started here. */
export function stopAll(): void {
  for (const child of children) child.kill("SIGKILL");
}

/**
 * A venue without makers over a folder, with more settings of the command line; `root` is the work tree that it runs
 * from, `flags` are Node's.
 */
export async function startVenue(
  data: string,
  settings: readonly string[],
  root?: string,
  flags: readonly string[] = [],
): Promise<Venue> {
  const quiet = ["--port", "0", "--makers", "off"];
  const { pid, line } = await startProgram(
    [...flags, "src/cli/main.ts", "start", "--data", data, ...quiet, ...settings],
    root,
  );
  const [, , url, , adminUrl] = line.split(" ") as [string, string, string, string, string];
  const token = readFileSync(join(data, "admin-token"), "utf8").trim();
  return { pid, port: Number(new URL(url).port), adminUrl, token };
}

/**
 * A program of this repository, or of another work tree of it, once it has said its first line; run with the flags that
 * `npm start` gives as well.
 */
export function startProgram(args: readonly string[], root?: string): Promise<{ pid: number; line: string }> {
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: root,
  });
  children.push(child);
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaints = (complaints + chunk).slice(-COMPLAINTS_MAX);
  });
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", (line) => {
      resolve({ pid: child.pid as number, line });
      // One that ends by itself later leaves a bench that waits for it for ever, or measures nothing.
      child.once("exit", (code) => {
        if (code !== null) console.error(`${args.join(" ")} ended with ${code} while it was measured: ${complaints}`);
      });
    });
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}: ${complaints}`)));
  });
}

/** Seconds of a processor that a process has taken with all of its threads, in steps of a hundredth. */
export function processorSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name in brackets, which may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export async function makeTraders(venue: Venue, count: number, prefix = "bench", usdt = "10000000"): Promise<Trader[]> {
  const traders: Trader[] = [];
  for (let index = 0; index < count; index++) {
    const { user_id } = (await admin(venue, "/admin/users", { name: `${prefix}-${index}` })) as { user_id: number };
    for (const ccy of ["BTC", "USDT"]) {
      const amount = ccy === "BTC" ? "1000" : usdt;
      await admin(venue, "/admin/deposits", { user_id, ccy, amount, note: "bench" });
    }
    const key = (await admin(venue, "/admin/api-keys", { user_id })) as { access_id: string; secret_key: string };
    traders.push({ accessId: key.access_id, secretKey: key.secret_key });
  }
  return traders;
}

async function admin(venue: Venue, path: string, body: object): Promise<unknown> {
  const response = await fetch(venue.adminUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${venue.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const envelope = (await response.json()) as { code: number; data: unknown; message: string };
  if (envelope.code !== 0) throw new Error(`${path}: ${envelope.message}`);
  return envelope.data;
}

/** A signed `POST` as it goes over the wire, good for a minute. */
export function signedPost({ accessId, secretKey }: Trader, target: string, content: object): Buffer {
  const timestamp = String(Date.now());
  const body = JSON.stringify(content);
  const sign = createHmac("sha256", secretKey).update(`POST${target}${body}${timestamp}`).digest("hex");
  return Buffer.from(
    `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-SVC-KEY: ${accessId}\r\n` +
      `X-SVC-SIGN: ${sign}\r\nX-SVC-TIMESTAMP: ${timestamp}\r\nX-SVC-WINDOWTIME: 60000\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** The parameters of `server.sign`. */
export function signParams({ accessId, secretKey }: Trader): object {
  const timestamp = Date.now();
  const sign = createHmac("sha256", secretKey).update(String(timestamp)).digest("hex");
  return { access_id: accessId, signed_str: sign, timestamp };
}

/** Orders of all traders in turn. Every odd one meets the one before it: half of the orders rest, half trade. */
export function signOrders(traders: readonly Trader[], count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) =>
    signedPost(traders[index % traders.length] as Trader, "/v2/spot/order", orderOf(index)),
  );
}

/** The same in batches of `size`, each of one trader. */
export function signBatches(traders: readonly Trader[], count: number, size: number): Buffer[] {
  return Array.from({ length: count }, (_, batch) => {
    const orders = Array.from({ length: size }, (_, at) => orderOf(batch * size + at));
    return signedPost(traders[batch % traders.length] as Trader, "/v2/spot/batch-order", { orders });
  });
}

export function orderOf(index: number): object {
  return {
    market: "BTCUSDT",
    market_type: "SPOT",
    side: index % 2 === 0 ? "buy" : "sell",
    type: "limit",
    amount: "0.001",
    price: String(60_000 + ((index >> 1) % 200)),
  };
}
