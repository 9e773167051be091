/** In a fixed world the same steps push the same frames to sockets, however slow the machine is between them. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { type StartedVenue, startVenue } from "../../src/lab/library/index.ts";

const WORLD = { startTime: "2026-01-01T00:00:00Z", frozen: true, limits: false } as const;
/** Real time between two steps: less, as much and more than a beat of the sockets. */
const PAUSES_MS = [
  [0, 0, 0, 0],
  [30, 210, 5, 450],
] as const;

/** What a socket was sent, frame by frame, byte for byte. */
class Heard {
  readonly frames: string[] = [];
  readonly #socket: WebSocket;
  #lastId = 0;

  constructor(url: string) {
    this.#socket = new WebSocket(url);
    this.#socket.on("message", (frame: Buffer) => this.frames.push(frame.toString("base64")));
  }

  opened(): Promise<unknown> {
    return once(this.#socket, "open");
  }

  /** Sends a request and waits for its answer. */
  async ask(method: string, params: object): Promise<void> {
    const id = ++this.#lastId;
    const before = this.frames.length;
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { gunzipSync } = await import("node:zlib");
    const isAnswer = (frame: string) =>
      (JSON.parse(gunzipSync(Buffer.from(frame, "base64")).toString()) as { id: number | null }).id === id;
    while (!this.frames.slice(before).some(isAnswer)) await once(this.#socket, "message");
  }

  close(): void {
    this.#socket.terminate();
  }
}

async function lived(venue: StartedVenue, pauses: readonly number[]): Promise<Record<string, string[]>> {
  const alice = venue.client("alice");
  const key = venue.accounts[0] as { accessId: string; secretKey: string };
  const spot = new Heard(`${venue.wsUrl}/v2/spot`);
  const futures = new Heard(`${venue.wsUrl}/v2/futures`);
  await Promise.all([spot.opened(), futures.opened()]);
  const timestamp = Date.parse(WORLD.startTime);
  const signed_str = createHmac("sha256", key.secretKey).update(String(timestamp)).digest("hex");
  await spot.ask("server.sign", { access_id: key.accessId, signed_str, timestamp });
  const markets = { market_list: ["BTCUSDT", "DSCUSDT"] };
  await spot.ask("deals.subscribe", markets);
  await spot.ask("depth.subscribe", { market_list: [["BTCUSDT", 20, "0", true]] });
  await spot.ask("bbo.subscribe", markets);
  await spot.ask("state.subscribe", markets);
  await spot.ask("order.subscribe", markets);
  await spot.ask("balance.subscribe", { ccy_list: [] });
  await futures.ask("deals.subscribe", { market_list: ["BTCUSDT"] });
  await futures.ask("state.subscribe", { market_list: ["BTCUSDT"] });

  const order = { market: "BTCUSDT", market_type: "SPOT", side: "buy", amount: "0.01" } as const;
  const steps = [
    () => venue.advance(1_000),
    () => alice.post("/spot/order", { ...order, type: "limit", price: "50000" }),
    () => alice.post("/spot/order", { ...order, type: "market", amount: "500" }),
    () => venue.advance(60_000),
    () => venue.advance(3 * 3_600_000),
    () => alice.post("/spot/order", { ...order, type: "limit", price: "51000" }),
    () => venue.advance(200),
  ];
  for (const [at, step] of steps.entries()) {
    await step();
    // Time itself: how long it takes from one step to the next must make no difference.
    await pause(pauses[at % pauses.length]);
  }
  // What was pushed before is here when this is answered.
  await Promise.all([spot.ask("server.ping", {}), futures.ask("server.ping", {})]);
  spot.close();
  futures.close();
  return { spot: spot.frames, futures: futures.frames };
}

test("two runs push the same frames, byte for byte, across jumps of the clock too", async () => {
  const runs: Record<string, string[]>[] = [];
  for (const pauses of PAUSES_MS) {
    const venue = await startVenue(WORLD);
    runs.push(await lived(venue, pauses));
    await venue.stop();
  }
  const [first, second] = runs;
  assert.ok((first?.["spot"]?.length ?? 0) > 200, `only ${first?.["spot"]?.length} frames`);
  for (const kind of ["spot", "futures"]) {
    assert.equal(second?.[kind]?.length, first?.[kind]?.length, kind);
    assert.deepEqual(second?.[kind], first?.[kind], kind);
  }
});
