/** What is asked for again and again is done all the same, once for each moment. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { soon } from "../../web/src/ui/soon.ts";

test("what is asked for all the time is done once for each moment, what was called off is not", (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  let done = 0;
  const reading = soon(() => done++);
  for (let ms = 0; ms < 1_000; ms += 10) {
    reading.plan(100);
    mock.timers.tick(10);
  }
  assert.equal(done, 10);
  reading.plan(100);
  reading.cancel();
  mock.timers.tick(1_000);
  assert.equal(done, 10);
});

test("a later time gives way to a sooner one, and not the other way round", (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  let done = 0;
  const reading = soon(() => done++);
  reading.plan(5_000);
  reading.plan(100);
  reading.plan(5_000);
  mock.timers.tick(100);
  assert.equal(done, 1);
  mock.timers.tick(10_000);
  assert.equal(done, 1);
});
