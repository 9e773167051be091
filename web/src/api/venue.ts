/** The two sockets of the venue, its time, and what it is busy with. */
import { createSignal } from "solid-js";
import { get } from "./client.ts";
import type { Maintenance, Product } from "./records.ts";
import { PageSocket } from "./socket.ts";

export const sockets: Readonly<Record<Product, PageSocket>> = {
  spot: new PageSocket("spot"),
  futures: new PageSocket("futures"),
};

/** ms that the venue's clock is ahead of this machine's: the venue's may be a virtual one. */
let aheadMs = 0;

const [nowMs, setNowMs] = createSignal(Date.now());

/** The venue's time, to the second. */
export const venueNow = nowMs;

const [maintenances, setMaintenances] = createSignal<readonly Maintenance[]>([]);

/** Maintenances that are planned or under way. */
export { maintenances };

const CLOCK_READ_MS = 15_000;

async function readClock(): Promise<void> {
  if (document.hidden) return;
  const sentAt = Date.now();
  const { timestamp } = await get<{ timestamp: number }>("/v2/time");
  aheadMs = timestamp - (sentAt + Date.now()) / 2;
  setMaintenances(await get<Maintenance[]>("/v2/maintain/info"));
}

function readClockQuietly(): void {
  // Not to be reached is what the connection's dot says; the next beat asks again.
  readClock().catch(() => {});
}

setInterval(() => setNowMs(Date.now() + aheadMs), 1_000);
setInterval(readClockQuietly, CLOCK_READ_MS);
readClockQuietly();
