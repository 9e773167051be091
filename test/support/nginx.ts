/** A real nginx in front of a venue, with the configuration that is shipped. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const CONFIGURATION = new URL("../../deploy/nginx/bourse.conf", import.meta.url);

/** A way out of loopback that every machine has: nginx sees each as a client of its own. */
export const CLIENT = "127.0.0.9";

const isThere = (program: string) => spawnSync(program, ["-v"]).error === undefined;

/** Why there is none here; false where there is one. */
export const NO_NGINX =
  isThere("nginx") && isThere("openssl")
    ? false
    : "nginx or openssl is not installed, so this venue stands behind nothing";

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the client is. */
  readonly localAddress?: string;
  readonly method?: string;
  readonly body?: string;
}

export class Nginx {
  readonly port: number;
  readonly #end: () => Promise<unknown>;

  private constructor(port: number, end: () => Promise<unknown>) {
    this.port = port;
    this.#end = end;
  }

  /**
   * In front of the venue at `url`, or of several nodes as docs/guides/cluster.md has it; its files lie in `folder`.
   * Returns when the venue answers through it.
   */
  static async start(folder: string, ...urls: readonly [string, ...string[]]): Promise<Nginx> {
    const port = await freePort();
    const options = ["-p", folder, "-c", writeConfiguration(folder, port, urls), "-e", "stderr"];
    const child = spawn("nginx", options, { stdio: "ignore" });
    const exited = once(child, "exit");
    const nginx = new Nginx(port, async () => {
      child.kill("SIGTERM");
      await exited;
    });
    for (let tries = 0; tries < 100; tries++) {
      try {
        await nginx.ask("/v2/ping");
        return nginx;
      } catch {
        await pause(50);
      }
    }
    await nginx.end();
    return assert.fail("nginx does not answer");
  }

  /** Through TLS. */
  async ask(path: string, { headers = {}, localAddress = CLIENT, method = "GET", body = "" }: Asked = {}) {
    const options = { host: "127.0.0.1", port: this.port, path, method, headers, localAddress, agent: false };
    const sent = request({ ...options, rejectUnauthorized: false });
    sent.end(body);
    const [response] = await once(sent, "response");
    let text = "";
    for await (const piece of response) text += piece;
    return { status: response.statusCode as number, headers: response.headers, body: JSON.parse(text) };
  }

  async end(): Promise<void> {
    await this.#end();
  }
}

/** The shipped file, with this machine's ports, folders and certificate in the places of the example's. */
function writeConfiguration(folder: string, port: number, urls: readonly string[]): string {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=exchange.example", "-addext", "subjectAltName=DNS:exchange.example"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", certificate, ...subject],
    { stdio: "ignore" },
  );
  mkdirSync(join(folder, "tmp"));
  const router = replaced(readFileSync(CONFIGURATION, "utf8"), [
    ["server 127.0.0.1:7400;", upstreamOf(urls)],
    ["listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`],
    ["/etc/ssl/exchange.example/fullchain.pem", certificate],
    ["/etc/ssl/exchange.example/privkey.pem", key],
  ]);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, "tmp", name)};`,
  );
  const path = join(folder, "nginx.conf");
  writeFileSync(
    path,
    `daemon off; pid ${join(folder, "nginx.pid")}; worker_processes 1; error_log stderr;\n` +
      `events { worker_connections 512; }\nhttp { access_log off; ${temporary.join(" ")}\n${router}\n}\n`,
  );
  return path;
}

function upstreamOf(urls: readonly string[]): string {
  const hosts = urls.map((url) => new URL(url).host);
  if (hosts.length === 1) return `server ${hosts[0]};`;
  return hosts.map((host) => `server ${host} max_fails=1 fail_timeout=1s;`).join("\n    ");
}

/** Each of the texts must be there. */
function replaced(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((result, [from, to]) => {
    assert.ok(result.includes(from), `the configuration no longer has: ${from}`);
    return result.replace(from, to);
  }, text);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
