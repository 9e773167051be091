import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { SecretVault } from "../../src/gateway/auth/secret-vault.ts";
import type { ApiClient, Envelope } from "../support/api-client.ts";
import { runs } from "../support/runs.ts";
import { ApiVenue, contract, limitOrder, listFutures } from "../support/served-venue.ts";
import { marketOf } from "../support/venue.ts";
import { type Action, anyPlan, isServed, legacyPath, type Plan } from "./actions.ts";
import { LegacyClient } from "./client.ts";

/** What happens between actions: which user does one, in which generation in the mixed venue, or that time goes by. */
type Step =
  | { readonly plan: Plan; readonly user: number; readonly isLegacy: boolean }
  | { readonly waitMs: number }
  | { readonly index: string };

const planned: ReadonlySet<string> = new Set(
  JSON.parse(readFileSync(new URL("../../contract/legacy/planned.json", import.meta.url), "utf8")).planned,
);

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.record({ plan: anyPlan, user: fc.nat(1), isLegacy: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ waitMs: fc.constantFrom(1_000, 60_000) }) },
    { weight: 1, arbitrary: fc.record({ index: fc.constantFrom("29500", "30000", "30600") }) },
  ),
  { minLength: 20, maxLength: 60, size: "max" },
);

test("any sequence of calls through both generations in turn gives the state that the current one alone gives", async () => {
  await fc.assert(fc.asyncProperty(steps, play), runs(10));
});

test("a call that comes to something else in the other generation is found out", async () => {
  const order = { market: "BTCUSDT", amount: "0.01", price: "29900" };
  const action = (amount: string): Action => ({
    current: ["/spot/order", { ...order, market_type: "SPOT", side: "buy", type: "limit" }],
    legacy: ["POST", "/order/limit", { ...order, type: "buy", amount }],
  });
  const step = (amount: string): Step => ({ plan: () => action(amount), user: 0, isLegacy: true });
  await play([step("0.01")]);
  await assert.rejects(play([step("0.02")]), assert.AssertionError);
});

/** Plays the steps in two venues, of which one hears of the current generation alone, and compares them after each. */
async function play(given: readonly Step[]): Promise<void> {
  const vault = SecretVault.inMemory();
  const alone = await Stage.open(vault);
  const mixed = await Stage.open(vault, alone);
  try {
    assert.equal(mixed.venue.stateHash(), alone.venue.stateHash());
    for (const step of given) {
      if ("plan" in step) {
        const action = step.plan({ state: alone.venue.engine.state, userId: alone.userId(step.user) });
        const expected = await alone.inCurrent(step.user, action);
        const isLegacy = step.isLegacy && isServed(action, planned);
        const came = isLegacy ? await mixed.inLegacy(step.user, action) : await mixed.inCurrent(step.user, action);
        assert.deepEqual(came, expected, JSON.stringify(action));
      } else {
        for (const { venue } of [alone, mixed]) {
          if ("waitMs" in step) await venue.wait(step.waitMs);
          else await setIndex(venue, step.index);
        }
      }
      assert.equal(mixed.venue.stateHash(), alone.venue.stateHash(), JSON.stringify(step));
    }
  } finally {
    await alone.venue.close();
    await mixed.venue.close();
  }
}

async function setIndex(venue: ApiVenue, price: string): Promise<void> {
  await venue.index(price);
  await venue.operate({ kind: "set_index_prices", market: "BTCUSDT", sources: [{ exchange: "one", price }] });
}

/** A user, and how both generations hear of him. */
interface Trader {
  readonly userId: number;
  readonly client: ApiClient;
  readonly old: LegacyClient;
}

/** A venue with two traders who have money everywhere. */
class Stage {
  readonly venue: ApiVenue;
  readonly #users: readonly Trader[];

  /** `like`: its keys are those of this one. */
  static async open(vault: SecretVault, like?: Stage): Promise<Stage> {
    const venue = await ApiVenue.open({ vault });
    await venue.listAssets("USDT", "BTC", "USD");
    await venue.operate(marketOf("BTC", "USDT"));
    await listFutures(venue);
    await venue.operate({
      kind: "set_index_prices",
      market: "BTCUSDT",
      sources: [{ exchange: "one", price: "30000" }],
    });
    await venue.operate({ kind: "deposit", cell: "sys:lend_pool", ccy: "USDT", amount: "1000000", note: "" });
    await venue.operate({
      kind: "set_margin_market",
      market: "BTCUSDT",
      leverage: 5,
      loans: [{ ccy: "USDT", minAmount: "10", maxAmount: "1000", dailyInterestRate: "0.0009" }],
    });
    const users: Trader[] = [];
    for (const [at, name] of ["one", "two"].entries()) {
      const { userId } = (await venue.operate({ kind: "create_user", name })) as { userId: number };
      for (const [ccy, amount] of [
        ["USDT", "100000"],
        ["BTC", "5"],
      ] as const) {
        await venue.operate({ kind: "deposit", userId, ccy, amount, note: "" });
      }
      await venue.operate({ kind: "transfer", userId, from: "SPOT", to: "FUTURES", ccy: "USDT", amount: "50000" });
      const market = "BTCUSDT";
      await venue.operate({ kind: "transfer_margin", userId, market, ccy: "USDT", amount: "5000", isIn: true });
      const client =
        like === undefined
          ? await venue.addKey(userId, ["read", "trade"])
          : await venue.addSameKey(like.venue, like.#users[at]?.client as ApiClient);
      users.push({ userId, client, old: new LegacyClient(venue, client) });
    }
    // Something to trade against, to change and to cancel: a book on either side, and a position each.
    for (const [at, side] of (["sell", "buy"] as const).entries()) {
      const client = users[at]?.client as ApiClient;
      await client.act("/v2/futures/order", contract(side, "0.1", "30000"));
      for (const price of side === "sell" ? ["30010", "30050"] : ["29990", "29950"]) {
        await client.act("/v2/spot/order", limitOrder(side, "0.2", price, { client_id: "a" }));
        await client.act("/v2/futures/order", contract(side, "0.2", price, { client_id: "b" }));
      }
    }
    return new Stage(venue, users);
  }

  private constructor(venue: ApiVenue, users: readonly Trader[]) {
    this.venue = venue;
    this.#users = users;
  }

  userId(user: number): number {
    return this.#users[user]?.userId as number;
  }

  /** Whether it was done, or of a batch which elements were. */
  async inCurrent(user: number, { current: [path, body] }: Action): Promise<unknown> {
    return doneOf((await this.#users[user]?.client.post(`/v2${path}`, body)) as Envelope);
  }

  async inLegacy(user: number, { legacy: [method, path, params] }: Action): Promise<unknown> {
    const given = Object.entries(params).filter(([, value]) => value !== undefined);
    const answer = await this.#users[user]?.old.signed(method, legacyPath(path), Object.fromEntries(given));
    return doneOf(answer as unknown as Envelope);
  }
}

function doneOf({ code, data }: Envelope): unknown {
  const isBatch = Array.isArray(data) && data.length > 0 && data[0].code !== undefined;
  return isBatch ? data.map((each: Envelope) => each.code === 0) : code === 0;
}
