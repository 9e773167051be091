import { cellKey } from "../../../../src/engine/ledger/cell.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { SAVINGS_CELL } from "../../../../src/engine/savings/codes.ts";
import { savings as ofEngine } from "../../../../src/engine/savings/savings-state.ts";
import type { Draw } from "../draw.ts";
import { ASSETS } from "../markets.ts";
import { ONE_E8, unitsOf } from "../model/numbers.ts";
import type { ModelVenue } from "../model/venue.ts";
import { keptBy, type SpotPart } from "../part.ts";

const DAY_MS = 86_400_000;

interface Account {
  readonly userId: number;
  readonly assetId: number;
  units: bigint;
  owed: bigint;
}

/** Accounts, daily rates by asset, and the days that are booked. */
const kept = keptBy(() => ({ accounts: [] as Account[], rates: [] as bigint[], booked: -1 }));

/** Savings once more, in plain words. Domain 6.6. */
export const savings: SpotPart = {
  name: "savings",
  actions: {
    move_savings: {
      often: { usual: [0, 2, 6] },
      make: (draw) => ({
        command: {
          kind: "move_savings",
          userId: draw.userId(),
          to: draw.random.pick(["FINANCIAL", "FINANCIAL", "SPOT", "SPOT", "FUTURES"]),
          ccy: draw.random.chance(97) ? currency(draw) : "NONE",
          amount: amountOf(draw),
          note: "",
        },
      }),
    },
    savings_rate: {
      often: { usual: [0, 1, 2] },
      make: (draw) => ({
        command: {
          kind: "set_savings_rate",
          ccy: draw.random.chance(97) ? currency(draw) : "NONE",
          dailyRate: draw.random.pick([
            "0.00000001",
            "0.0003",
            "0.0003",
            "0.002",
            draw.random.pick(["0", "0.99999999", "1", "x"]),
          ]),
        },
      }),
    },
    fund_interest: {
      often: { usual: [0, 2, 6] },
      make: (draw) => ({
        command: {
          kind: "deposit",
          cell: "sys:interest",
          ccy: currency(draw),
          amount: amountOf(draw, draw.random.pick([1n, 1n, 1_000n])),
          note: "",
        },
      }),
    },
  },
  ofVenue: {
    move_savings: (venue, { userId, to, ccy, amount }) => {
      const asset = venue.assets.find((candidate) => candidate.ccy === ccy);
      if (venue.user(userId) === undefined) return "user_not_found";
      if (asset === undefined) return "asset_not_found";
      if (to !== "FINANCIAL" && to !== "SPOT") return "transfer_not_possible";
      const units = unitsOf(amount, asset.scale);
      if (units === undefined || units === 0n) return "invalid_command";
      if (venue.cancelOnly) return "venue_cancel_only";
      const balance = venue.balance(userId, asset.id);
      const own = kept(venue);
      const known = own.accounts.find((each) => each.userId === userId && each.assetId === asset.id);
      if (units > (to === "FINANCIAL" ? balance.available : (known?.units ?? 0n))) return "insufficient_balance";
      if (own.booked < 0) own.booked = Math.floor(venue.timeMs / DAY_MS);
      const account = known ?? { userId, assetId: asset.id, units: 0n, owed: 0n };
      if (known === undefined) own.accounts.push(account);
      const into = to === "FINANCIAL" ? units : -units;
      balance.available -= into;
      account.units += into;
      return undefined;
    },
    set_savings_rate: (venue, { ccy, dailyRate }): Refusal | undefined => {
      const asset = venue.assets.find((candidate) => candidate.ccy === ccy);
      if (asset === undefined) return "asset_not_found";
      const rate = unitsOf(dailyRate, 8);
      if (rate === undefined || rate >= ONE_E8) return "invalid_command";
      kept(venue).rates[asset.id] = rate;
      return undefined;
    },
  },
  due: (venue) => {
    const own = kept(venue);
    if (own.booked < 0) return [];
    const run = () => {
      own.booked++;
      for (const { id } of venue.assets) payDay(venue, id);
    };
    return [{ at: (own.booked + 1) * DAY_MS, rank: 35, id: -1, run }];
  },
  compare: (state, venue, differ) => {
    const { accounts } = ofEngine.of(state);
    for (const { userId, assetId, units, owed } of kept(venue).accounts) {
      const cell = state.ledger.find(cellKey(SAVINGS_CELL.financial, userId, assetId));
      differ(`savings of user ${userId} in asset ${assetId}`, cell < 0 ? 0n : state.ledger.available(cell), units);
      differ(`interest owed to user ${userId}`, accounts.owed(accounts.find(userId, assetId)), owed);
    }
  },
  faults: [
    {
      name: "interest is rounded in the saver's favour",
      file: "savings/interest.ts",
      code: "return divFloor(units * BigInt(dailyRateE8), ONE_E8);",
      instead: "return (units * BigInt(dailyRateE8) + ONE_E8 - 1n) / ONE_E8;",
    },
    {
      name: "interest is paid out of a cell that has not all of it",
      from: 7,
      file: "savings/interest.ts",
      code: "heldByVenue(CELL.interest, assetId) >= most",
      instead: "heldByVenue(CELL.interest, assetId) > 0n",
    },
    {
      name: "interest that is owed is forgotten when a day can be paid",
      from: 7,
      file: "savings/interest.ts",
      code: "const due = accounts.owed(row) + earned;",
      instead: "const due = terms.isPaid ? earned : accounts.owed(row) + earned;",
    },
    {
      name: "a missed midnight earns once for all",
      file: "savings/interest.ts",
      code: "const day = ++own.day;",
      instead: "const day = (own.day = Math.floor(state.timeMs / DAY_MS));",
    },
    {
      name: "a snapshot forgets what interest is owed",
      from: 7,
      file: "savings/savings-accounts.ts",
      code: "for (let row = 0; row < this.count; row++) this.index.insert(row);",
      instead: "for (let row = 0; row < this.count; row++) { this.setOwed(row, 0n); this.index.insert(row); }",
    },
  ],
};

