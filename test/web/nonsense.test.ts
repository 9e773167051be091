import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { WEB_CALLS } from "../../src/gateway/web/calls.ts";
import { runs } from "../support/runs.ts";
import { bitcoinApiVenue } from "../support/served-venue.ts";
import { WebClient } from "./web-client.ts";

test("whatever is sent to whatever stands below /web is answered or refused in a sentence, and fails nowhere", async () => {
  const venue = await bitcoinApiVenue({ web: { demoAccounts: ["alice"], origin: "http://localhost" } });
  await venue.addUser("alice", { USDT: "1" });
  const client = new WebClient(venue.base);
  await client.act("/web/demo", { account: "alice" });
  const { cookie, csrf } = client;
  const names = [...new Set(WEB_CALLS.flatMap(({ fields }) => Object.keys(fields)))];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("alice", "a@b.org", "correct horse battery", "000000", "A".repeat(300), "__proto__", -1, 2 ** 60),
    fc.record({ id: fc.string(), rawId: fc.string(), type: fc.constant("public-key"), response: fc.jsonValue() }),
  );
  const bodies = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...WEB_CALLS), bodies, fc.string({ maxLength: 8 }), async (call, body, id) => {
      // A user who was signed out by it is signed in again.
      Object.assign(client, { cookie, csrf });
      venue.control.evenMs += 3_600_000;
      const path = call.path.replace(/\{\w+\}/, encodeURIComponent(id) || "0");
      const reply = await client.send(call.method, path, call.method === "GET" ? undefined : body);
      assert.notEqual(reply.code, 4003, reply.message);
      assert.ok(reply.status < 500, String(reply.status));
      if (reply.code !== 0) assert.match(reply.message, /^\p{Lu}.*\.$/su);
    }),
    runs(300),
  );
  // No failure was logged, and the invariants hold.
  await venue.close();
});
