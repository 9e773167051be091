import assert from "node:assert/strict";
import { test } from "node:test";
import { DIRECT_MS, type Held, ReadingTurns, Share } from "./reading-turns.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A connection that holds so many slices, and tells which were read. */
function holder(name: string, slices: number, share: Share, read: string[]): Held & { isCut: boolean } {
  const held = {
    heldBytes: slices,
    isCut: false,
    readSlice() {
      read.push(name);
      held.heldBytes--;
      share.hold(held, -1);
      return held.heldBytes > 0;
    },
    cut() {
      held.isCut = true;
      const bytes = held.heldBytes;
      held.heldBytes = 0;
      share.hold(held, -bytes);
    },
  };
  share.hold(held, slices);
  return held;
}

test("addresses take turns, whatever each of them has waiting, and so do the connections of an address", async () => {
  const turns = new ReadingTurns();
  const [many, few] = [new Share(turns), new Share(turns)];
  const read: string[] = [];
  for (let count = 0; count < 50; count++) many.wait(holder(`many ${count % 2}`, 3, many, read));
  few.wait(holder("few", 4, few, read));
  while (read.length < 154) await turn();
  const last = read.lastIndexOf("few");
  assert.ok(last <= 8, `the four slices of the address with one connection were read by place ${last}`);
  assert.equal(new Set(read.slice(0, 8)).size, 3, "connections of one address were read one behind the other");
});

test("an address is read at once until it has had its share of a turn, and again in the next", async () => {
  const turns = new ReadingTurns();
  const [busy, other] = [new Share(turns), new Share(turns)];
  assert.ok(busy.mayRead);
  busy.spend(DIRECT_MS / 2);
  assert.ok(busy.mayRead);
  busy.spend(DIRECT_MS / 2);
  assert.ok(!busy.mayRead && other.mayRead);
  await turn();
  assert.ok(busy.mayRead);
});

test("beyond the most that is held, the address that holds most loses a connection", () => {
  const turns = new ReadingTurns();
  const [greedy, modest] = [new Share(turns), new Share(turns)];
  const own = holder("modest", 1_000, modest, []);
  const others = Array.from({ length: 256 }, () => holder("greedy", 65_536, greedy, []));
  assert.equal(own.isCut, false);
  assert.equal(others.filter(({ isCut }) => isCut).length, 1);
  assert.equal(others[0]?.isCut, true);
  assert.equal(holder("modest", 65_536, modest, []).isCut, false);
  assert.equal(others.filter(({ isCut }) => isCut).length, 2);
});
