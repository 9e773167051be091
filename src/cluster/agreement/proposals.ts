import type { Taken } from "../message.ts";
import { RESEND_MS } from "./pace.ts";
import type { AgreementPorts, Leader, Self } from "./ports.ts";

/** What this process wants in the log, and what it calls it. */
export interface Proposal {
  readonly token: number;
  readonly count: number;
  readonly payload: Uint8Array;
}

interface Waiting extends Proposal {
  /** Its number in the session with the leader, from 1; 0: it has not gone out in this one. */
  nth: number;
  /** It may have left this node. */
  isOut: boolean;
}

/** How one process puts its proposals to the leader of a term. */
interface Session {
  readonly generation: number;
  readonly term: number;
  readonly to: string;
  /** So many proposals have gone out, and so many of them were taken. */
  sent: number;
  taken: number;
  sentAt: number;
}

/** What this process proposed and is not in the log yet, in order; and the way to who leads, who takes each of them once in a term. */
export class Proposals {
  readonly #self: Self;
  readonly #ports: Pick<AgreementPorts, "now" | "send">;
  readonly #waiting: Waiting[] = [];
  #session: Session | undefined;

  constructor(self: Self, ports: Pick<AgreementPorts, "now" | "send">) {
    this.#self = self;
    this.#ports = ports;
  }

  add(proposal: Proposal): void {
    this.#waiting.push({ ...proposal, nth: 0, isOut: false });
  }

  /** Whether any may have left this node. */
  get areOut(): boolean {
    return this.#waiting.some(({ isOut }) => isOut);
  }

  /** Lets go of the first one, which has come into the log; gives its token. */
  settle(): number | undefined {
    return this.#waiting.shift()?.token;
  }

  /** Hands over the newest one, since this process leads. */
  giveNewest(take: (proposal: Proposal) => void): void {
    const newest = this.#waiting.at(-1);
    if (newest === undefined) return;
    newest.isOut = true;
    take(newest);
  }

  /** Hands over all of them, since this process leads from now on: what has not been seen by now never will be. */
  giveAll(take: (proposal: Proposal) => void): void {
    for (const proposal of this.#waiting) {
      proposal.isOut = true;
      take(proposal);
    }
  }

  /** Puts to the leader what has not gone out in its term. With a new term all of it goes: what has not been seen by now never will be. */
  forward(generation: number, { term, node }: Leader): void {
    if (this.#session?.generation !== generation || this.#session.term !== term) {
      this.#session = { generation, term, to: node, sent: 0, taken: 0, sentAt: 0 };
      for (const proposal of this.#waiting) proposal.nth = 0;
    }
    const session = this.#session;
    for (const proposal of this.#waiting) {
      if (proposal.nth > 0) continue;
      proposal.nth = ++session.sent;
      this.#send(session, proposal);
    }
  }

  /** What the leader has not taken goes once more. */
  tick(now: number): void {
    const session = this.#session;
    if (session === undefined || now - session.sentAt <= RESEND_MS) return;
    for (const proposal of this.#waiting) if (proposal.nth > session.taken) this.#send(session, proposal);
  }

  /** What a leader says that it has taken. */
  heardTaken({ boot, to, generation, term, nth }: Taken): void {
    const session = this.#session;
    if (to !== this.#self.node || boot !== this.#self.boot) return;
    if (session?.generation !== generation || session.term !== term) return;
    session.taken = Math.max(session.taken, nth);
  }

  #send(session: Session, proposal: Waiting): void {
    proposal.isOut = true;
    session.sentAt = this.#ports.now();
    const { token, count, payload, nth } = proposal;
    const { generation, term, to } = session;
    const own = { from: this.#self.node, boot: this.#self.boot };
    this.#ports.send({ kind: "forward", ...own, to, generation, term, nth, token, count, payload });
  }
}
