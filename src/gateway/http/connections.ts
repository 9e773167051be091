/**
 * The open connections of a listener: so many from one address, none whose reader lets an answer wait, and none idle
 * for long.
 */
import type { Socket } from "node:net";
import { addressOf, type Connection, type ConnectionSettings, connectionOf } from "./connection.ts";
import { isProxy } from "./proxies.ts";
import { readFirst } from "./read-first.ts";
import { type Sender, Senders } from "./senders.ts";

/** How often they are looked at, at most. */
const LOOK_MS = 1_000;

/** Addresses of this machine itself. A proxy on it speaks for everybody. */
const OWN = /^(?:127\.|::1$|$)/;

export class Connections {
  readonly #terms: ConnectionSettings;
  readonly #open = new Set<Connection>();
  readonly #senders = new Senders();
  readonly #looking: NodeJS.Timeout;
  readonly #onSilent: (connection: Connection) => void;

  /** `onSilent` hears of connections on which nothing is asked in time. */
  constructor(terms: ConnectionSettings, onSilent: (connection: Connection) => void) {
    this.#terms = terms;
    this.#onSilent = onSilent;
    const { answerTimeoutMs, keepAliveTimeoutMs, headTimeoutMs } = terms.limits;
    const everyMs = Math.min(LOOK_MS, answerTimeoutMs / 4, keepAliveTimeoutMs / 4, headTimeoutMs / 4);
    this.#looking = setInterval(() => readFirst(() => this.#look()), everyMs).unref();
  }

  /** A connection was made; gives who sends over it. One too many from its address is closed at once, and is none. */
  admit(accepted: Socket): Sender | undefined {
    const address = addressOf(accepted);
    const sender = this.#senders.at(address, isProxy(this.#terms.proxies, address));
    const isOneOfMany = OWN.test(address) || isProxy(this.#terms.proxies, address);
    const hasRoom = isOneOfMany || sender.open < this.#terms.limits.connectionsPerAddressMax;
    if (!hasRoom || !this.#makeRoom(sender) || !sender.mayConnect(performance.now())) {
      accepted.destroy();
      return undefined;
    }
    return sender;
  }

  /**
   * Where all places are taken, the address with the most connections gives one up for one that has fewer; false when
   * it is asked for itself.
   */
  #makeRoom(sender: Sender): boolean {
    const { connectionsMax, guestMs } = this.#terms.limits;
    // Where guests make room, it is found when the connection is taken.
    if (guestMs > 0 || this.#open.size < connectionsMax) return true;
    const most = this.#senders.greediest;
    if (most === undefined || most.open <= sender.open + 1) return false;
    const given = [...most.connections].find(({ isBusy }) => !isBusy) ?? [...most.connections][0];
    if (given === undefined) return false;
    this.#open.delete(given);
    most.connections.delete(given);
    given.cut();
    return true;
  }

  /** A connection that was admitted is read at `socket`. */
  take(socket: Socket, sender: Sender): Connection {
    const connection = connectionOf(socket, this.#terms);
    connection.sentBy(sender);
    sender.connections.add(connection);
    const address = connection.remoteAddress;
    const { guestMs } = this.#terms.limits;
    const guest = guestMs > 0 ? this.#admitGuest(connection, guestMs) : undefined;
    this.#open.add(connection);
    socket.once("close", () => {
      clearTimeout(guest);
      this.#open.delete(connection);
      sender.connections.delete(connection);
      this.#senders.left(address, sender, performance.now());
    });
    return connection;
  }

  /** Ends those that Node's HTTP does not read, behind what is under way. */
  endFastPaths(): void {
    for (const connection of this.#open) connection.endFastPath();
  }

  /** Closes those that Node's HTTP does not read. */
  cutFastPaths(): void {
    for (const connection of this.#open) connection.cutFastPath();
  }

  close(): void {
    clearInterval(this.#looking);
  }

  /** Makes room for a connection, and gives what will cut it unless somebody vouches for it. */
  #admitGuest(connection: Connection, guestMs: number): NodeJS.Timeout {
    if (this.#open.size >= this.#terms.limits.connectionsMax) {
      // In the order in which they came.
      for (const other of this.#open) {
        if (!other.isGuest) continue;
        this.#open.delete(other);
        other.cut();
        break;
      }
      if (this.#open.size >= this.#terms.limits.connectionsMax) connection.cut();
    }
    const cut = () => {
      if (connection.isGuest) connection.cut();
    };
    const over = () => {
      // What has come is read in turns with others: it has the same time once more.
      if (connection.isUnread) setTimeout(cut, guestMs).unref();
      else cut();
    };
    return setTimeout(() => readFirst(over), guestMs).unref();
  }

  #look(): void {
    const nowMs = performance.now();
    this.#senders.sweep(nowMs);
    for (const connection of this.#open) {
      connection.dropSlowReader(nowMs);
      connection.dropIdle(nowMs);
      if (connection.isSilent(nowMs)) this.#onSilent(connection);
    }
  }
}
