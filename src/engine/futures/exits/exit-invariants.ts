/** The invariants of the waiting exits between two commands. Source: domain 4.10, and 10 numbers 23 and 31. */
import type { Market } from "../../listing/market.ts";
import type { Census } from "../../part.ts";
import type { State } from "../../state.ts";
import { isLookedAt } from "../../stops/fire-stops.ts";
import { positionsIn } from "../positions/account-sums.ts";
import { EXIT_FLAG, EXIT_KINDS } from "./exit.ts";
import { PARTIAL_EXITS_MAX } from "./exit-commands.ts";
import { isExitDue } from "./fire-exits.ts";

type Expect = Census["expect"];

/** Says what does not hold. Reads only. */
export function checkExits(state: State, expect: Expect): void {
  const { exits } = state.futures;
  const open = new Set<number>();
  for (const market of state.markets) {
    if (market.futures !== undefined) for (const position of positionsIn(state, market.id)) open.add(position);
  }
  const seen = new Set<number>();
  for (const market of state.markets) {
    expect(isLookedAt(state, market, exits), () => `A price in ${market.name} has reached an exit unnoticed.`);
    for (const slot of exits.ofMarket(market.id)) {
      expect(!seen.has(slot), () => `Exit ${exits.exitId(slot)} waits twice.`);
      seen.add(slot);
      checkExit(state, market, slot, open, expect);
    }
  }
  expect(seen.size === exits.live, () => `${exits.live} exits can be found by id and ${seen.size} wait.`);
  for (const position of open) checkCounts(state, position, expect);
}

function checkExit(state: State, market: Market, slot: number, open: ReadonlySet<number>, expect: Expect): void {
  const { exits, positions } = state.futures;
  const id = exits.exitId(slot);
  const report = (what: string) => () => `Exit ${id} in ${market.name} ${what}.`;
  const position = exits.position(slot);
  if (!open.has(position) || exits.marketId(slot) !== market.id) {
    expect(false, report("is of no open position of the market"));
    return;
  }
  expect(positions.marketId(position) === market.id, report("is of a position in another market"));
  expect(
    positions.isShort(position) === ((exits.flags(slot) & EXIT_FLAG.short) !== 0),
    report("is of a position of the other side"),
  );
  expect(id > 0 && id < state.nextExitId, report("has an id that was never given out"));
  expect(exits.find(id) === slot, report("cannot be found by its id"));
  expect(exits.amount(slot) >= 0n, report("is of less than nothing"));
  expect(exits.trigger(slot) > 0, report("has no trigger"));
  expect(exits.createdAt(slot) >= positions.createdAt(position), report("is older than its position"));
  expect(exits.createdAt(slot) <= exits.updatedAt(slot), report("was changed before it was created"));
  expect(exits.updatedAt(slot) <= state.timeMs, report("comes from the future"));

  const heap = exits.heapOf(slot);
  const place = exits.place(slot);
  expect(heap.at(place) === slot, report("does not stand where it says"));
  const above = heap.at((place - 1) >> 1);
  expect(
    place === 0 || (above !== undefined && heap.precedes(above, slot)),
    report("stands below one that fires later"),
  );
  expect(!isExitDue(state, slot), report("has been reached by the price and has not fired"));

  const own = exits.ofPosition(position);
  const at = own.indexOf(slot);
  expect(at >= 0, report("is not listed with its position"));
  expect(at <= 0 || exits.exitId(own[at - 1] as number) < id, report("is listed out of order"));
}

function checkCounts({ futures: { exits, positions } }: State, position: number, expect: Expect): void {
  for (const kind of EXIT_KINDS) {
    const own = exits.ofPosition(position).filter((slot) => exits.kind(slot) === kind);
    const whole = own.filter((slot) => exits.isWhole(slot)).length;
    const report = (what: string) => () => `Position ${positions.positionId(position)} has ${what} to ${kind}.`;
    expect(whole <= 1, report("two exits of all of it"));
    expect(own.length - whole <= PARTIAL_EXITS_MAX, report("more exits of a part than it may"));
  }
}
