import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { fileURLToPath } from "node:url";
import { BookRunner } from "../../bench/paths/book-runner.ts";
import { loadCheckout } from "../../bench/paths/checkout.ts";
import { EngineRunner } from "../../bench/paths/engine-runner.ts";
import { makeMessages, PATHS } from "../../bench/paths/messages.ts";
import { PriceTree } from "../../src/engine/trading/ladder/price-tree.ts";

const MESSAGES = 4_000;
const SEED = 7;
/** What the messages were answered when this was written: a change of one is a change of outcomes. */
const SUMS = [
  ...["404d772a", "dcfa9f57", "2f08f42e", "c74da32a", "815a0ce1"],
  ...["1ed94beb", "c2ca41d6", "8ab19c05", "0d4e896e"],
];

for (const [at, path] of PATHS.entries()) {
  test(`the quick book, the plain one and the whole engine answer alike on the path "${path}"`, async () => {
    const checkout = await loadCheckout(fileURLToPath(new URL("../..", import.meta.url)));
    const messages = makeMessages(path, MESSAGES, SEED);
    const plain = new BookRunner(checkout, "plain", messages);
    const ladder = new BookRunner(checkout, "ladder", messages);
    const engine = new EngineRunner(checkout, messages);
    plain.run(0, MESSAGES);
    ladder.run(0, MESSAGES);
    engine.runRead(0, MESSAGES);
    const sum = plain.finish();
    assert.equal(ladder.finish(), sum);
    assert.equal(engine.finish(), sum);
    assert.equal(sum, SUMS[at]);
  });
}

/** Pages or nodes that step aside for another page, a message. Each goes one step down and nothing else moves. */
const MOVED_MAX = 0.2;

test("pages stay where they are however fine the ticks are: of five messages one moves a page at most", async () => {
  const checkout = await loadCheckout(fileURLToPath(new URL("../..", import.meta.url)));
  for (const path of PATHS) {
    const ladder = new BookRunner(checkout, "ladder", makeMessages(path, MESSAGES, SEED));
    ladder.run(0, MESSAGES / 4);
    const forks = mock.method(PriceTree.prototype as unknown as { fork: () => void }, "fork");
    ladder.run(MESSAGES / 4, (MESSAGES * 3) / 4);
    const moved = forks.mock.callCount() / ((MESSAGES * 3) / 4);
    mock.restoreAll();
    assert.ok(moved > 0 && moved <= MOVED_MAX, `${moved} a message on the path "${path}"`);
  }
});
