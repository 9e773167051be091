import type { Feeds } from "../../src/feeds/feeds.ts";
import type { SocketBackend } from "../../src/gateway/ws/channel.ts";
import type { History } from "../../src/history/history.ts";

/** What sockets stand on that nobody gives commands over, and that have no past. */
export function readOnlyBackend(state: SocketBackend["state"], feeds: Feeds, now = () => 1_000): SocketBackend {
  return { state, feeds, history: {} as History, isBusy: false, submit: () => false, now };
}
