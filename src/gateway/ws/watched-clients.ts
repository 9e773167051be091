/**
 * Connections whose end cancels the orders of their account. The log knows which they are and is told when they end; of
 * several nodes it also hears that this one is there, while it has any. Source: domain 2.17 and decision 30.
 */
import { watchesConnections } from "../../engine/cancel-after/connections.ts";
import type { Scope } from "../../engine/cancel-after/timers.ts";
import type { Command } from "../../engine/command.ts";
import { successText } from "../envelope/envelope.ts";
import { execute } from "../reading/execute.ts";
import type { SocketBackend } from "./channel.ts";
import type { Client } from "./client.ts";
import type { SocketCall } from "./socket-call.ts";

/** A run of a node of the venue: from its start to its end. */
export interface NodeRun {
  /** That no other run has. */
  readonly name: string;
  /** Whether others go on when this one is lost. */
  readonly isOneOfSeveral: boolean;
}

/**
 * How long connections of one of several nodes live on in the log after it was last heard of, and how often it is heard
 * of.
 */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** A command's list holds no more. */
const ENDS_PER_COMMAND = 256;
/** Stands for a connection that is not watched: numbers begin at 1. */
const NONE = 0;

/** How a connection is to be watched. */
export interface Watching {
  /** False: its end cancels nothing. */
  readonly active: boolean;
  readonly scope: Scope;
  /** Those that are meant, by id, with their names; none: all. */
  readonly markets: ReadonlyMap<number, string>;
  readonly graceMs: number;
}

export class WatchedClients {
  readonly #backend: SocketBackend;
  readonly #run: NodeRun;
  readonly #numbers = new Map<Client, number>();
  #next = 1;
  /** Numbers of connections that have ended in this turn. */
  #ended: number[] = [];
  /**
   * Ends that the log has yet to be told, oldest first: no more than the connections there were when it began to take
   * nothing.
   */
  readonly #owed: Command[] = [];
  /** When the log was last told that this run is there, by the time of `beat`; 0: never. */
  #renewedMs = 0;
  #nowMs = 0;
  #isKnown = false;

  constructor(backend: SocketBackend, run: NodeRun) {
    this.#backend = backend;
    this.#run = run;
    // Whatever connections this venue had before, they have ended.
    if (!run.isOneOfSeveral && watchesConnections(backend.state)) this.#tellEnd({ kind: "end_connections" });
  }

  /** Watches a connection so from now on, or ends that. */
  set(client: Client, call: SocketCall, { active, scope, markets, graceMs }: Watching): void {
    const { name: node } = this.#run;
    const userId = client.key?.userId as number;
    if (this.#backend.isBusy) {
      call.refuse("busy");
      return;
    }
    // What ended before ends before; and one that has a number by now ends where the log has forgotten this run.
    if (!this.#tellOwed() || (active && !this.#isKnown && !this.#renew())) {
      call.refuse("stopping");
      return;
    }
    const known = this.#numbers.get(client);
    const connection = known ?? (active ? this.#next++ : NONE);
    const command: Command = active
      ? { kind: "watch_connection", userId, node, connection, scope, marketIds: [...markets.keys()], graceMs }
      : { kind: "unwatch_connection", userId, node, connection };
    // From here on its end is told behind the command, also when it ends before the answer.
    if (active) this.#numbers.set(client, connection);
    execute(this.#backend, call, command, () => {
      if (!active) this.#numbers.delete(client);
      const market_list = [...markets.values()];
      call.answer(successText({ active, scope, market_list, grace_ms: graceMs }));
    });
  }

  /** Another client goes on with the connection of this one. */
  moved(from: Client, to: Client): void {
    const number = this.#numbers.get(from);
    if (number === undefined) return;
    this.#numbers.delete(from);
    this.#numbers.set(to, number);
  }

  /** A connection, or the login on it, has ended. Ends of one turn are told together. */
  ended(client: Client): void {
    const number = this.#numbers.get(client);
    if (number === undefined) return;
    this.#numbers.delete(client);
    if (this.#ended.push(number) === 1) setImmediate(() => this.#tellEnds());
  }

  /** `nowMs` is a time that runs evenly. */
  beat(nowMs: number): void {
    this.#nowMs = nowMs;
    if (!this.#tellOwed()) return;
    if (!this.#run.isOneOfSeveral || !this.#isKnown || nowMs - this.#renewedMs < RENEW_MS) return;
    if (this.#numbers.size > 0) this.#renew();
    // The log may forget it, and is told anew when there is a connection again.
    else this.#isKnown = false;
  }

  #tellEnds(): void {
    const ended = this.#ended;
    this.#ended = [];
    for (let at = 0; at < ended.length; at += ENDS_PER_COMMAND) {
      const connections = ended.slice(at, at + ENDS_PER_COMMAND);
      this.#tellEnd({ kind: "end_connections", node: this.#run.name, connections });
    }
  }

  /**
   * False when the log takes nothing. A run that the log had forgotten was out of reach for too long: its connections
   * have ended there, so they end here, too.
   */
  #renew(): boolean {
    const { name: node, isOneOfSeveral } = this.#run;
    const before = this.#next;
    const command: Command = { kind: "renew_connections", node, leaseMs: isOneOfSeveral ? LEASE_MS : 0 };
    this.#isKnown = this.#backend.submit(command, ({ result }) => {
      if ((result as { readonly isNew?: boolean } | undefined)?.isNew !== true) return;
      for (const [client, number] of [...this.#numbers]) if (number < before) client.cut();
    });
    if (this.#isKnown) this.#renewedMs = this.#nowMs;
    return this.#isKnown;
  }

  /**
   * Tells the log of ends, or owes it while it takes nothing: a venue that goes back, for a moment, and one that stops,
   * whose next start tells.
   */
  #tellEnd(end: Command): void {
    this.#owed.push(end);
    this.#tellOwed();
  }

  /** False when the log takes nothing. */
  #tellOwed(): boolean {
    for (let end = this.#owed[0]; end !== undefined; end = this.#owed[0]) {
      if (!this.#backend.submit(end, () => {})) return false;
      this.#owed.shift();
    }
    return true;
  }
}
