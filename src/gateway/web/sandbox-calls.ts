/**
 * Calls of a person's page on a venue in which there is nothing to steal: they give test money and move the clock. The
 * page can do no more with them than everybody who knows the seed can do.
 */
import type { Asset } from "../../engine/listing/asset.ts";
import { usdPriceOf } from "../../engine/listing/usd-price.ts";
import { formatDecimal, pow10 } from "../../engine/money/decimal.ts";
import { divFloor } from "../../engine/money/rounding.ts";
import type { State } from "../../engine/state.ts";
import type { AdminBackend } from "../admin/backend.ts";
import { execute } from "../admin/call.ts";
import { required, text } from "../admin/field.ts";
import { CLOCK_FIELDS, clockOf, moveClock } from "../parts/venue/clock-call.ts";
import { invalidParameter, Refused } from "../refused.ts";
import { TEST_MONEY } from "./attempts.ts";
import { type SignedIn, type WebCall, type WebVenue, webCall } from "./call.ts";

/** The worth of the test money that is given at once, in USDT. */
const TEST_MONEY_VALUE = 10_000n;

const testMoney = webCall({
  method: "POST",
  path: "/web/test-money",
  needs: "session",
  fields: { ccy: required(text("CCY", 1, 20), "currency") },
  async serve(venue, asker, { ccy }) {
    const backend = inHandOf(venue, asker);
    if (backend instanceof Refused) return backend;
    const { state } = backend;
    const asset = state.assetByCcy.get(ccy);
    if (asset === undefined) return new Refused("asset_not_found", `The asset ${ccy} is not listed.`);
    const amount = testAmountOf(state, asset);
    if (amount === undefined) {
      return invalidParameter(
        `ccy must be one that an index tells the worth of, which none does of ${ccy} at present.`,
      );
    }
    const { userId } = asker.session;
    const attempt = venue.attempts.testMoney(userId);
    if (attempt === undefined) return TOO_OFTEN;
    const note = `test money, taken by ${state.users.names[userId]} from a page`;
    const given = await execute(backend, { kind: "deposit", userId, ccy, amount, note }, (result) => ({
      deposit_id: (result as { depositId: number }).depositId,
      ccy,
      amount,
    }));
    if (!(given instanceof Refused)) return { data: given };
    attempt.takeBack();
    return given;
  },
});

const showClock = webCall({
  method: "GET",
  path: "/web/clock",
  needs: "nobody",
  fields: {},
  serve: (venue) => ({
    data: { time_ms: venue.backend.now(), ...clockOf(venue), can_move: venue.sandbox?.clock !== undefined },
  }),
});

const setClock = webCall({
  method: "POST",
  path: "/web/clock",
  needs: "session",
  fields: CLOCK_FIELDS,
  async serve(venue, asker, values) {
    const backend = inHandOf(venue, asker);
    if (backend instanceof Refused) return backend;
    // Time is everybody's, unlike one's own money.
    const name = backend.state.users.names[asker.session.userId];
    if (name === undefined || !venue.demoAccounts.includes(name)) return NO_SAMPLE_ACCOUNT;
    const moved = await moveClock(backend, values);
    return moved instanceof Refused ? moved : { data: moved };
  },
});

export const SANDBOX_CALLS: readonly WebCall[] = [testMoney, showClock, setClock];

const NO_SANDBOX = new Refused(
  "permission_missing",
  "Only a venue of the dev profile with fixed accounts, whose keys and operator's token everybody knows, does " +
    "this for a page.",
);
const NO_SAMPLE_ACCOUNT = new Refused("permission_missing", "Only a sample account may move the clock from a page.");
const TOO_OFTEN = new Refused(
  "too_many_attempts",
  `An account takes test money ${TEST_MONEY.most} times in ${TEST_MONEY.minutes} minutes at most.`,
);

/** The venue in the hand of who asks, under a name that no operator can have; or why it is in nobody's. */
function inHandOf({ sandbox, backend }: WebVenue, { session }: SignedIn): AdminBackend | Refused {
  if (sandbox === undefined) return NO_SANDBOX;
  if (backend.isBusy) return new Refused("busy");
  return { ...sandbox, operator: { name: `user ${session.userId}`, role: "admin" } };
}

/**
 * So much of an asset as is worth TEST_MONEY_VALUE by index, down to its unit and at least one; undefined where nobody
 * knows what it is worth.
 */
function testAmountOf(state: State, { id, scale }: Asset): string | undefined {
  const price = usdPriceOf(state, id);
  if (price === undefined) return undefined;
  const units = divFloor(TEST_MONEY_VALUE * pow10(scale) * price.denominator, price.numerator);
  return formatDecimal(units > 0n ? units : 1n, scale);
}
