/**
 * What loops over all of a kind goes on with more of them than the arguments of one call may be, some 120,000: every
 * account has a position and a timer here. Counts, not times: what they cost on one machine says nothing of another.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TIMERS_PER_COMMAND } from "../../src/engine/cancel-after/fire.ts";
import { cancelTimers } from "../../src/engine/cancel-after/timers.ts";
import type { Command } from "../../src/engine/command.ts";
import { Engine, refusalIn } from "../../src/engine/engine.ts";
import { decodeEvents, type EngineEvent } from "../../src/engine/event.ts";
import { loadSnapshot, takeSnapshot } from "../../src/engine/snapshot.ts";
import { hashOf } from "../../src/venue/machine.ts";
import { LINEAR } from "../support/futures-venue.ts";

const MANY = 140_000;
const HOUR = 3_600_000;
const MIDNIGHT = 1_750_032_000_000;

/** An engine without the checks after each command, which look at everything each time. */
class Crowd {
  engine = new Engine();
  timeMs = MIDNIGHT + HOUR;
  events: EngineEvent[] = [];

  tell(command: Command): unknown {
    const { engine } = this;
    engine.events.clear();
    const outcome = engine.execute(command, { seq: engine.state.seq + 1, timeMs: this.timeMs });
    assert.equal(refusalIn(outcome), undefined, command.kind);
    return outcome.result;
  }

  /** What happens by a command, counted by what its events are. */
  counted(command: Command): Map<string, number> {
    this.tell(command);
    const { events } = this.engine;
    const counts = new Map<string, number>();
    for (const event of decodeEvents(events, 0, events.length)) {
      const name = event.kind === "json" ? event.event.type : event.kind === "position" ? event.reason : event.kind;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  index(price: string): Command {
    return {
      kind: "set_index_prices",
      market: "BTCUSDT",
      marketType: "FUTURES",
      sources: [{ exchange: "one", price }],
    };
  }

  restart(): void {
    const { state } = this.engine;
    const next = new Engine();
    loadSnapshot(next.state, takeSnapshot(state), state.seq, state.timeMs);
    assert.equal(hashOf(next), hashOf(this.engine));
    this.engine = next;
  }
}

test("many positions are settled, pay funding and are closed when their market leaves; many timers run out by a thousand a command", () => {
  const crowd = new Crowd();
  for (const ccy of ["BTC", "USDT"]) crowd.tell({ kind: "list_asset", ccy, scale: 8 });
  crowd.tell(LINEAR);
  crowd.tell(crowd.index("30000"));
  const join = (name: string, amount: string): number => {
    const { userId } = crowd.tell({ kind: "create_user", name }) as { readonly userId: number };
    crowd.tell({ kind: "deposit", userId, ccy: "USDT", amount, note: "" });
    crowd.tell({ kind: "transfer", userId, from: "SPOT", to: "FUTURES", ccy: "USDT", amount } as Command);
    return userId;
  };
  const trade = (userId: number, side: "buy" | "sell", amount: bigint) =>
    crowd.tell({
      kind: "place_order",
      userId,
      marketId: 0,
      account: "futures",
      side,
      type: "limit",
      amountIn: "base",
      amount,
      price: 3_000_000n,
      hidden: false,
      stpMode: "none",
      clientId: "",
    });
  const others = Array.from({ length: 15 }, (_, at) => join(`other ${at}`, "10000000"));
  const lots = 100n;
  for (let at = 0; at < MANY; at++) {
    // Who sells to them is within the first levels of a position.
    if (at % 10_000 === 0) trade(others[at / 10_000] as number, "sell", lots * 10_000n);
    trade(join(`one ${at}`, "10"), "buy", lots);
  }
  const all = MANY + MANY / 10_000;
  assert.equal(crowd.engine.state.futures.positions.live, all);
  crowd.restart();

  const wait = (untilMs: number) => {
    // Two updates make an index fresh, so that nothing waits for it.
    for (const beforeMs of [10_000, 5_000]) {
      crowd.timeMs = untilMs - beforeMs;
      crowd.tell(crowd.index("30001"));
    }
    crowd.timeMs = untilMs;
    return crowd.counted({ kind: "tick" });
  };
  crowd.tell({ kind: "tick" });
  assert.equal(wait(MIDNIGHT + 8 * HOUR).get("settle"), all, "nobody is left out of a settlement");

  for (let userId = 1; userId <= MANY; userId++) {
    crowd.tell({ kind: "set_cancel_after", userId, scope: "ALL", timeoutMs: 1_000 });
  }
  const own = () => cancelTimers.of(crowd.engine.state);
  crowd.timeMs += 1_000;
  assert.equal(crowd.counted({ kind: "tick" }).get("cancel_after_fired"), TIMERS_PER_COMMAND);
  // Who tells his timer again before it is its turn keeps it.
  const last = [...own().running.keys()].at(-1) as number;
  assert.equal(own().running.size, MANY - TIMERS_PER_COMMAND);
  crowd.tell({ kind: "set_cancel_after", userId: last >> 2, scope: "ALL", timeoutMs: 600_000 });
  let commands = 1;
  for (; own().running.size > 1; commands++) {
    crowd.timeMs += 1;
    crowd.tell({ kind: "tick" });
    assert.ok(commands < MANY / TIMERS_PER_COMMAND + 1);
  }
  crowd.restart();

  crowd.tell({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", delistedAt: crowd.timeMs + HOUR });
  assert.equal(wait(crowd.timeMs + HOUR).get("reduce"), all, "all positions are closed when the market leaves");
  assert.equal(crowd.engine.state.futures.positions.live, 0);
  crowd.restart();
});
