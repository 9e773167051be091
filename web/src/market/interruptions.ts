/**
 * Until when markets are interrupted. Only who is signed in is told; others see in the market's status that it takes
 * bids.
 */
import { createStore } from "solid-js/store";
import { sockets } from "../api/venue.ts";
import { rereadMarket } from "./markets.ts";

/** WsNoticeChannel of the contract. */
const INTERRUPTION = 103;
/** A market opens with the venue's next beat. */
const OPENED_MS = 1_500;

interface NoticePush {
  readonly channel: number;
  readonly info: { readonly market: string; readonly started_at: number; readonly ended_at: number };
}

const [until, setUntil] = createStore<Record<string, number>>({});

/** Venue's time, ms; undefined where nothing was told. */
export const interruptedUntil = (key: string): number | undefined => until[key];

// Futures markets have no auctions.
sockets.spot.follow({
  channel: "notice",
  items: [INTERRUPTION],
  hear: ({ channel, info }: NoticePush) => {
    if (channel !== INTERRUPTION) return;
    setUntil(`spot/${info.market}`, info.ended_at);
    const reread = () => void rereadMarket().catch(() => {});
    reread();
    setTimeout(reread, info.ended_at - info.started_at + OPENED_MS);
  },
});
