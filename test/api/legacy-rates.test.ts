import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { loadContract } from "../../src/gateway/current/contract.ts";
import { type LegacyEndpoint, legacyName, loadLegacyContract } from "../../src/gateway/legacy/contract.ts";
import { legacyHandlers } from "../../src/gateway/parts.ts";
import { type LegacyAnswer, LegacyClient } from "../legacy/client.ts";
import { QUOTAS, QuotaServerProcess } from "../support/quota-server.ts";
import { type ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";

const TOO_MANY = 213;

/** Requests of an address in a second. */
const PER_ADDRESS = 400;

const AREAS = ["spot", "futures"] as const;
const CASES = QUOTAS.flatMap((quotas) => AREAS.map((area) => ({ ...quotas, area })));

for (const { where, skip, isShared, area } of CASES) {
  const { endpoints, groups } = loadLegacyContract(area, loadContract());

  /**
   * Time stands still but where a test moves it. The group is asked before the parameters: calls without any will do.
   */
  describe(`rates of the legacy generation ${where}, ${area}`, { skip }, () => {
    let server: QuotaServerProcess | undefined;
    let venue: ApiVenue;
    let main: LegacyClient;
    let sub: LegacyClient;
    let served: readonly LegacyEndpoint[];
    before(async () => {
      if (isShared) server = await QuotaServerProcess.start();
      venue = await bitcoinApiVenue({ rates: {}, others: server?.share });
      const user = await venue.addUser("main");
      main = new LegacyClient(venue, await venue.addKey(user.userId, ["read", "trade", "withdraw"]));
      sub = new LegacyClient(venue, (await venue.addUser("sub", {}, user.userId)).client);
      const backend = { state: venue.engine.state, history: venue.history } as never;
      const handlers = legacyHandlers(backend);
      served = endpoints.filter((endpoint) => endpoint.signed && Object.hasOwn(handlers, legacyName(endpoint)));
    });
    after(async () => {
      await venue.close();
      await server?.close();
    });

    const ask = (by: LegacyClient, { method, path }: LegacyEndpoint) => by.signed(method, path.replace(/\{.*\}/, "1"));

    test("every signed call draws one of its group and says what is left, and no other call does", async () => {
      for (const endpoint of served) {
        // Every group is full again.
        venue.control.timeMs += 2_000;
        const limit = groups.find(({ name }) => name === endpoint.group)?.rate.count;
        assert.ok(limit !== undefined, `${legacyName(endpoint)} is in no group`);
        assert.deepEqual(quotaOf(await ask(main, endpoint)), [String(limit), String(limit - 1)], legacyName(endpoint));
      }
      for (const { method, path } of endpoints.filter(({ signed }) => !signed)) {
        const answer = await main.signed(method, path);
        assert.deepEqual(quotaOf(answer), [null, null], path);
      }
    });

    test("the limit of the address holds for all surfaces together, and is told in this one's words", async () => {
      venue.control.timeMs += 1_000;
      const path = area === "spot" ? "/v1/market/list" : "/perpetual/v1/ping";
      for (let asked = 0; asked < PER_ADDRESS / 2; asked++) {
        assert.equal((await main.get(path)).code, 0);
        assert.equal((await venue.anybody.get("/v2/ping")).code, 0);
      }
      const { status, code, data } = await main.get(path);
      assert.deepEqual([status, code, data], [200, TOO_MANY, {}]);
    });

    for (const { name, rate } of groups) {
      test(`${rate.count} calls of "${name}" are taken in ${rate.per_seconds} s, of main and sub-account apart`, async () => {
        const endpoint = served.find(({ group, callers }) => group === name && callers === "any") as LegacyEndpoint;
        venue.control.timeMs += 1_000 * rate.per_seconds;
        for (let left = rate.count - 1; left >= 0; left--) {
          const answer = await ask(main, endpoint);
          assert.notEqual(answer.code, TOO_MANY);
          assert.deepEqual(quotaOf(answer), [String(rate.count), String(left)]);
        }
        const refused = await ask(main, endpoint);
        assert.deepEqual([refused.status, refused.code, refused.data], [200, TOO_MANY, {}]);
        assert.deepEqual(quotaOf(refused), [String(rate.count), "0"]);
        const other = await ask(sub, endpoint);
        assert.deepEqual(quotaOf(other), [String(rate.count), String(rate.count - 1)]);
        venue.control.timeMs += 1_000 * rate.per_seconds;
        assert.notEqual((await ask(main, endpoint)).code, TOO_MANY);
      });
    }
  });
}

/** What an answer says about its group. */
function quotaOf({ headers }: LegacyAnswer): readonly (string | null)[] {
  return [headers.get("X-Ratelimit-Limit"), headers.get("X-Ratelimit-Remaining")];
}
