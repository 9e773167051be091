import type { FeedListener } from "../../feeds/feeds.ts";
import { PrivateFeed } from "../../feeds/private-feed.ts";
import type { ChannelDeclaration } from "./channel.ts";
import type { MarketKind, SocketContract } from "./contract.ts";
import { Hub, type HubOptions } from "./hub.ts";
import { Resumables } from "./resumable.ts";
import { UsedSignatures } from "./used-signatures.ts";
import { type NodeRun, WatchedClients } from "./watched-clients.ts";

const ONLY_NODE: NodeRun = { name: "", isOneOfSeveral: false };

/** The kinds of markets that the venue has: those that some channel is for. The sockets of another stay closed. */
export function kindsOf(channels: readonly ChannelDeclaration[]): MarketKind[] {
  return [...new Set(channels.map(({ markets }) => markets).filter((markets) => markets !== "both"))];
}

export interface HubsOptions
  extends Omit<
    HubOptions,
    "kind" | "path" | "accounts" | "watched" | "resumables" | "usedSignatures" | "generation" | "authenticator"
  > {
  readonly generations: readonly ServedOnSockets[];
  /** Which run of which node holds their connections; the only node unless given. */
  readonly run?: NodeRun | undefined;
}

/** A generation on the sockets, and where they are. */
export interface ServedOnSockets extends Pick<HubOptions, "generation" | "authenticator"> {
  readonly endpoints: SocketContract["endpoints"];
}

/**
 * For each generation a hub for each kind of market. What happens to accounts is read from events once for all of them.
 */
export function openHubs({
  generations,
  run = ONLY_NODE,
  ...options
}: HubsOptions): readonly ReadonlyMap<MarketKind, Hub>[] {
  const { backend, log } = options;
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
  const watched = new WatchedClients(backend, run);
  const resumables = new Resumables();
  return generations.map(({ generation, authenticator, endpoints }) => {
    const open = (kind: MarketKind) => {
      const path = endpoints.find(({ markets }) => markets === kind)?.path ?? "";
      return new Hub({
        ...options,
        generation,
        authenticator,
        kind,
        path,
        accounts,
        watched,
        resumables,
        usedSignatures,
      });
    };
    return new Map(kindsOf(generation.declared).map((kind) => [kind, open(kind)]));
  });
}
