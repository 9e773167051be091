import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Rest } from "./rest.ts";

function resting(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const source = {
    isRead: true,
    pause() {
      this.isRead = false;
    },
    resume() {
      this.isRead = true;
    },
  };
  /** For how many ms nothing is read. */
  const restOf = () => {
    let ms = 0;
    for (; !source.isRead; ms += 500) t.mock.timers.tick(500);
    return ms;
  };
  return { rest: new Rest(source), source, restOf };
}

test("each refusal lets the connection be for longer, up to eight seconds, and a message that is served ends that", (t) => {
  const { rest, restOf } = resting(t);
  const rests = Array.from({ length: 5 }, () => {
    rest.refused();
    return restOf();
  });
  assert.deepEqual(rests, [1_000, 2_000, 4_000, 8_000, 8_000]);
  rest.served();
  rest.refused();
  assert.equal(restOf(), 1_000);
});

test("what was read before the rest began and is refused in it does not make it longer", (t) => {
  const { rest, restOf } = resting(t);
  for (let message = 0; message < 3; message++) rest.refused();
  assert.equal(restOf(), 1_000);
});

test("a connection that is to be closed is read at once", (t) => {
  const { rest, source } = resting(t);
  rest.refused();
  assert.equal(source.isRead, false);
  rest.end();
  assert.equal(source.isRead, true);
});
