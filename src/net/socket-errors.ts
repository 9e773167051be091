/** One owner of a client's socket for its errors, for the whole life of the socket. */
import type { Socket } from "node:net";

/**
 * Listens for the errors of a socket that a client has opened, to be called where the connection is accepted. Anyone
 * who reads the socket takes its own listener along when it lets go of it: Node before it emits `connect` and
 * `upgrade`, the fast path before Node reads on. Without a listener that stays, a TCP reset in between would be an
 * uncaught exception. Nothing is to be done about the error itself: Node destroys the socket, and everything that waits
 * for the socket hears of `close`.
 */
export function ownErrors(socket: Socket): void {
  socket.on("error", ignore);
}

function ignore(): void {}
