/** What strangers can do to the operator's listener, which is nothing. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { EnvelopeRenderer } from "../../src/gateway/envelope/renderer.ts";
import { routerOf } from "../../src/gateway/http/router.ts";
import { HttpServer, type Service } from "../../src/gateway/http/server.ts";
import { REFUSAL_ROWS } from "../../src/gateway/parts.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { openAdminVenue } from "./venue.ts";

/** Status and envelope of a request with headers of its own choice, which fetch would not send. */
async function ask(
  where: { readonly port: number } | { readonly socketPath: string },
  headers: Readonly<Record<string, string>>,
): Promise<[number, { code: number; message: string }]> {
  const sent = request({ ...where, path: "/admin/status", headers, agent: false }).end();
  const [response] = await once(sent, "response");
  let text = "";
  for await (const piece of response) text += piece;
  return [response.statusCode, JSON.parse(text)];
}

test("only an address, localhost and the configured name are hosts of the listener", async (t) => {
  const venue = await openAdminVenue(t);
  const port = Number(new URL(venue.url).port);
  const authorization = `Bearer ${venue.token}`;
  for (const host of ["127.0.0.1", `127.0.0.1:${port}`, "localhost", `LOCALHOST:${port}`, `[::1]:${port}`]) {
    assert.deepEqual((await ask({ port }, { host, authorization }))[0], 200, host);
  }
  for (const host of ["evil.example", "127.0.0.1.evil.example", `localhost.evil.example:${port}`]) {
    const [status, { code, message }] = await ask({ port }, { host, authorization });
    assert.deepEqual([status, code], [421, 4004], host);
    assert.match(message, /Host header must be an IP address/);
  }
});

test("wrong tokens wait longer and longer from the twenty-first on; the right one never does", async (t) => {
  const venue = await openAdminVenue(t);
  const port = Number(new URL(venue.url).port);
  const started = performance.now();
  for (let count = 0; count < 22; count++) {
    const [status, { code }] = await ask({ port }, { authorization: "Bearer wrong" });
    assert.deepEqual([status, code], [401, 4005]);
  }
  assert.ok(performance.now() - started >= 300, "the last two waited 100 and 200 ms");
  const slow = ask({ port }, { authorization: "Bearer wrong" });
  const right = await Promise.race([slow, ask({ port }, { authorization: `Bearer ${venue.token}` })]);
  assert.equal(right[0], 200);
  await slow;
});

test("a connection for which nobody has vouched is cut in time, and the oldest makes room when all places are taken", async (t) => {
  const renderer = new EnvelopeRenderer(REFUSAL_ROWS);
  const routes = new Map([
    [
      "/in",
      new Map([
        [
          "GET",
          (exchange: Parameters<Service>[0]) => {
            exchange.connection.vouch();
            exchange.answer("{}");
          },
        ],
      ]),
    ],
  ]);
  const limits = { guestMs: 4_000, connectionsMax: 3 };
  const server = new HttpServer({
    router: routerOf([{ base: "", renderer, routes }]),
    log: { error: () => {} },
    limits,
  });
  t.after(() => server.drain(50));
  const { port } = await server.listen("127.0.0.1", 0);
  server.open();
  const open = async () => {
    const socket = connect(port, "127.0.0.1").resume();
    t.after(() => socket.destroy());
    socket.on("error", () => {});
    await once(socket, "connect");
    return socket;
  };
  const known = await open();
  known.write("GET /in HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(known, "data");
  const guests = [await open(), await open()];
  // The listener has taken them when it answers what came later.
  known.write("GET /in HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(known, "data");
  const late = await open();
  await once(guests[0] as typeof known, "close");
  assert.equal(guests[1]?.destroyed, false);
  late.write("GET /in HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(late, "data");
  await once(guests[1] as typeof known, "close");
  // Time itself: guests that are known stay beyond the time of those who are not.
  await pause(4_100);
  assert.deepEqual([known.destroyed, late.destroyed], [false, false]);
});

test("the interface is there on a socket in the data directory, for its owner alone, and asks for the token all the same", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-socket-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, "venue");
  const venue = await VenueProcess.start(data, "--makers", "off");
  t.after(() => venue.end("SIGKILL"));
  const socketPath = join(data, "admin-socket");
  assert.equal(statSync(socketPath).mode & 0o777, 0o600);
  assert.equal((await ask({ socketPath }, {}))[0], 401);
  assert.equal((await ask({ socketPath }, { authorization: venue.authorization }))[0], 200);
  // What a process leaves behind that was killed is in nobody's way.
  await venue.end("SIGKILL");
  const again = await VenueProcess.start(data, "--makers", "off");
  t.after(() => again.end("SIGKILL"));
  assert.equal((await ask({ socketPath }, { authorization: again.authorization }))[0], 200);
});
