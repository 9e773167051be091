import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { Venue } from "../../../test/support/venue.ts";
import type { Command } from "../command.ts";
import { checkInvariants } from "../invariants.ts";
import { CELL } from "../ledger/cell.ts";
import { formatDecimal } from "../money/decimal.ts";
import type { Refusal } from "../refusal.ts";
import { SAVINGS_CELL } from "./codes.ts";
import type { MoveSavings } from "./command-schemas.ts";
import { BATCH_ROWS, interestOn } from "./interest.ts";
import { DAY_MS, savings } from "./savings-state.ts";

const MOVES: readonly (readonly [Partial<MoveSavings>, Refusal | undefined])[] = [
  [{}, undefined],
  [{ amount: "4.00000001" }, "insufficient_balance"],
  [{ amount: "4" }, undefined],
  [{ to: "SPOT", amount: "5.00000001" }, "insufficient_balance"],
  [{ to: "SPOT", amount: "5" }, undefined],
  [{ to: "SPOT", amount: "0.00000001" }, "insufficient_balance"],
  [{ userId: 9 }, "user_not_found"],
  [{ ccy: "NONE" }, "asset_not_found"],
  [{ to: "FUTURES" }, "transfer_not_possible"],
  [{ to: "spot" }, "transfer_not_possible"],
  [{ amount: "0" }, "invalid_command"],
  [{ amount: "-1" }, "invalid_command"],
  [{ amount: "0.000000001" }, "invalid_command"],
  [{ userId: 2, to: "SPOT", amount: "1" }, "insufficient_balance"],
];

test("an operator moves what a user has available to savings and back, and not a unit more", () => {
  const venue = savingsVenue({ ann: "5", ben: "0.5" });
  for (const [change, refusal] of MOVES) {
    const done = venue.execute({ ...move(1, "1"), ...change });
    assert.equal(done.refusal, refusal, `${JSON.stringify(change)} ${done.detail}`);
  }
  assert.equal(venue.balance(1, "USDT"), "5.00000000 + 0.00000000");
  assert.equal(saved(venue, 1), "0.00000000");
  venue.assertRepeatable();
});

test("at midnight UTC every account earns the floor of its balance times the rate, out of the interest cell", () => {
  const venue = savingsVenue({ ann: "1000", ben: "0.00009999" }, "0.0001", "10");
  venue.accept(move(1, "1000"));
  venue.accept(move(2, "0.00009999"));
  venue.timeMs = DAY_MS - 1;
  assert.deepEqual(interestTold(venue.accept({ kind: "tick" })), []);
  venue.timeMs = DAY_MS;
  const told = interestTold(venue.accept({ kind: "tick" }));
  assert.deepEqual([saved(venue, 1), saved(venue, 2)], ["1000.10000000", "0.00009999"]);
  assert.deepEqual(told, ["begun 10000000 of 100000009999", "booked 0-2", "ended 10000000, back 0, owed 0"]);
  assert.equal(held(venue, CELL.interest), "9.90000000");
  // What was earned earns, too.
  venue.timeMs = 3 * DAY_MS;
  venue.accept({ kind: "tick" });
  assert.equal(saved(venue, 1), "1000.30003000");
  venue.assertRepeatable();
});

test("a day that the cell cannot pay for everybody is owed to everybody, and paid with the first that it can", () => {
  const venue = savingsVenue({ ann: "100", ben: "100" }, "0.01", "1.99999999");
  venue.accept(move(1, "100"));
  venue.accept(move(2, "100"));
  venue.timeMs = DAY_MS;
  assert.deepEqual(interestTold(venue.accept({ kind: "tick" })).at(-1), "ended 0, back 0, owed 200000000");
  assert.deepEqual([saved(venue, 1), saved(venue, 2)], ["100.00000000", "100.00000000"]);
  // Who leaves is owed what he earned.
  venue.accept({ ...move(2, "100"), to: "SPOT" });
  fund(venue, "1.00000001");
  venue.timeMs = 2 * DAY_MS;
  assert.deepEqual(interestTold(venue.accept({ kind: "tick" })).at(-1), "ended 300000000, back 0, owed 0");
  assert.deepEqual([saved(venue, 1), saved(venue, 2)], ["102.00000000", "1.00000000"]);
  assert.equal(held(venue, CELL.interest), "0.00000000");
  venue.assertRepeatable();
});

test("interest that cannot be paid is never made up: without a fund nobody gets a unit", () => {
  const venue = savingsVenue({ ann: "100" }, "0.99999999");
  venue.accept(move(1, "100"));
  for (let day = 1; day <= 5; day++) {
    venue.timeMs = day * DAY_MS;
    venue.accept({ kind: "tick" });
  }
  assert.equal(saved(venue, 1), "100.00000000");
  assert.equal(savings.of(venue.state).of(0).owed, 499_99999500n);
});

test("money that comes after midnight earns nothing of that midnight, and money that leaves has earned it", () => {
  const venue = savingsVenue({ ann: "100", ben: "100" }, "0.01", "10");
  venue.accept(move(1, "100"));
  venue.timeMs = DAY_MS + 1;
  venue.accept({ ...move(1, "100"), to: "SPOT" });
  venue.accept(move(2, "100"));
  assert.deepEqual([saved(venue, 1), saved(venue, 2)], ["1.00000000", "100.00000000"]);
});

