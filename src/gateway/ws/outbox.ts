import { Coalesced } from "./coalesced.ts";

/** Something with pushes to write. */
export interface Outgoing {
  flush(): void;
}

/** Connections that were sent something in this turn of the loop; each is written to once, when the turn is over. */
export class Outbox {
  /** Where the pushes of this turn begin. */
  root = new Coalesced();
  #waiting: Outgoing[] = [];

  /** `outgoing` has something to write now and had nothing before. */
  enter(outgoing: Outgoing): void {
    if (this.#waiting.push(outgoing) === 1) process.nextTick(() => this.#flush());
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.root = new Coalesced();
    for (const outgoing of waiting) outgoing.flush();
  }
}
