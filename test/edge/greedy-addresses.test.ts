/** Addresses that ask more than they may, or all at once: what it costs them, and that it costs nobody else. */
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { successText } from "../../src/gateway/envelope/envelope.ts";
import { EnvelopeRenderer } from "../../src/gateway/envelope/renderer.ts";
import type { ProxyOptions } from "../../src/gateway/http/proxies.ts";
import type { RequestContext } from "../../src/gateway/http/request-context.ts";
import { routerOf } from "../../src/gateway/http/router.ts";
import { CHECKS_FREE, CONNECTS_PER_SECOND, REFUSALS_FREE } from "../../src/gateway/http/senders.ts";
import { HttpServer } from "../../src/gateway/http/server.ts";
import { REFUSAL_ROWS } from "../../src/gateway/parts.ts";
import { Peer } from "../support/peer.ts";

const GREEDY = "127.0.0.2";
const HONEST = "127.0.0.3";
const PLAIN = "";
/** Node's parser reads a request with such a header, and all behind it. */
const NOT_PLAIN = "TE: trailers\r\n";

const get = (path: string, lines = PLAIN) => `GET ${path} HTTP/1.1\r\nHost: venue\r\n${lines}\r\n`;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const count = (text: string, part: string) => text.split(part).length - 1;

describe("greedy addresses", () => {
  let server: HttpServer;
  let port = 0;
  const peers: Peer[] = [];
  /** What each request costs, and whether the greedy address has a quota, which is nothing. */
  let workMs = 0;
  let isLimited = true;
  /** Requests that were served, by path. */
  const served = new Map<string, number>();

  async function serve(proxies?: ProxyOptions): Promise<void> {
    [workMs, isLimited] = [0, true];
    served.clear();
    const service = (context: RequestContext) => {
      const end = performance.now() + workMs;
      while (performance.now() < end);
      served.set(context.path, (served.get(context.path) ?? 0) + 1);
      context.answer(successText({}));
    };
    const routes = new Map(["/greedy", "/honest"].map((path) => [path, new Map([["GET", service]])]));
    server = new HttpServer({
      router: routerOf([{ base: "", renderer: new EnvelopeRenderer(REFUSAL_ROWS), routes }]),
      log: { error: (details) => assert.fail(JSON.stringify(details)) },
      admit: (address) => !isLimited || !address.endsWith(".2"),
      ...(proxies === undefined ? {} : { proxies }),
    });
    ({ port } = await server.listen("127.0.0.1", 0));
    server.open();
  }

  afterEach(async () => {
    for (const peer of peers.splice(0)) peer.close();
    await server.drain(1_000);
  });

  async function peer(localAddress: string): Promise<Peer> {
    const made = await Peer.open({ host: "127.0.0.1", port, localAddress });
    peers.push(made);
    return made;
  }

  for (const [what, lines] of [
    ["the fast path", PLAIN],
    ["Node's parser", NOT_PLAIN],
  ] as const) {
    test(`behind fifty refusals a further one costs the connection, whatever still stands in it, by ${what}`, async () => {
      await serve();
      const greedy = await peer(GREEDY);
      greedy.write(get("/greedy", lines).repeat(600));
      await greedy.over();
      const refusals = count(greedy.text, "HTTP/1.1 429 ");
      assert.ok(refusals <= REFUSALS_FREE + 1, `${refusals} were refused`);
      const honest = await peer(HONEST);
      honest.write(get("/honest", lines).repeat(600));
      await honest.until((text) => count(text, "HTTP/1.1 200 ") === 600);
    });

    test(`health checks without end cost the connection, and others are answered, by ${what}`, async () => {
      await serve();
      const greedy = await peer(GREEDY);
      const answered = () => count(greedy.text, "HTTP/1.1 200 ");
      greedy.write(get("/livez", lines).repeat(CHECKS_FREE));
      await greedy.until(() => answered() === CHECKS_FREE);
      greedy.write(get("/livez", lines).repeat(CHECKS_FREE));
      await greedy.over();
      assert.ok(answered() <= CHECKS_FREE + REFUSALS_FREE, `${answered()} were answered`);
      const honest = await peer(HONEST);
      honest.write(get("/livez", lines) + get("/readyz", lines));
      await honest.until((text) => count(text, "HTTP/1.1 200 ") === 2);
    });

    test(`pipelines of one address are read in turns with others, by ${what}`, async () => {
      await serve();
      [workMs, isLimited] = [0.2, false];
      const honest = await peer(HONEST);
      // It is known to the parser that will read it.
      honest.write(get("/honest", lines));
      await honest.until(/ 200 /);
      const greedy = await Promise.all(Array.from({ length: 8 }, () => peer(GREEDY)));
      const pipeline = get("/greedy", lines).repeat(600);
      for (const each of greedy) each.write(pipeline);
      while (!served.has("/greedy")) await turn();
      honest.write(get("/honest", lines));
      await honest.until((text) => count(text, " 200 ") === 2);
      const before = served.get("/greedy") ?? 0;
      await Promise.all(greedy.map((each) => each.until((text) => count(text, " 200 ") === 600)));
      assert.equal(served.get("/greedy"), 4_800, "none is lost");
      assert.ok(before < 300, `${before} requests of the other address were served before`);
    });
  }

  test("an address that was refused too often opens a few connections a second, others as many as they like", async () => {
    await serve();
    const greedy = await peer(GREEDY);
    greedy.write(get("/greedy").repeat(200));
    await greedy.over();
    const tried = await Promise.all(Array.from({ length: 4 * CONNECTS_PER_SECOND }, () => peer(GREEDY)));
    for (const each of tried) each.write(get("/greedy"));
    await Promise.all(tried.map((each) => each.over()));
    const closed = tried.filter(({ text }) => text === "").length;
    assert.ok(closed > 0, "all of them were read");
    const honest = await peer(HONEST);
    honest.write(get("/honest"));
    await honest.until(/^HTTP\/1\.1 200 /);
  });

  test("behind a proxy the clients are refused, and its connections stay open for the others", async () => {
    await serve({ trusted: [GREEDY], header: "x-forwarded-for" });
    const proxy = await peer(GREEDY);
    const ask = (client: string) => get("/greedy", `X-Forwarded-For: ${client}\r\n`);
    proxy.write(ask("192.0.2.2").repeat(200) + ask("192.0.2.3"));
    await proxy.until(/ 200 /);
    assert.equal(count(proxy.text, " 429 "), 200);
    assert.equal(proxy.isOver, false);
  });
});
