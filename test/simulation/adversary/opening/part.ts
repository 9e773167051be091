import type { Command } from "../../../../src/engine/command.ts";
import { Random } from "../../random.ts";
import { spot } from "../listings.ts";
import type { PlayPart } from "../play-part.ts";
import type { Script } from "../strategy.ts";
import type { Terms } from "../terms.ts";
import { lastSecond } from "./last-second.ts";
import { lifeOf } from "./life.ts";

const HONEST = ["honest bidder", "honest offerer"] as const;

/** A market that opens by an auction and leaves again, on dates that everybody knows. */
export const opening: PlayPart = {
  name: "opening",
  strategies: [lastSecond],
  laws: [],
  forItsOwn: (script, terms) => {
    bid(script, terms);
    const { biddingMs, lockedMs, onlineMs, leavesMs } = lifeOf(terms);
    const { startMs } = terms;
    return [
      {
        ...spot("fresh", terms),
        biddingAt: startMs + biddingMs,
        noCancelAt: startMs + lockedMs,
        onlineAt: startMs + onlineMs,
        delistedAt: startMs + leavesMs,
      },
      ...HONEST.flatMap((name): Command[] => [
        { kind: "create_user", name },
        deposit(name, "USDT", "300000"),
        deposit(name, "ETH", "100"),
      ]),
    ];
  },
};

/** The runner puts the id in. */
function deposit(name: string, ccy: string, amount: string): Command {
  return { kind: "deposit", userId: name as unknown as number, ccy, amount, note: "" };
}

/** Honest people bid and offer near the fair price, and protect themselves with stops that wait for the opening. */
function bid(script: Script, terms: Terms): void {
  const random = new Random(terms.seed ^ 0x0be1);
  const { biddingMs, onlineMs } = lifeOf(terms);
  for (const [at, side] of (["buy", "sell"] as const).entries()) {
    const user = HONEST[at] as string;
    const order = { user, market: "fresh", side, lots: { of: "power", percent: 20 } } as const;
    for (let round = 0; round < 3; round++) {
      const ppm = random.pick([0, 3_000, 20_000]) * random.pick([-1, 1]);
      const atMs = random.whole(biddingMs, onlineMs);
      script.add("honest", atMs, { do: "order", ...order, type: "limit", price: { of: "fair", ppm } });
    }
    const ppm = random.pick([30_000, 80_000]) * (side === "buy" ? 1 : -1);
    if (random.chance(50))
      script.add("honest", biddingMs + 1, { do: "stop", ...order, type: "market", trigger: { of: "fair", ppm } });
  }
}
