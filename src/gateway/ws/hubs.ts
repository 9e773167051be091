import type { FeedListener } from "../../feeds/feeds.ts";
import { PrivateFeed } from "../../feeds/private-feed.ts";
import type { ChannelDeclaration } from "./channel.ts";
import type { MarketKind } from "./contract.ts";
import { Hub, type HubOptions } from "./hub.ts";
import { UsedSignatures } from "./used-signatures.ts";

/** The kinds of markets that the venue has: those that some channel is for. The sockets of another stay closed. */
export function kindsOf(channels: readonly ChannelDeclaration[]): MarketKind[] {
  return [...new Set(channels.map(({ markets }) => markets).filter((markets) => markets !== "both"))];
}

/** A hub for each kind of market. What happens to accounts is read from events once for all of them. */
export function openHubs(
  options: Omit<HubOptions, "kind" | "accounts" | "usedSignatures">,
): ReadonlyMap<MarketKind, Hub> {
  const { backend, channels, log } = options;
  const accounts = new PrivateFeed(backend.state);
  const reader: FeedListener = {
    happened: () => {},
    applied: (events, from, to) => {
      try {
        accounts.apply(events, from, to);
      } catch (error) {
        log.error({ err: error }, "reading what happens to accounts failed unexpectedly");
      }
    },
  };
  backend.feeds.listen(reader);
  const usedSignatures = new UsedSignatures();
  return new Map(kindsOf(channels).map((kind) => [kind, new Hub({ ...options, kind, accounts, usedSignatures })]));
}
