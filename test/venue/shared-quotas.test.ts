/** Two venues whose quotas are shared, as an operator starts them and a client meets them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { IN_MEMORY } from "../../src/venue/settings.ts";
import type { ApiClient, Envelope } from "../support/api-client.ts";
import { QuotaServerProcess, withoutQuotaServer } from "../support/quota-server.ts";
import { VenueProcess } from "../support/venue-process.ts";

/** Of the fixed accounts: both venues have the same ones, as nodes of one venue do. */
const ALICE = {
  accessId: "76C101C1D5579A41CA9066B9CCB187B5",
  secret: "799400991C9FCC1EAB583202E52473F16226EB2883EF46DB",
};
const PASSWORD = "open:sesame/1";
const BALANCE = "/v2/assets/spot/balance";
const TOO_MANY = 4213;
const RATE = 20;
const REQUESTS = 3 * RATE;
const PATIENT_MS = 120_000;
const ARGUMENTS = [
  ...["--makers", "off", "--accounts", "fixed", "--group-rates", `{"spot:Query accounts": ${RATE}}`],
  // Whose address asks far too much loses its connections; here the account is what asks too much.
  ...["--ip-rate", "100000"],
];

const startVenue = (url: string) => VenueProcess.start(IN_MEMORY, ...ARGUMENTS, "--quotas", url);

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENT_MS;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, "it did not happen");
    await pause(100);
  }
}

async function standing(venue: VenueProcess): Promise<string> {
  return (await venue.admin("/admin/status")).quotas;
}

async function partings(venues: readonly VenueProcess[]): Promise<number> {
  const texts = await Promise.all(venues.map((venue) => venue.metrics()));
  return texts.reduce((sum, text) => sum + Number(/^bourse_quota_partings_total (\d+)$/m.exec(text)?.[1]), 0);
}

interface Seen {
  readonly code: number;
  readonly limit: string | null;
  readonly remaining: number;
}

/** One client that goes from venue to venue with each request. */
async function alternate(clients: readonly ApiClient[]) {
  const seen: Seen[] = [];
  const startMs = performance.now();
  for (let request = 0; request < REQUESTS; request++) {
    const answer = await (clients[request % clients.length] as ApiClient).fetch("GET", BALANCE);
    const { code } = (await answer.json()) as Envelope;
    const limit = answer.headers.get("X-RateLimit-Limit");
    seen.push({ code, limit, remaining: Number(answer.headers.get("X-RateLimit-Remaining")) });
  }
  return { seen, seconds: (performance.now() - startMs) / 1_000 };
}

test("two venues on one server: one quota, one answer whoever is asked, and nobody fails when the server is killed", {
  skip: withoutQuotaServer(),
}, async (t) => {
  const server = await QuotaServerProcess.start({ password: PASSWORD });
  t.after(() => server.close());
  const venues = [await startVenue(server.url), await startVenue(server.url)];
  t.after(async () => {
    for (const venue of venues) await venue.end("SIGTERM");
  });
  const clients = venues.map((venue) => venue.client(ALICE));

  await t.test(
    "a client that alternates between them gets the quota of one, and headers tell what is left of it",
    async () => {
      // A trip may take too long on a busy machine, and each venue is then by itself for a moment; that is another
      // test.
      for (let isUndisturbed = false; !isUndisturbed; ) {
        await until(async () => (await Promise.all(venues.map(standing))).every((quotas) => quotas === "shared"));
        const before = await partings(venues);
        await pause(1_100);
        const { seen, seconds } = await alternate(clients);
        isUndisturbed = (await partings(venues)) === before;
        if (!isUndisturbed) continue;
        const refilled = RATE * seconds;
        assert.deepEqual([...new Set(seen.map(({ limit }) => limit))], [`${RATE}`]);
        assert.ok(seen.every(({ code, remaining }) => code === 0 || (code === TOO_MANY && remaining === 0)));
        const left = seen.filter(({ code }) => code === 0).map(({ remaining }) => remaining);
        assert.ok(left.length >= RATE && left.length <= RATE + refilled, `${left.length} passed in ${seconds} s`);
        left.forEach((remaining, at) => {
          const spent = RATE - 1 - at;
          assert.ok(remaining >= Math.max(0, spent) && remaining <= spent + refilled, `${remaining} after ${at + 1}`);
        });
      }
    },
  );

  await t.test("figures tell that they share, and with how many", async () => {
    await until(async () => /^bourse_quota_nodes 2$/m.test(await (venues[0] as VenueProcess).metrics()));
    const text = await (venues[1] as VenueProcess).metrics();
    assert.match(text, /^bourse_quotas_shared [01]$/m);
    assert.match(text, /^bourse_quota_trip_seconds_count [1-9]\d*$/m);
  });

  await t.test(
    "killed under load: every request is answered, each venue goes on with its part, and both come back",
    async () => {
      let isOver = false;
      const seen = new Map<string, number>();
      const load = clients.flatMap((client) =>
        Array.from({ length: 8 }, async () => {
          while (!isOver) {
            const answer = await client.fetch("GET", BALANCE);
            const { code } = (await answer.json()) as Envelope;
            const kind = `${answer.status} ${code}`;
            seen.set(kind, (seen.get(kind) ?? 0) + 1);
          }
        }),
      );
      await until(async () => (seen.get("200 0") ?? 0) > RATE);
      await server.kill();
      await until(async () => (await Promise.all(venues.map(standing))).every((quotas) => quotas === "apart"));
      const ready = await fetch(`${(venues[0] as VenueProcess).url}/readyz`);
      assert.equal(ready.status, 200, "it serves");
      await ready.arrayBuffer();
      const before = seen.get("200 0") as number;
      await until(async () => (seen.get("200 0") as number) > before);
      await server.start();
      await until(async () => (await Promise.all(venues.map(standing))).every((quotas) => quotas === "shared"));
      isOver = true;
      await Promise.all(load);
      // The address may have asked too much as well.
      assert.deepEqual(
        [...seen.keys()].filter((kind) => !["200 0", `200 ${TOO_MANY}`, `429 ${TOO_MANY}`].includes(kind)),
        [],
      );
    },
  );

  await t.test("the log says so, and never the password", () => {
    for (const { complaints } of venues) {
      assert.match(complaints(), /quotas are not shared: this node goes on by itself/);
      assert.match(complaints(), /quotas are shared with all nodes on their server/);
      assert.doesNotMatch(complaints(), /sesame/);
    }
  });
});
