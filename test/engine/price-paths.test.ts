import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BookRunner } from "../../bench/paths/book-runner.ts";
import { loadCheckout } from "../../bench/paths/checkout.ts";
import { EngineRunner } from "../../bench/paths/engine-runner.ts";
import { makeMessages, PATHS } from "../../bench/paths/messages.ts";

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
