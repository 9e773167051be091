/** A request that is under way until its client goes on, or the venue has no more patience. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { VenueProcess } from "./venue-process.ts";

/**
 * Sends a request with a head that is in order, whose body does not come. It is under way: the venue has asked for the
 * body.
 */
export async function holdUp(venue: VenueProcess): Promise<Socket> {
  const slow = connect(Number(new URL(venue.url).port), "127.0.0.1").on("error", () => {});
  const { key } = await venue.trader("slow", {});
  const head = {
    Host: "127.0.0.1",
    "Content-Length": "9",
    Expect: "100-continue",
    "X-SVC-KEY": key.accessId,
    "X-SVC-TIMESTAMP": String(Date.now()),
    "X-SVC-SIGN": "0".repeat(64),
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  slow.write(`POST /v2/spot/order HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n{`);
  await once(slow, "data");
  return slow;
}