test("rounding gives nothing to who splits: many accounts of dust never earn more than one of the sum", () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { maxLength: 50 }),
      fc.integer({ min: 0, max: 99_999_999 }),
      (parts, rateE8) => {
        const sum = parts.reduce((total, part) => total + part, 0n);
        const apart = parts.reduce((total, part) => total + interestOn(part, rateE8), 0n);
        assert.ok(apart <= interestOn(sum, rateE8));
      },
    ),
    runs(500),
  );
});

test("a midnight of more accounts than a command books goes on every second, and counts what lay there at midnight", () => {
  const venue = crowdedVenue(BATCH_ROWS + 3);
  venue.timeMs = DAY_MS;
  venue.accept({ kind: "tick" });
  const last = BATCH_ROWS + 3;
  assert.equal(saved(venue, 1), "1.01000000");
  assert.equal(saved(venue, last), "1.00000000");
  // Somebody whose turn has not come takes everything away: he gets his interest first.
  venue.accept({ ...move(last, "1"), to: "SPOT" });
  assert.equal(saved(venue, last), "0.01000000");
  venue.accept(move(last, "1"));
  venue.assertRepeatable(venue.log.length - 2);
  venue.wait(999);
  assert.equal(saved(venue, last - 1), "1.00000000");
  venue.wait(1);
  assert.deepEqual([saved(venue, last - 1), saved(venue, last)], ["1.01000000", "1.01000000"]);
  assert.equal(held(venue, SAVINGS_CELL.interest_due), "0.00000000");
});

test("days that were missed are booked one after the other, and nothing moves until what lay there then is no more needed", () => {
  const venue = crowdedVenue(BATCH_ROWS + 3);
  venue.timeMs = 3 * DAY_MS + 5;
  venue.accept({ kind: "tick" });
  assert.equal(venue.execute(move(1, "0.5")).refusal, "savings_behind");
  assert.equal(venue.execute({ kind: "set_savings_rate", ccy: "USDT", dailyRate: "0.5" }).refusal, "savings_behind");
  for (let second = 0; second < 4; second++) venue.wait(1_000);
  assert.equal(saved(venue, 1), "1.03030100");
  assert.equal(saved(venue, BATCH_ROWS + 3), "1.03030100");
  venue.accept({ ...move(1, "0.00000001"), to: "SPOT" });
  venue.assertRepeatable(venue.log.length - 4);
});

test("savings that are not those of their accounts, and money put aside for nobody, are found", () => {
  const venue = savingsVenue({ ann: "5" });
  venue.accept(move(1, "5"));
  savings.of(venue.state).of(0).saved += 1n;
  assert.match(checkInvariants(venue.state).join(), /500000000 units of asset 0 are saved, and counted as 500000001/);
});

test("under rules version 2 nobody could fund the interest cell", () => {
  const venue = new Venue(undefined, 2);
  venue.listAsset("USDT");
  const funding: Command = { kind: "deposit", cell: "sys:interest", ccy: "USDT", amount: "1", note: "" };
  const done = venue.execute(funding);
  assert.equal(done.refusal, "cell_not_found");
  assert.doesNotMatch(done.detail ?? "", /sys:interest/);
});

function move(userId: number, amount: string): MoveSavings {
  return { kind: "move_savings", userId, to: "FINANCIAL", ccy: "USDT", amount, note: "" };
}

function fund(venue: Venue, amount: string): void {
  venue.accept({ kind: "deposit", cell: "sys:interest", ccy: "USDT", amount, note: "" });
}

/** With users who own USDT, a daily rate, and so much in the cell that interest is paid from. */
function savingsVenue(users: Readonly<Record<string, string>>, dailyRate = "0", interest?: string): Venue {
  const venue = new Venue();
  venue.listAsset("USDT");
  for (const [name, amount] of Object.entries(users)) venue.addUser(name, { USDT: amount });
  venue.accept({ kind: "set_savings_rate", ccy: "USDT", dailyRate });
  if (interest !== undefined) fund(venue, interest);
  return venue;
}

/** So many users with 1 USDT each in savings, at 1 % a day. */
function crowdedVenue(users: number): Venue {
  const venue = savingsVenue({}, "0.01", "100000");
  const commands: Command[] = [];
  for (let userId = 1; userId <= users; userId++) {
    commands.push({ kind: "create_user", name: `user ${userId}` });
    commands.push({ kind: "deposit", userId, ccy: "USDT", amount: "1", note: "" });
    commands.push(move(userId, "1"));
  }
  venue.acceptAll(commands);
  return venue;
}

function saved(venue: Venue, userId: number): string {
  const { accounts } = savings.of(venue.state);
  const row = accounts.find(userId, 0);
  return formatDecimal(row < 0 ? 0n : venue.state.ledger.available(accounts.cell(row)), 8);
}

function held({ state }: Venue, kind: number): string {
  return formatDecimal(state.ledger.heldByVenue(kind, 0), 8);
}

function interestTold({ events }: ReturnType<Venue["accept"]>): string[] {
  return events.flatMap((one) => {
    if (one.kind !== "json") return [];
    const { event } = one;
    if (event.type === "savings_interest_begun") return `begun ${event.putAside} of ${event.saved}`;
    if (event.type === "savings_interest_booked") return `booked ${event.fromRow}-${event.toRow}`;
    if (event.type !== "savings_interest_ended") return [];
    return `ended ${event.paid}, back ${event.returned}, owed ${event.owed}`;
  });
}
