/** What a supervisor and a load balancer see of a venue while it starts, serves and stops. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { EnvelopeRenderer } from "../../src/gateway/envelope/renderer.ts";
import { routerOf } from "../../src/gateway/http/router.ts";
import { HttpServer } from "../../src/gateway/http/server.ts";
import { REFUSAL_ROWS } from "../../src/gateway/parts.ts";
import { PortReservation } from "../../src/venue/port-reservation.ts";
import { bourse } from "../admin/command-line.ts";
import { holdUp } from "../support/held-up.ts";
import { VenueProcess } from "../support/venue-process.ts";

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "bourse-health-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Seen {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into freely
  readonly body: any;
}

/** Each on a connection of its own, as load balancers ask. */
async function ask(url: string, path: string): Promise<Seen> {
  const sent = request(url + path, { agent: false }).end();
  const [response] = await once(sent, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, body: JSON.parse(text) };
}

const OK: Seen = { status: 200, body: { status: "ok" } };

test("a venue that serves is live and ready on both listeners, without a token", async (t) => {
  const venue = await VenueProcess.start(join(folderOf(t), "venue"), "--makers", "off");
  t.after(() => venue.end("SIGKILL"));
  for (const url of [venue.url, venue.adminUrl]) {
    assert.deepEqual([await ask(url, "/livez"), await ask(url, "/readyz")], [OK, OK]);
  }
  const metrics = await venue.metrics();
  assert.match(metrics, /^bourse_http_seconds_count\{route="none",outcome="ok"\} \d/m);
  assert.match(metrics, /^bourse_file_bytes\{kind="log"\} [1-9]/m);
  assert.match(metrics, /^bourse_replayed_commands 0$/m);
  assert.match(metrics, /^bourse_index_age_seconds\{market="BTCUSDT",market_type="SPOT"\} \d/m);
  assert.match(metrics, /^bourse_insurance_fund\{ccy="USDT"\} \d/m);
});

test("before it serves a venue is live, not ready, and says why; who waits at its port meanwhile is not turned away", async (t) => {
  const reservation = await PortReservation.open("127.0.0.1", 0, "port");
  const url = `http://127.0.0.1:${reservation.port}`;
  assert.deepEqual(await ask(url, "/livez"), OK);
  const early = await ask(url, "/readyz");
  assert.deepEqual(early, {
    status: 503,
    body: { status: "unavailable", reason: "The venue is starting and does not serve yet." },
  });
  assert.equal((await ask(url, "/v2/ping")).body.code, 4001);

  const server = new HttpServer({
    router: routerOf([{ base: "", renderer: new EnvelopeRenderer(REFUSAL_ROWS), routes: new Map() }]),
    log: { error: () => {} },
  });
  t.after(() => server.drain(100));
  const address = await server.listen("127.0.0.1", 0, reservation.handOver());
  reservation.close();
  assert.equal(address.port, reservation.port);
  assert.equal((await ask(url, "/readyz")).status, 503);
  server.open();
  assert.deepEqual(await ask(url, "/readyz"), OK);
  server.turnAway();
  assert.deepEqual(await ask(url, "/livez"), OK);
  assert.deepEqual(await ask(url, "/readyz"), {
    status: 503,
    body: { status: "unavailable", reason: "The venue is stopping and takes no more requests." },
  });
});

test("while the API drains, the operator's listener goes on saying so", async (t) => {
  const venue = await VenueProcess.start(join(folderOf(t), "venue"), "--makers", "off");
  t.after(() => venue.end("SIGKILL"));
  const slow = await holdUp(venue);
  t.after(() => slow.destroy());
  const ended = venue.end("SIGTERM");
  let seen = OK;
  while (seen.status === 200) seen = await ask(venue.adminUrl, "/readyz");
  assert.equal(seen.status, 503);
  assert.match(seen.body.reason, /stopping/);
  assert.deepEqual(await ask(venue.adminUrl, "/livez"), OK);
  slow.destroy();
  assert.equal(await ended, 0);
});

test("a start that fails leaves no directory and no lock behind", async (t) => {
  const folder = folderOf(t);
  const taken = createServer().listen(0, "127.0.0.1");
  t.after(() => taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const data = join(folder, "new", "venue");
  const late = await bourse("start", "--data", data, "--port", "0", "--admin-port", String(port));
  assert.deepEqual([late.code, existsSync(join(folder, "new"))], [1, false], late.stderr);

  // Found bad only when the log is there already.
  const guessed = join(folder, "guessed");
  rmSync(guessed, { recursive: true, force: true });
  const config = join(folder, "bourse.json");
  writeFileSync(config, JSON.stringify({ profile: "production", data: guessed, port: 0 }));
  const first = await VenueProcess.start(guessed, "--config", config);
  assert.equal(await first.end("SIGTERM"), 0);
  for (const name of readdirSync(guessed)) if (name !== "admin-token") rmSync(join(guessed, name), { recursive: true });
  writeFileSync(join(guessed, "admin-token"), "guess me\n");
  const refused = await bourse("start", "--config", config);
  assert.match(refused.stderr, /admin-token can be guessed/);
  assert.deepEqual([refused.code, readdirSync(guessed)], [1, ["admin-token"]]);
});
