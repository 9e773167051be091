/** A venue behind a real nginx that ends TLS, with the configuration that is shipped. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { gunzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { CLIENT, Nginx, NO_NGINX } from "../support/nginx.ts";
import { VenueProcess } from "../support/venue-process.ts";

const OTHER = "127.0.0.8";
const GREEDY = "127.0.0.10";

describe("behind nginx", { skip: NO_NGINX }, () => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-nginx-"));
  let venue: VenueProcess;
  let nginx: Nginx;
  let users = 0;

  before(async () => {
    venue = await VenueProcess.start(
      join(folder, "venue"),
      ...["--makers", "off", "--trusted-proxies", "127.0.0.1", "--ip-rate", "40"],
    );
    nginx = await Nginx.start(folder, venue.url);
  });
  after(async () => {
    await nginx.end();
    await venue.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (
    path: string,
    headers: Readonly<Record<string, string>>,
    localAddress = CLIENT,
    method = "GET",
    body = "",
  ) => nginx.ask(path, { headers, localAddress, method, body });

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
    assert.equal(cancel.headers["strict-transport-security"], "max-age=31536000");
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
    const statuses: number[] = [];
    for (let count = 0; count < 120 && !statuses.includes(429); count++) {
      statuses.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => ask("/v2/ping", {}, GREEDY)))).map(
          ({ status }) => status,
        ),
      );
    }
    assert.ok(statuses.includes(429), "a client that asks too much is refused");
    assert.equal((await ask("/v2/ping", {}, OTHER)).status, 200);
  });

  test("the cookie of a session is for TLS and this host alone, and signs in on sockets too", async () => {
    const { headers, body } = await ask("/web/demo", {}, CLIENT, "POST", JSON.stringify({ account: "alice" }));
    const [set = ""] = headers["set-cookie"] ?? [];
    assert.match(set, /^__Host-bourse_session=[\w-]{43}; .*Path=\/; .*Secure$/);
    const [cookie = ""] = set.split(";");
    const words = { cookie, "x-bourse-csrf": body.data.csrf };
    assert.equal((await ask("/v2/account/info", words)).body.code, 0);
    const planted = { ...words, cookie: cookie.replace("__Host-", "") };
    assert.notEqual((await ask("/v2/account/info", planted)).body.code, 0);
    const codes: number[] = [];
    for (const each of [cookie, planted.cookie]) {
      const socket = new WebSocket(`wss://127.0.0.1:${nginx.port}/v2/spot`, {
        rejectUnauthorized: false,
        headers: { cookie: each },
      });
      await once(socket, "open");
      socket.send(JSON.stringify({ id: 1, method: "server.sign", params: { session: body.data.csrf } }));
      const [answer] = (await once(socket, "message")) as [Buffer];
      codes.push(JSON.parse(gunzipSync(answer).toString()).code);
      socket.close();
      await once(socket, "close");
    }
    assert.equal(codes[0], 0);
    assert.notEqual(codes[1], 0);
  });

  test("sockets pass, and their logins are held against the client's address as well", async () => {
    const key = await keyFor([CLIENT]);
    const codes: number[] = [];
    for (const localAddress of [CLIENT, OTHER]) {
      const socket = new WebSocket(`wss://127.0.0.1:${nginx.port}/v2/spot`, {
        rejectUnauthorized: false,
        localAddress,
      });
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
