import { poolLevels } from "../../../../src/engine/amm/quotes.ts";
import type { Command } from "../../../../src/engine/command.ts";
import type { State } from "../../../../src/engine/state.ts";
import type { Differ } from "../compare-records.ts";
import { pairAt } from "../markets.ts";
import type { ModelMarket } from "../model/records.ts";
import type { SpotPart } from "../part.ts";
import type { Settings } from "../settings.ts";
import { addition, amountsOf, poolTerms } from "./actions.ts";
import { levelsOf, type ModelPool } from "./pool.ts";
import { addLiquidity, removeLiquidity, setPool } from "./providing.ts";

const LEVELS_COMPARED = 3;

/** Pools: what they quote beside the orders, who has how much of them, and what it earns. Domain 5. */
export const pools: SpotPart = {
  name: "pools",
  setup,
  actions: {
    pool: { often: { usual: [0, 0, 1], auctions: [1] }, make: (draw) => ({ command: poolTerms(draw) }) },
    add_liquidity: { often: { usual: [0, 2, 8], auctions: [2] }, make: (draw) => ({ command: addition(draw) }) },
    remove_liquidity: {
      often: { usual: [0, 1, 3], auctions: [1] },
      make: (draw) => ({
        command: { kind: "remove_liquidity", userId: draw.userId(), market: draw.marketName() },
      }),
    },
  },
  ofUsers: { add_liquidity: addLiquidity, remove_liquidity: removeLiquidity },
  ofVenue: { set_pool: setPool },
  compare: (state, model, differ) => {
    for (const market of model.markets) comparePool(state, market, differ);
  },
  faults: [
    {
      name: "an addition to a pool is rounded in the favour of who adds",
      file: "amm/add.ts",
      code: "base: divCeil(shares * hasBase, all),",
      instead: "base: (shares * hasBase) / all,",
    },
    {
      name: "a pool comes before the orders of its price",
      file: "amm/quotes.ts",
      code: "(side === 1 ? level.price < price : level.price > price) ? level : undefined",
      instead: "(side === 1 ? level.price <= price : level.price >= price) ? level : undefined",
    },
    {
      name: "a pool quotes across the orders of its market",
      file: "amm/quotes.ts",
      code: "if (level === undefined || (side",
      instead: "if (level !== undefined || (side",
    },
    {
      name: "all of a fee goes to the providers of the pool",
      file: "amm/fill.ts",
      code: "(fee * DIVIDEND_PERCENT) / 100n",
      instead: "fee",
    },
    {
      name: "whoever adds again earns anew what he has earned already",
      file: "amm/provider.ts",
      code: "    provider.seen[each] = pool.perShare[each] as bigint;\n",
      instead: "",
    },
    {
      name: "liquidity may leave at once",
      file: "amm/remove.ts",
      code: "if (state.timeMs < freeAt(market, provider)) {",
      instead: "if (state.timeMs < provider.addedAt) {",
    },
    {
      name: "an account's own rates hold in a market with a pool",
      file: "spot/settlement.ts",
      code: "const userId = market.quotes === undefined ? seats.userId(orders.seat(slot)) : NONE;",
      instead: "const userId = seats.userId(orders.seat(slot));",
    },
    {
      name: "a pool offers at a price as if it were twice as deep",
      file: "amm/curve.ts",
      code: "const lots = (price * c * wholeBase - wholeQuote) / (2n * price * c * u);",
      instead: "const lots = (price * c * wholeBase - wholeQuote) / (price * c * u);",
    },
  ],
};

/** Every fourth venue begins with a pool in its first market, of half of what its first user has. */
function setup(settings: Settings): Command[] {
  if (settings.seed % 4 !== 1) return [];
  const market = pairAt(settings, 0).join("");
  const lots = settings.funds / 10n ** BigInt(settings.scale - settings.amountPrecision);
  const worth =
    BigInt(settings.middle) * 10n ** BigInt(settings.scale - settings.amountPrecision - settings.pricePrecision);
  const affordable = settings.funds / worth;
  const [baseAmount, quoteAmount] = amountsOf(settings, (lots < affordable ? lots : affordable) / 2n + 1n, 100);
  return [
    { kind: "set_pool", market, type: "infinite" },
    { kind: "add_liquidity", userId: 1, market, baseAmount, quoteAmount },
  ];
}

function comparePool(state: State, market: ModelMarket, differ: Differ): void {
  const ours = state.markets[market.id]?.pool;
  const models = market.pool;
  differ(`pool of ${market.name}`, ours !== undefined, models !== undefined);
  const listed = state.markets[market.id];
  if (ours === undefined || models === undefined || listed === undefined) return;
  const { cells, providers } = ours;
  const held = [cells.base, cells.quote, cells.basePot, cells.quotePot].map((cell) => state.ledger.available(cell));
  const told = [models.x, models.y, ...models.pots];
  differ(`what the pool of ${market.name} holds`, held.join(), told.join());
  differ(`shares of ${market.name}`, ours.shares, models.shares);
  differ(`offsets of ${market.name}`, `${ours.baseOffset} ${ours.quoteOffset}`, `${models.ox} ${models.oy}`);
  const own = [...providers].map(([userId, { shares, addedAt, owed, dividends }]) =>
    [userId, shares, addedAt, owed.join(), dividends.join()].join(" "),
  );
  differ(`providers of ${market.name}`, own.join("; "), providersOf(models));
  for (const [side, name] of (["buy", "sell"] as const).entries()) {
    const quotes = [...poolLevels(state, listed, side).take(LEVELS_COMPARED)].map(
      ({ price, lots }) => `${lots}@${price}`,
    );
    const levels = levelsOf(market, models, name, undefined, LEVELS_COMPARED).map(
      ({ price, lots }) => `${lots}@${price}`,
    );
    differ(`what the pool of ${market.name} quotes to ${name}`, quotes.join(), levels.join());
  }
}

function providersOf({ providers }: ModelPool): string {
  return providers
    .map(({ userId, shares, addedAt, due, paid }) => [userId, shares, addedAt, due.join(), paid.join()].join(" "))
    .join("; ");
}
