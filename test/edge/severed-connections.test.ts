/**
 * Clients that go away in every state of a connection: by a reset, a close of one or both sides, or by standing still.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENDINGS, type Ending, knows, STATES, type State } from "../support/connection-states.ts";
import { NO_NGINX } from "../support/nginx.ts";
import type { Peer } from "../support/peer.ts";
import { budget } from "../support/ring.ts";
import { endBy, SCENES, Scene, sever } from "../support/severed.ts";

/** `npm run tool fuzz -- --resets N` plays as many as one likes. */
const RANDOM_CONNECTIONS = budget(150, 10_000);
const SEED = 20_261_126;

for (const name of SCENES) {
  describe(`a venue of the scene ${name}`, { skip: name === "nginx" && NO_NGINX }, () => {
    test("lives on when a client leaves it in any state of a connection, and keeps nothing of it", async (t) => {
      const scene = await Scene.open(name);
      t.after(() => scene.end());
      for (const at of scene.listeners) {
        const stalled: Peer[] = [];
        const leave = async (state: State, ending: Ending) => {
          const peer = await scene.connect(at, `127.0.0.${100 + STATES.indexOf(state)}`);
          await state.bring(peer, at);
          if (ending === "stall") stalled.push(peer);
          else await endBy(ending, peer);
        };
        const known = STATES.filter((each) => knows(at, each));
        await Promise.all(known.flatMap((state) => ENDINGS.map((ending) => leave(state, ending))));
        await scene.assertServes();
        for (const peer of stalled) peer.reset();
        await scene.assertServes();
      }
      if (name === "dev")
        assert.match(await scene.venue.metrics(), /^bourse_orders_total [1-9]/m, "no socket placed an order");
      await sever(scene, { connections: RANDOM_CONNECTIONS, seed: SEED });
    });
  });
}

test("a venue that stops refuses what comes on open connections, and ends as it should when they are reset then", async (t) => {
  const scene = await Scene.open("dev");
  t.after(() => scene.end());
  const [api] = scene.listeners;
  assert.ok(api !== undefined);
  const open = async (state: string) => {
    const peer = await scene.connect(api, "127.0.0.7");
    await STATES.find(({ name }) => name === state)?.bring(peer, api);
    return peer;
  };
  const slow = await open("answers that nobody takes, reading paused");
  const late = await Promise.all(Array.from({ length: 4 }, () => open("half a handshake")));
  const others = await Promise.all(
    STATES.filter((state) => knows(api, state) && !state.isGreedy).map(({ name }) => open(name)),
  );
  const ended = scene.venue.end("SIGTERM");
  await Promise.all(
    late.map(async (peer) => {
      peer.write("\r\n\r\n");
      await peer.until(/^HTTP\/1\.1 503 /);
      peer.reset();
    }),
  );
  for (const peer of [...others, slow]) peer.reset();
  assert.equal(await ended, 0, scene.venue.complaints());
});
