import type { Command } from "../../../../src/engine/command.ts";
import { CELL, cellKey, fundableCell, fundableNames, VENUE } from "../../../../src/engine/ledger/cell.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import { compareBalance } from "../compare-records.ts";
import { ASSETS } from "../markets.ts";
import type { SpotPart } from "../part.ts";
import type { Settings } from "../settings.ts";
import { changeUser as changing, deposit as depositing } from "./actions.ts";
import { setFeeDeduction } from "./fees.ts";
import { adjust, changeUser, createUser, deleteFeeLevel, deposit, setFeeLevel } from "./people.ts";

/** Users, what they own, and what their trades cost them. Domain 2.6, 6 and 7. */
export const accounts: SpotPart = {
  name: "accounts",
  setup,
  actions: {
    deposit: { often: { usual: [2], crowd: [1] }, make: (draw) => ({ command: depositing(draw) }) },
    user: { often: { usual: [0, 2, 5] }, make: (draw) => ({ command: changing(draw) }) },
  },
  ofVenue: {
    create_user: createUser,
    change_user: changeUser,
    set_fee_level: setFeeLevel,
    delete_fee_level: deleteFeeLevel,
    set_fee_deduction: setFeeDeduction,
    deposit,
    adjust_balance: adjust,
  },
  compare: (state, model, differ) => {
    differ("users", state.users.count - 1, model.users.length);
    for (const { id, ccy } of model.assets) {
      const venueHolds = (kind: number) => {
        const cell = state.ledger.find(cellKey(kind, VENUE, id));
        return cell < 0 ? 0n : state.ledger.available(cell);
      };
      differ(`fees in ${ccy}`, venueHolds(CELL.fee), model.fees[id] ?? 0n);
      differ(`custody of ${ccy}`, state.ledger.custody(id), model.custody[id] ?? 0n);
      for (const cell of fundableNames()) {
        differ(cell, venueHolds(fundableCell(cell) as number), model.funded.get(cell)?.[id] ?? 0n);
      }
      for (const user of model.users) compareBalance(state, model.balance(user.id, id), differ);
    }
  },
  faults: [
    {
      name: "a fee is rounded in the user's favour",
      file: "money/rate.ts",
      code: "int64(int64(rest * rateE8) + 99_999_999n)",
      instead: "int64(rest * rateE8)",
    },
    {
      name: "a deducted fee is rounded in the user's favour",
      file: "spot/deduct.ts",
      code: "divCeil(dividend, RATE_ONE",
      instead: "dividend / (RATE_ONE",
    },
    {
      name: "a deducted fee takes what the rest of a market order needs",
      from: 22,
      file: "spot/deduct.ts",
      code: "if (isMarketOrder(flags)) return trade.reserved;",
      instead: "if (isMarketOrder(flags)) return 0n;",
    },
    {
      name: "a snapshot forgets what an order has paid in deducted fees",
      file: "trading/orders-section.ts",
      code: "fills.setRow(fill, filled.i32, (at + 1) * 2);",
      instead: "fills.setRow(fill, filled.i32, (at + 1) * 2);\n    fills.setDiscountFee(fill, 0n);",
    },
  ],
};

/** In every fourth venue the second user and every other one after it are sub-accounts of the first. */
function setup({ seed, scale, users, funds, deductionCcy, deducting }: Settings): Command[] {
  const commands: Command[] = [];
  for (let user = 1; user <= users; user++) {
    const mainUserId = seed % 4 === 0 && user % 2 === 0 ? 1 : undefined;
    commands.push({ kind: "create_user", name: `user ${user}`, mainUserId });
    for (const ccy of ASSETS) {
      commands.push({ kind: "deposit", userId: user, ccy, amount: formatDecimal(funds, scale), note: "" });
    }
  }
  commands.push({ kind: "set_fee_deduction", ccy: deductionCcy });
  for (let user = 1; user <= (users * deducting) / 100; user++) {
    commands.push({ kind: "change_user", userId: user, feeDeduction: true });
  }
  return commands;
}
