/** The latest deals of the market that is traded in, newest first. */
import { createEffect, createRoot, createSignal, onCleanup } from "solid-js";
import type { Deal } from "../api/records.ts";
import { sockets } from "../api/venue.ts";
import { market } from "./markets.ts";

const KEPT = 50;

const [deals, setDeals] = createSignal<readonly Deal[]>([]);
const [isRead, setIsRead] = createSignal(false);

export { deals, isRead as areDealsRead };

const listeners = new Set<(key: string, fresh: readonly Deal[]) => void>();

/** Hears of every deal once, oldest first, until the returned function is called. */
export function onDeals(listener: (key: string, fresh: readonly Deal[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

createRoot(() => {
  createEffect(() => {
    const now = market();
    setDeals([]);
    setIsRead(false);
    if (now === undefined) return;
    let newest = 0;
    const hear = (push: { market: string; deal_list: Deal[] }) => {
      if (push.market !== now.market) return;
      const fresh = push.deal_list.filter(({ deal_id }) => deal_id > newest);
      if (fresh.length === 0) return;
      newest = fresh[0]?.deal_id ?? newest;
      setDeals((before) => [...fresh, ...before].slice(0, KEPT));
      const inOrder = fresh.toReversed();
      for (const listener of listeners) listener(now.key, inOrder);
    };
    onCleanup(
      sockets[now.product].follow({ channel: "deals", items: [now.market], hear, onFollowed: () => setIsRead(true) }),
    );
  });
});
