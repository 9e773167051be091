import type { Leader } from "../entry.ts";
import type { OrderingPorts, Self } from "./ports.ts";

/** The leader is asked this often. */
const ASK_MS = 150;
/** A leader that has not answered for so long may be followed by another one. */
const MISSED_MS = 700;
/** So may one under which nothing of what waits here comes into the log for so long. */
const STUCK_MS = 1_500;
/** A call to lead whose answer is not heard is made again after this. */
const AGAIN_MS = 300;
/**
 * Leaders that follow each other quickly are a sign of a slow machine: each within this time doubles what is waited, up
 * to eight times.
 */
const RECENT_MS = 20_000;
const DOUBLINGS_MAX = 3;

type Ports = Pick<OrderingPorts, "now" | "store" | "ask" | "note">;

/** When this node wants to lead. Wanting it too often does no harm but to speed: the store lets one lead at a time. */
export class Election {
  readonly #self: Self;
  readonly #ports: Ports;
  #heardAt = 0;
  #askedAt = 0;
  #movedAt = 0;
  #calledAt = Number.NEGATIVE_INFINITY;
  #isCalling = false;
  #isGone = false;
  #isLeaving = false;
  /** When somebody came to lead, lately. */
  #changes: number[] = [];

  constructor(self: Self, ports: Ports) {
    this.#self = self;
    this.#ports = ports;
  }

  /** Returns the factor by which the wait before a leader is given up is longer than usual. */
  #patience(now: number): number {
    this.#changes = this.#changes.filter((at) => now - at < RECENT_MS);
    return 2 ** Math.min(Math.max(0, this.#changes.length - 1), DOUBLINGS_MAX);
  }

  /** Whether a put that has waited for so long is a sign that the store does not take what this leader puts. */
  isStuck(waitsMs: number): boolean {
    return waitsMs > MISSED_MS * this.#patience(this.#ports.now());
  }

  /** Somebody else leads, or nobody. */
  changed(leader: Leader | undefined): void {
    const now = this.#ports.now();
    this.#heardAt = now;
    this.#movedAt = now;
    this.#isGone = false;
    if (leader !== undefined) this.#changes.push(now);
    else if (!this.#isLeaving) this.#call(0, now);
  }

  heard(): void {
    this.#heardAt = this.#ports.now();
  }

  /** Something came into the log. */
  progressed(): void {
    this.#movedAt = this.#ports.now();
  }

  gone(): void {
    this.#isGone = true;
  }

  leave(): void {
    this.#isLeaving = true;
  }

  /** `waitsMs`: for how long nothing that was proposed here has come into the log. */
  tick(now: number, leader: Leader | undefined, waitsMs: number): void {
    if (leader !== undefined && now - this.#askedAt >= ASK_MS) {
      this.#askedAt = now;
      this.#ports.ask(leader);
    }
    if (this.#isLeaving || this.#isCalling || now - this.#calledAt < AGAIN_MS) return;
    if (leader === undefined) this.#call(0, now);
    else if (this.#isGivenUp(now, leader, waitsMs)) this.#call(leader.term, now);
  }

  #isGivenUp(now: number, { node, boot }: Leader, waitsMs: number): boolean {
    // This node's own process before this one.
    if (node === this.#self.node && boot !== this.#self.boot) return true;
    if (this.#isGone) return true;
    const patience = this.#patience(now);
    if (now - this.#heardAt > MISSED_MS * patience) return true;
    return Math.min(waitsMs, now - this.#movedAt) > STUCK_MS * patience;
  }

  #call(over: number, now: number): void {
    if (this.#isCalling) return;
    this.#isCalling = true;
    this.#calledAt = now;
    this.#ports.store.lead(over, () => {
      this.#isCalling = false;
    });
  }
}