/** What a user has in savings, units. */
export function savedBy(venue: ModelVenue, userId: number, assetId: number): bigint {
  const { accounts } = kept(venue);
  return accounts.find((account) => account.userId === userId && account.assetId === assetId)?.units ?? 0n;
}

/** A midnight of one currency: paid in full out of what the venue has for it, or owed to everybody. */
function payDay(venue: ModelVenue, assetId: number): void {
  const { accounts, rates } = kept(venue);
  const savers = accounts.filter((account) => account.assetId === assetId);
  const rate = rates[assetId] ?? 0n;
  const saved = savers.reduce((sum, { units }) => sum + units, 0n);
  const owed = savers.reduce((sum, account) => sum + account.owed, 0n);
  const cell = venue.funded.get("sys:interest") ?? [];
  const isPaid = (cell[assetId] ?? 0n) >= owed + (saved * rate) / ONE_E8;
  for (const saver of savers) {
    const due = saver.owed + (saver.units * rate) / ONE_E8;
    saver.owed = isPaid ? 0n : due < 2n ** 63n ? due : 2n ** 63n - 1n;
    if (!isPaid) continue;
    saver.units += due;
    cell[assetId] = (cell[assetId] ?? 0n) - due;
    venue.funded.set("sys:interest", cell);
  }
}

/** Few, so that savings meet rates and funds. */
function currency({ random }: Draw): string {
  return random.pick(random.chance(80) ? ASSETS.slice(0, 2) : ASSETS);
}

function amountOf({ settings, random }: Draw, part = 1n): string {
  return formatDecimal((settings.funds * BigInt(random.whole(0, 120))) / (100n * part), settings.scale);
}
