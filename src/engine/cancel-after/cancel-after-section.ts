import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { cancelTimers, type Firing, type Held, type Timer } from "./timers.ts";

interface Words {
  readonly timers: readonly Timer[];
  readonly firing: readonly Firing[];
  /** By ascending market id, user id and account. */
  readonly held: readonly (Held & { readonly marketId: number })[];
  readonly notBeforeMs: number;
}

/** Timers by ascending user id and scope, and what those that have run out are still to cancel. */
export const cancelAfterSection: Section = {
  name: "cancel-after",
  version: 1,
  write: (state) => {
    const { running, firing, held, notBeforeMs } = cancelTimers.of(state);
    const words: Words = {
      timers: sorted(running).map(([, timer]) => timer),
      firing,
      held: sorted(held).flatMap(([marketId, ofMarket]) => sorted(ofMarket).map(([, each]) => ({ marketId, ...each }))),
      notBeforeMs,
    };
    return [jsonChunk(words)];
  },
  read: (state, [json]) => {
    const { timers, firing, held, notBeforeMs } = jsonOf(json) as Words;
    const own = cancelTimers.of(state);
    for (const timer of timers) own.set(timer);
    // So many at once as arguments of one call are more than its stack holds.
    for (const each of firing) own.firing.push(each);
    own.notBeforeMs = notBeforeMs;
    for (const { marketId, ...each } of held) {
      own.hold(marketId, each);
      state.waiting.add(marketId);
    }
  },
};

function sorted<Value>(by: ReadonlyMap<number, Value>): [number, Value][] {
  return [...by].sort(([one], [other]) => one - other);
}
