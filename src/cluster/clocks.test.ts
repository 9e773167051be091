import assert from "node:assert/strict";
import { test } from "node:test";
import { ClockAhead, type OtherClock, refuseClockAhead } from "./clocks.ts";

const HOUR_MS = 3_600_000;
const at = (node: string, timeMs: number): OtherClock => ({ node, timeMs, askedMs: 10 * HOUR_MS });

test("a clock that is ahead of more than half of the others is refused, and no other one", () => {
  for (const [others, refused] of [
    [[], false],
    [[at("b", 10 * HOUR_MS)], false],
    [[at("b", 10 * HOUR_MS - 5_000)], false],
    [[at("b", 10 * HOUR_MS - 5_001)], true],
    // Those that are ahead themselves do not make it wrong.
    [[at("b", 15 * HOUR_MS), at("c", 15 * HOUR_MS)], false],
    // One of two is wrong, and it may be the other one.
    [[at("b", 5 * HOUR_MS), at("c", 10 * HOUR_MS)], false],
    [[at("b", 5 * HOUR_MS), at("c", 6 * HOUR_MS)], true],
    [[at("b", 5 * HOUR_MS), at("c", 6 * HOUR_MS), at("d", 10 * HOUR_MS)], true],
  ] as const) {
    if (refused) assert.throws(() => refuseClockAhead(others, 5_000), ClockAhead);
    else refuseClockAhead(others, 5_000);
  }
  assert.throws(() => refuseClockAhead([at("b", 5 * HOUR_MS), at("c", 6 * HOUR_MS)], 5_000), {
    message: /at least 14400 s ahead of that of nodes b, c\. Set it right, then start this node again\.$/,
  });
});
