import type { Command } from "../../../../src/engine/command.ts";
import type { Draw } from "../draw.ts";
import { listing } from "../markets.ts";

/** A market leaves and comes back with an auction, the times of which change now and then. */
export function auction(draw: Draw): Command {
  const { random, settings } = draw;
  const at = draw.marketId();
  const market = draw.marketName();
  const long = random.pick([1, settings.auctionMs >> 1, settings.auctionMs]);
  const what = random.whole(1, 12);
  if (what < 2) return { kind: "change_market", market, delistedAt: random.pick([-1, long]) };
  if (what === 2) return { kind: "change_market", market, onlineAt: random.pick([-1, 1, long]) };
  if (what === 3) return { kind: "change_market", market, noCancelAt: random.pick([0, -1, 1, long]) };
  if (what === 4) return { kind: "change_market", market, biddingAt: random.pick([0, 1, long]) };
  const biddingAt = random.pick([-5, 1, long]);
  const onlineAt = biddingAt + random.pick([1, settings.auctionMs, 2 * settings.auctionMs]);
  const noCancelAt = random.pick([0, 0, biddingAt, (biddingAt + onlineAt) >> 1, onlineAt]);
  return { ...listing(settings, at), biddingAt, noCancelAt, onlineAt };
}
