import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { MarketTimes } from "./market-times.ts";

test("the markets whose time has come are those of a plain list, in order of listing, whatever was set and forgotten before", () => {
  const step = fc.record({ marketId: fc.nat(12), atMs: fc.option(fc.nat(20)), askedMs: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const times = new MarketTimes();
      const plain = new Map<number, number>();
      for (const { marketId, atMs, askedMs } of steps) {
        if (atMs === null) {
          times.forget(marketId);
          plain.delete(marketId);
        } else {
          times.set(marketId, atMs);
          plain.set(marketId, atMs);
        }
        const due = [...plain].filter(([, at]) => at <= askedMs).map(([id]) => id);
        assert.deepEqual(
          times.until(askedMs),
          due.sort((left, right) => left - right),
        );
        assert.equal(times.at(marketId), plain.get(marketId));
      }
    }),
    runs(300),
  );
});
