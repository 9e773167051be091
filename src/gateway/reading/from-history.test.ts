import assert from "node:assert/strict";
import { test } from "node:test";
import { HistoryBusy, HistoryFault } from "../../history/fault.ts";
import { REFUSAL_ROWS } from "../parts.ts";
import { Refused } from "../refused.ts";
import { fromHistory, pageFromHistory } from "./from-history.ts";

test("history that has failed or is overrun is said to be, and everything else stays a failure", async () => {
  const fault = new HistoryFault("query", "SQLITE_10", "The disk is gone.");
  for (const [error, code] of [
    [fault, 4001],
    [new HistoryBusy("History has too much to do."), 3008],
  ] as const) {
    const answer = await fromHistory(Promise.reject(error));
    assert.ok(answer instanceof Refused);
    assert.equal(REFUSAL_ROWS[answer.refusal].v2, code);
    assert.doesNotMatch(REFUSAL_ROWS[answer.refusal].message, /disk/);
  }
  await assert.rejects(fromHistory(Promise.reject(new TypeError("a bug"))), TypeError);
  assert.equal(await fromHistory(Promise.resolve(7)), 7);
});

test("a page too far back is refused without asking history", async () => {
  const asked: number[] = [];
  const ask = (query: { page: number; limit: number }) => Promise.resolve(asked.push(query.page));
  assert.equal(await pageFromHistory(ask, { page: 100, limit: 1000 }), 1);
  const refused = await pageFromHistory(ask, { page: 101, limit: 1000 });
  assert.ok(refused instanceof Refused);
  assert.deepEqual(asked, [100]);
});
