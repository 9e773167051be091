import type { Beat } from "../message.ts";
import { Candidacy, candidateAfterMs } from "./candidacy.ts";
import type { Course } from "./course.ts";
import type { HeldLog } from "./held-log.ts";
import { Leadership } from "./leadership.ts";
import { MISSED_MS, type Patience, type Silence } from "./pace.ts";
import type { AgreementPorts, Leader, Self } from "./ports.ts";
import type { Proposal, Proposals } from "./proposals.ts";

type Ports = Pick<AgreementPorts, "now" | "timeMs" | "send" | "publish" | "leads">;

interface TermsParts {
  readonly self: Self;
  readonly log: HeldLog;
  readonly proposals: Proposals;
  readonly silence: Silence;
  readonly patience: Patience;
}

/** Who leads, term by term, and what this node does by it: it leads itself, puts its proposals to who does, or wants to lead when that is not heard. */
export class Terms {
  readonly #parts: TermsParts;
  readonly #ports: Ports;
  #leader: Leader | undefined;
  #leadership: Leadership | undefined;
  #candidacy: Candidacy | undefined;
  #isLeaving = false;

  constructor(parts: TermsParts, ports: Ports) {
    this.#parts = parts;
    this.#ports = ports;
  }

  get isLeader(): boolean {
    return this.#leadership !== undefined;
  }

  /** What this node does if it leads. */
  get leadership(): Leadership | undefined {
    return this.#leadership;
  }

  /** As far as is known here. */
  get leader(): Leader | undefined {
    return this.#leader;
  }

  get term(): number {
    return this.#leader?.term ?? 0;
  }

  /** `course`: what this node follows, if its log is where that begins. */
  propose(proposal: Proposal, course: Course | undefined): void {
    const { proposals } = this.#parts;
    proposals.add(proposal);
    const leadership = this.#leadership;
    if (leadership === undefined) this.#forward(course);
    else proposals.giveNewest((newest) => leadership.order(newest));
  }

  /** This node is about to stop: another one may lead. */
  leave(): void {
    this.#isLeaving = true;
    this.#leadership?.beat(true);
  }

  /** Somebody leads, whose stream is to be followed. */
  know(leader: Leader): void {
    this.#leader = leader;
    this.#parts.silence.heard(this.#ports.now());
  }

  /** A term begins in the stream, or where the course does. What was proposed in earlier terms is proposed again. */
  begin(leader: Leader, course: Course, venueId: string): void {
    const { self, log, proposals } = this.#parts;
    this.know(leader);
    this.#candidacy = undefined;
    if (leader.node !== self.node || leader.boot !== self.boot) {
      this.#stopLeading();
      this.#forward(course);
      return;
    }
    const leadership = new Leadership({ self, term: leader.term, venueId, course, log }, this.#ports);
    this.#leadership = leadership;
    leadership.beat(this.#isLeaving);
    proposals.giveAll((proposal) => leadership.order(proposal));
    this.#ports.leads(true);
  }

  /** The stream is no longer followed. */
  end(): void {
    this.#stopLeading();
    this.#candidacy = undefined;
  }

  #stopLeading(): void {
    if (this.#leadership === undefined) return;
    this.#leadership = undefined;
    this.#ports.leads(false);
  }

  /** To the leader, unless that is a process of this node before this one: nothing can be put to it before somebody leads again. */
  #forward(course: Course | undefined): void {
    const { self, proposals } = this.#parts;
    const leader = this.#leader;
    if (leader === undefined || this.#leadership !== undefined || course?.isAligned !== true) return;
    if (leader.node === self.node && leader.boot !== self.boot) return;
    proposals.forward(course.generation, leader);
  }

  /** Somebody has written into the stream: there is a leader. */
  heardOrder(): void {
    this.#parts.silence.heard(this.#ports.now());
    this.#candidacy = undefined;
  }

  heardBeat({ isLeaving }: Beat): void {
    this.#parts.silence.heard(this.#ports.now(), isLeaving ? MISSED_MS : 0);
    if (!isLeaving) this.#candidacy = undefined;
  }

  /** Time passes; why the stream must be left. */
  tick(course: Course, now: number): string | undefined {
    const { patience } = this.#parts;
    if (this.#leadership !== undefined) {
      const isStuck = this.#leadership.tick(now, this.#isLeaving, patience);
      return isStuck ? "The stream does not take what the leader orders" : undefined;
    }
    if (this.#candidacy === undefined) {
      this.#tickFollowing(course, now);
      return undefined;
    }
    const outcome = this.#candidacy.tick(now, patience);
    if (outcome === "overtaken") this.heardOrder();
    return outcome === "stuck" ? "The stream does not take who wants to lead" : undefined;
  }

  #tickFollowing(course: Course, now: number): void {
    const { self, proposals, silence } = this.#parts;
    this.#forward(course);
    proposals.tick(now);
    if (this.#isLeaving || silence.sinceHeard(now) < candidateAfterMs(self, this.#leader?.node)) return;
    this.#candidacy = new Candidacy(self, this.term + 1, course, this.#ports);
  }
}
