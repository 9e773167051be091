/**
 * What honest people do: they hold what a fair price does not endanger, offer near it, and protect themselves with
 * stops.
 */
import type { Random } from "../random.ts";
import type { Script } from "./strategy.ts";
import type { MarketKey, Terms } from "./terms.ts";

export const MAKER = "honest maker";

export function holderName(at: number): string {
  return `honest holder-${at}`;
}

/** Opens the positions of holders against a counterparty that nobody can frighten, then lets makers quote all along. */
export function honestActions(script: Script, terms: Terms, random: Random): void {
  for (let at = 0; at < terms.holders; at++) hold(script, terms, random, at);
  for (let at = 0; at < terms.stops; at++) protect(script, random, at);
  if (terms.makers !== undefined) {
    for (let atMs = 0; atMs < terms.lastsMs; atMs += terms.feedEveryMs * 2) quote(script, terms, atMs + 100);
  }
}

function hold(script: Script, terms: Terms, random: Random, at: number): void {
  const user = holderName(at);
  const market = "perp";
  const leverage = random.pick([3, 5, 10, 20, Math.min(50, terms.maxLeverage)]);
  const side = random.pick(["buy", "sell"] as const);
  const other = side === "buy" ? "sell" : "buy";
  const price = { of: "fair", ppm: 0 } as const;
  const lots = { of: "power", percent: random.pick([20, 60, 90]) } as const;
  script.add("honest", 0, {
    do: "leverage",
    user,
    market,
    mode: random.pick(["cross", "isolated"] as const),
    leverage,
  });
  script.add("honest", 0, { do: "order", user, market, side, type: "limit", price, lots });
  // The other side is somebody with all the margin in the world.
  script.add("honest", 0, {
    do: "order",
    user: MAKER,
    market,
    side: other,
    type: "ioc",
    price,
    lots: { of: "depth", percent: 100 },
  });
  if (random.chance(40)) {
    const ppm = random.pick([20_000, 60_000]) * (side === "buy" ? -1 : 1);
    const by = random.pick(["latest_price", "mark_price"] as const);
    script.add("honest", 10, { do: "exit", user, market, exit: "stop_loss", trigger: { of: "fair", ppm }, by });
  }
}

/** Holds coins, sells them should the price fall, and buys some should it rise. */
function protect(script: Script, random: Random, at: number): void {
  const user = `honest stopper-${at}`;
  const market = random.pick(["spot", "spot", "coin"] as const);
  const ppm = random.pick([30_000, 80_000, 300_000]);
  const rises = random.chance(50);
  const trigger = { of: "fair", ppm: rises ? ppm : -ppm } as const;
  const lots = { of: "power", percent: 50 } as const;
  script.add("honest", 20, { do: "stop", user, market, side: rises ? "buy" : "sell", type: "market", trigger, lots });
}

function quote(script: Script, terms: Terms, atMs: number): void {
  const { away, lots, levels } = terms.makers as NonNullable<Terms["makers"]>;
  for (const market of ["perp", "spot", "coin"] as const satisfies readonly MarketKey[]) {
    script.add("honest", atMs, { do: "cancel", user: MAKER, market });
    for (let level = 1; level <= levels; level++) {
      for (const side of ["buy", "sell"] as const) {
        const ppm = away * level * (side === "buy" ? -1 : 1);
        const order = {
          user: MAKER,
          market,
          side,
          type: "maker_only",
          price: { of: "fair", ppm },
          lots: { is: lots },
        } as const;
        script.add("honest", atMs, { do: "order", ...order });
      }
    }
  }
}
