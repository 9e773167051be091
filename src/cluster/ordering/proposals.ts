import type { Leader } from "../entry.ts";
import type { Forward, OrderingPorts, Self } from "./ports.ts";

/** A proposal that has not come into the log within this time goes to the leader once more. */
const RESEND_MS = 500;

/** A group of commands that this process wants in the log, and its token: one more with each. */
export interface Proposal {
  readonly token: number;
  readonly count: number;
  readonly payload: Uint8Array;
}

/** How this process puts its proposals to the leader of a term. */
interface Session {
  readonly leader: Leader;
  /** The first one that is put to it; undefined: there was none yet. */
  first: number | undefined;
  sentAt: number;
}

/**
 * Proposals of this process that are not in the log yet, in order. They are put to the leader of a term. When somebody
 * else leads, and all that was put into the store before has been read, a proposal that is not in the log never will
 * be: it is put to the next leader.
 */
export class Proposals {
  readonly #self: Self;
  readonly #ports: Pick<OrderingPorts, "now" | "forward">;
  readonly #waiting: Proposal[] = [];
  #session: Session | undefined;
  #movedAt = 0;
  /** The last token that any leader was given; 0: none was. */
  #lastPut = 0;

  constructor(self: Self, ports: Pick<OrderingPorts, "now" | "forward">) {
    this.#self = self;
    this.#ports = ports;
  }

  get waiting(): readonly Proposal[] {
    return this.#waiting;
  }

  /** Whether one of them may be in the store: a leader was given it, this process or another one. */
  get areOut(): boolean {
    const [oldest] = this.#waiting;
    return oldest !== undefined && oldest.token <= this.#lastPut;
  }

  /** For how long none of them has come into the log, ms; 0 where none waits. */
  get waitsMs(): number {
    return this.#waiting.length === 0 ? 0 : this.#ports.now() - this.#movedAt;
  }

  add(proposal: Proposal): void {
    if (this.#waiting.length === 0) this.#movedAt = this.#ports.now();
    this.#waiting.push(proposal);
    if (this.#session !== undefined) this.#send(this.#session, proposal);
  }

  /** This process leads, and orders the proposal itself. */
  ordered({ token }: Proposal): void {
    this.#lastPut = token;
  }

  /** Removes the first one, which has come into the log; gives its token. */
  settle(): number | undefined {
    this.#movedAt = this.#ports.now();
    return this.#waiting.shift()?.token;
  }

  /** Puts all of them to the leader of a new term; undefined: nobody else leads. */
  putTo(leader: Leader | undefined): void {
    const [oldest] = this.#waiting;
    this.#session = leader && { leader, first: oldest?.token, sentAt: this.#ports.now() };
    this.#sendAll();
  }

  /** The leader, or the way to it, is there anew. */
  sendAgain(): void {
    this.#sendAll();
  }

  tick(now: number): void {
    const session = this.#session;
    if (session === undefined || this.#waiting.length === 0) return;
    if (now - Math.max(session.sentAt, this.#movedAt) > RESEND_MS) this.#sendAll();
  }

  #sendAll(): void {
    const session = this.#session;
    if (session === undefined) return;
    for (const proposal of this.#waiting) this.#send(session, proposal);
  }

  #send(session: Session, { token, count, payload }: Proposal): void {
    session.sentAt = this.#ports.now();
    this.#lastPut = Math.max(this.#lastPut, token);
    // Where nothing waited when the term began, it begins with what is put first.
    session.first ??= token;
    const { leader, first } = session;
    const forward: Forward = { term: leader.term, ...this.#self, first, token, count, payload };
    this.#ports.forward(leader, forward);
  }
}
