/**
 * A node whose clock is ahead of the others' must not lead: its time would fall due for everybody, and time in the log
 * is never taken back.
 */

/** The clock of this machine is ahead of those of the other nodes. */
export class ClockAhead extends Error {
  readonly code = "clock_ahead";

  constructor(aheadMs: number, nodes: readonly string[]) {
    super(
      `The clock of this machine (${new Date().toISOString()}) is at least ${Math.round(aheadMs / 1_000)} s ` +
        "ahead of that of " +
        `${nodes.length === 1 ? "node" : "nodes"} ${nodes.join(", ")}. Set it right, then start this node again.`,
    );
    this.name = "ClockAhead";
  }
}

/** The time on another node's clock while it was asked, and on this node's clock before. Both in ms. */
export interface OtherClock {
  readonly node: string;
  readonly timeMs: number;
  readonly askedMs: number;
}

/**
 * Throws ClockAhead when this machine's clock was ahead of those of more than half of the others by more than
 * `aheadMaxMs`.
 */
export function refuseClockAhead(others: readonly OtherClock[], aheadMaxMs: number): void {
  // The other one looked at its clock after it was asked: it was behind by this at least.
  const ahead = others
    .map(({ node, timeMs, askedMs }) => ({ node, aheadMs: askedMs - timeMs }))
    .filter(({ aheadMs }) => aheadMs > aheadMaxMs);
  if (ahead.length * 2 <= others.length) return;
  throw new ClockAhead(
    Math.min(...ahead.map(({ aheadMs }) => aheadMs)),
    ahead.map(({ node }) => node),
  );
}
