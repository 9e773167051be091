/**
 * `node bench/slow-peers.ts PORT COUNT`: so many connections that each cost a server as much as they can and give it
 * nothing: heads and bodies that come byte by byte, and readers that take no answer. Anyone who is cut comes again.
 * Ends with its parent.
 */
import { connect } from "node:net";

const [port, count] = process.argv.slice(2).map(Number) as [number, number];
/** Between two bytes; a second is what such tools take. */
const DRIP_MS = 1_000;
/**
 * More than a megabyte of answers each. Many more would be plain load, which the limit of requests per address is there
 * for.
 */
const QUESTIONS = "GET /openapi.json HTTP/1.1\r\nHost: venue\r\n\r\n".repeat(20);

const ATTACKS: readonly { readonly first: string; readonly reads: boolean }[] = [
  { first: "GET /v2/time HTTP/1.1\r\nHost: venue\r\nX-Long: ", reads: true },
  { first: "POST /v2/spot/order HTTP/1.1\r\nHost: venue\r\nContent-Length: 1000000\r\n\r\n", reads: true },
  { first: QUESTIONS, reads: false },
];

for (let index = 0; index < count; index++) attack(index);
process.stdout.write("attacking\n");
process.once("disconnect", () => process.exit(0));

function attack(index: number): void {
  const { first, reads } = ATTACKS[index % ATTACKS.length] as (typeof ATTACKS)[number];
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  if (reads) socket.resume();
  else socket.pause();
  socket.write(first);
  const dripping = setInterval(() => socket.writable && socket.write("a"), DRIP_MS);
  socket.once("close", () => {
    clearInterval(dripping);
    setTimeout(() => attack(index), DRIP_MS);
  });
}
