/** A venue behind a real nginx that ends TLS, with the configuration that is shipped. */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { VenueProcess } from "../support/venue-process.ts";

const CONFIGURATION = new URL("../../deploy/nginx/bourse.conf", import.meta.url);
/** Ways out of loopback that every machine has: nginx sees each as a client of its own. */
const CLIENT = "127.0.0.9";
const OTHER = "127.0.0.8";

const isThere = (program: string) => spawnSync(program, ["-v"]).error === undefined;
const skip =
  isThere("nginx") && isThere("openssl")
    ? false
    : "nginx or openssl is not installed, so this venue stands behind nothing";

describe("behind nginx", { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-nginx-"));
  let venue: VenueProcess;
  let nginx: ChildProcess;
  let port: number;
  let users = 0;

  before(async () => {
    venue = await VenueProcess.start(
      join(folder, "venue"),
      ...["--makers", "off", "--trusted-proxies", "127.0.0.1", "--ip-rate", "40"],
    );
    port = await freePort();
    nginx = spawn("nginx", ["-p", folder, "-c", writeConfiguration(folder, port, venue.url), "-e", "stderr"], {
      stdio: "ignore",
    });
    for (let tries = 0; tries < 100; tries++) {
      try {
        await ask("/v2/ping", {});
        return;
      } catch {
        await pause(50);
      }
    }
    assert.fail("nginx does not answer");
  });
  after(async () => {
    nginx.kill("SIGTERM");
    await once(nginx, "exit");
    await venue.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  /** Through TLS, from an address of our choice. */
  async function ask(
    path: string,
    headers: Readonly<Record<string, string>>,
    localAddress = CLIENT,
    method = "GET",
    body = "",
  ) {
    const options = { host: "127.0.0.1", port, path, method, headers, localAddress, agent: false };
    const sent = request({ ...options, rejectUnauthorized: false });
    sent.end(body);
    const [response] = await once(sent, "response");
    let text = "";
    for await (const piece of response) text += piece;
    return { status: response.statusCode as number, headers: response.headers, body: JSON.parse(text) };
  }

  function signed(key: { accessId: string; secret: string }, method: string, target: string, body = "") {
    const timestamp = String(Date.now());
    const sign = createHmac("sha256", key.secret).update(`${method}${target}${body}${timestamp}`).digest("hex");
    return { "X-SVC-KEY": key.accessId, "X-SVC-SIGN": sign, "X-SVC-TIMESTAMP": timestamp };
  }

  async function keyFor(addresses: readonly string[]) {
    const { user_id } = await venue.admin("/admin/users", { name: `user ${++users}` });
    const made = await venue.admin("/admin/api-keys", { user_id, ip_whitelist: addresses });
    return { accessId: String(made.access_id), secret: String(made.secret_key) };
  }

  test("signed requests pass as they were sent, queries and bodies too", async () => {
    const key = await keyFor(["127.0.0.0/8"]);
    const target = "/v2/spot/pending-order?market_type=SPOT&market=BTCUSDT&page=1";
    assert.equal((await ask(target, signed(key, "GET", target))).body.code, 0);
    const body = '{"market":"BTCUSDT","market_type":"SPOT","order_id":1}';
    const cancel = await ask(
      "/v2/spot/cancel-order",
      signed(key, "POST", "/v2/spot/cancel-order", body),
      CLIENT,
      "POST",
      body,
    );
    assert.equal(cancel.body.code, 3600);
    assert.equal(cancel.headers["x-content-type-options"], "nosniff");
  });

  test("the lists of keys are held against the client's address, and what a client says of itself counts for nothing", async () => {
    const key = await keyFor([CLIENT]);
    const target = "/v2/account/info";
    assert.equal((await ask(target, signed(key, "GET", target))).body.code, 0);
    assert.equal((await ask(target, signed(key, "GET", target), OTHER)).body.code, 4007);
    const lie = { ...signed(key, "GET", target), "X-Forwarded-For": CLIENT, Forwarded: `for=${CLIENT}` };
    assert.equal((await ask(target, lie, OTHER)).body.code, 4007);
  });

  test("each client has a quota of its own", async () => {
    await pause(1_100);
    const statuses: number[] = [];
    for (let count = 0; count < 120 && !statuses.includes(429); count++) {
      statuses.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => ask("/v2/ping", {})))).map(({ status }) => status),
      );
    }
    assert.ok(statuses.includes(429), "a client that asks too much is refused");
    assert.equal((await ask("/v2/ping", {}, OTHER)).status, 200);
    await pause(1_100);
  });

  test("sockets pass, and their logins are held against the client's address as well", async () => {
    const key = await keyFor([CLIENT]);
    const codes: number[] = [];
    for (const localAddress of [CLIENT, OTHER]) {
      const socket = new WebSocket(`wss://127.0.0.1:${port}/v2/spot`, { rejectUnauthorized: false, localAddress });
      await once(socket, "open");
      const timestamp = Date.now();
      const signed_str = createHmac("sha256", key.secret).update(String(timestamp)).digest("hex");
      socket.send(
        JSON.stringify({ id: 1, method: "server.sign", params: { access_id: key.accessId, signed_str, timestamp } }),
      );
      const [answer] = (await once(socket, "message")) as [Buffer];
      codes.push(JSON.parse(gunzipSync(answer).toString()).code);
      socket.close();
      await once(socket, "close");
    }
    assert.deepEqual(codes, [0, 21_002]);
  });
});

/** The shipped file, with this machine's ports, folders and certificate in the places of the example's. */
function writeConfiguration(folder: string, port: number, url: string): string {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=exchange.example", "-addext", "subjectAltName=DNS:exchange.example"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", certificate, ...subject],
    { stdio: "ignore" },
  );
  mkdirSync(join(folder, "tmp"));
  const site = replaced(readFileSync(CONFIGURATION, "utf8"), [
    ["server 127.0.0.1:7400;", `server ${new URL(url).host};`],
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
      `events { worker_connections 512; }\nhttp { access_log off; ${temporary.join(" ")}\n${site}\n}\n`,
  );
  return path;
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
