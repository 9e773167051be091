/** Savings as operators handle them: the contract lets users only look. */
import { CELL } from "../../../engine/ledger/cell.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { type Savings, savings } from "../../../engine/savings/savings-state.ts";
import type { State } from "../../../engine/state.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, oneOf, optional, required, text, userId } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { rateText } from "../../reading/market-printer.ts";

const moveSavings = call({
  method: "POST",
  path: "/admin/savings",
  verbs: { "savings move": "Move money of a user between the spot account and savings, which bear interest." },
  fields: {
    user_id: required(userId, "whose money"),
    to: required(oneOf(["FINANCIAL", "SPOT"]), "FINANCIAL puts it into savings, SPOT takes it back"),
    ccy: required(text("CCY", 1, 20), "currency"),
    amount: required(decimal("AMOUNT"), "amount"),
    note: optional(text("TEXT", 0, 256), "why, for the log"),
  },
  mayBy: () => ["treasurer"],
  serve: (backend, { user_id, to, ccy, amount, note = "" }) =>
    execute(backend, { kind: "move_savings", userId: user_id, to, ccy, amount, note }, (result) => ({
      transfer_id: (result as { transferId: number }).transferId,
    })),
});

const listSavings = call({
  method: "GET",
  path: "/admin/savings",
  verbs: { "savings list": "Show what users have in savings, and what interest the venue owes them." },
  fields: { user_id: optional(userId, "those of this user"), ...pageFields },
  serve: ({ state }, values) =>
    pageOf("savings", rowsOf(savings.of(state), values.user_id), values, (row) => savingsOf(state, row)),
});

const setRate = call({
  method: "POST",
  path: "/admin/savings-rates",
  verbs: { "savings rate": "Set what savings of a currency earn a day, from the next midnight UTC on." },
  fields: {
    ccy: required(text("CCY", 1, 20), "currency"),
    daily_interest_rate: required(decimal("RATE"), "share of what lies there at 00:00 UTC; 0 for none"),
  },
  serve: (backend, { ccy, daily_interest_rate: dailyRate }) =>
    execute(backend, { kind: "set_savings_rate", ccy, dailyRate }, (result) => ({
      ccy,
      daily_interest_rate: (result as { dailyRate: string }).dailyRate,
    })),
});

const listRates = call({
  method: "GET",
  path: "/admin/savings-rates",
  verbs: {
    "savings rates": "Show what savings earn, what lies there, what the venue owes and what it has to pay it from.",
  },
  fields: {},
  serve: ({ state }) => ({
    savings_rates: [...savings.of(state).assets].map(([assetId, { dailyRateE8, saved, owed }]) => {
      const { ccy, scale } = state.assets[assetId] as Asset;
      return {
        ccy,
        daily_interest_rate: rateText(dailyRateE8),
        saved: formatDecimal(saved, scale),
        owed: formatDecimal(owed, scale),
        interest_cell: formatDecimal(state.ledger.heldByVenue(CELL.interest, assetId), scale),
      };
    }),
  }),
});

function* rowsOf({ accounts }: Savings, owner: number | undefined): Generator<number> {
  for (let row = 0; row < accounts.count; row++) {
    if (owner === undefined || accounts.userId(row) === owner) yield row;
  }
}

function savingsOf(state: State, row: number): object {
  const { accounts } = savings.of(state);
  const { ccy, scale } = state.assets[accounts.assetId(row)] as Asset;
  return {
    user_id: accounts.userId(row),
    ccy,
    available: formatDecimal(state.ledger.available(accounts.cell(row)), scale),
    owed: formatDecimal(accounts.owed(row), scale),
  };
}

export const SAVINGS_CALLS: readonly AdminCall[] = [moveSavings, listSavings, setRate, listRates];
