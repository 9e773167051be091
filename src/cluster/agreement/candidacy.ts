import type { TermEntry } from "../entry.ts";
import type { Course } from "./course.ts";
import { MISSED_MS, type Patience, RESEND_MS } from "./pace.ts";
import type { AgreementPorts, Self } from "./ports.ts";

/** Each further node in the row waits longer for the leader, so that they do not all want to lead at once. */
const RANK_MS = 250;

/** How long a node waits for a leader that it does not hear, by its place in the row behind it. */
export function candidateAfterMs({ node, nodes }: Self, leader: string | undefined): number {
  const at = leader === undefined ? -1 : nodes.indexOf(leader);
  const rank = (nodes.indexOf(node) - at - 1 + nodes.length) % nodes.length;
  return MISSED_MS + rank * RANK_MS;
}

/** A node wants to lead a term: it does if its entry comes into the stream, in the very place where that ended for it. */
export class Candidacy {
  readonly #self: Self;
  readonly #term: number;
  readonly #course: Course;
  readonly #ports: Pick<AgreementPorts, "publish">;
  readonly #expected: number;
  readonly #sinceMs: number;
  #sentAt: number;

  constructor(self: Self, term: number, course: Course, ports: Pick<AgreementPorts, "now" | "publish">) {
    this.#self = self;
    this.#term = term;
    this.#course = course;
    this.#ports = ports;
    this.#expected = course.next - 1;
    this.#sinceMs = ports.now();
    this.#sentAt = this.#sinceMs;
    this.#stand();
  }

  /** Time passes. `overtaken`: somebody has written meanwhile, and the place is taken. `stuck`: the stream takes nothing. */
  tick(now: number, patience: Patience): "stands" | "overtaken" | "stuck" {
    if (this.#course.next - 1 !== this.#expected) return "overtaken";
    if (patience.isStuck(this.#sinceMs, now)) return "stuck";
    if (now - this.#sentAt >= RESEND_MS) {
      this.#sentAt = now;
      this.#stand();
    }
    return "stands";
  }

  #stand(): void {
    const { generation, slot } = this.#course;
    const { node, boot } = this.#self;
    const entry: TermEntry = { kind: "term", generation, term: this.#term, node, boot };
    this.#ports.publish(slot, entry, this.#expected);
  }
}
