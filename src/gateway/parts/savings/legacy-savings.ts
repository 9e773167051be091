/** Savings in the legacy generation: /v1/account/investment/balance, /v1/investment/transfer/history */
import type { PostingKind } from "../../../engine/ledger/posting.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { SAVINGS_CELL } from "../../../engine/savings/codes.ts";
import { DAY_MS, savings } from "../../../engine/savings/savings-state.ts";
import type { State } from "../../../engine/state.ts";
import type { StatementLine } from "../../../history/statement/statement-queries.ts";
import type { Backend } from "../../backend.ts";
import { balancesIn } from "../../current/records/spot-balances.ts";
import type { LegacyHandlers } from "../../legacy/call.ts";
import { answerRecords } from "../../legacy/pages.ts";
import { seconds } from "../../legacy/records/time.ts";
import type { LegacyInvestmentOp, LegacyInvestmentTransfer } from "../../legacy/types.generated.ts";
import { NOTHING, rateText } from "../../reading/market-printer.ts";
import { linesOf } from "../wallet/statement.ts";

/** The statement lines that each word stands for: their kind, and whether they add to the savings or take from them. */
const LINES = {
  IN: { kind: "transfer", sign: 1 },
  OUT: { kind: "transfer", sign: -1 },
  INTEREST: { kind: "savings_interest", sign: 1 },
} as const satisfies Record<LegacyInvestmentOp, { kind: PostingKind; sign: 1 | -1 }>;

/** A user has one account for savings, which no call asks for by its id. */
const ACCOUNT_ID = 0;

export function legacySavingsHandlers(backend: Backend): LegacyHandlers {
  const { state } = backend;
  return {
    "GET /v1/account/investment/balance": (call) =>
      call.answer(
        balancesIn(state, SAVINGS_CELL.financial, call.caller.userId).map(({ ccy, available, frozen }) => ({
          asset: ccy,
          available,
          frozen,
          lock: NOTHING,
        })),
      ),

    "GET /v1/investment/transfer/history": async (call) => {
      const { userId } = call.caller;
      const { asset: ccy, op_type: op, ...asked } = call.params;
      const lines = op && LINES[op];
      const page = await linesOf(backend, {
        ...asked,
        ...{ userId, ccy, cells: ["financial"], sign: lines?.sign },
        kinds: lines === undefined ? Object.values(LINES).map(({ kind }) => kind) : [lines.kind],
      });
      answerRecords(call, page, (line) => JSON.stringify(transferOf(state, userId, line)));
    },
  };
}

/** Nobody keeps the rate of a day: it is told as it is now. */
function transferOf(state: State, userId: number, line: StatementLine): LegacyInvestmentTransfer {
  const { ccy, scale } = state.assets[line.assetId] as Asset;
  const time = seconds(line.createdAt);
  const isInterest = line.kind === LINES.INTEREST.kind;
  return {
    id: line.id,
    created_at: time,
    // All of it is done in one step.
    updated_at: time,
    success_at: time,
    // Interest that is paid at midnight, or as soon as it can be, is that of the days before.
    report_date: isInterest ? seconds(Math.floor(line.createdAt / DAY_MS) * DAY_MS - DAY_MS) : null,
    user_id: userId,
    investment_account_id: ACCOUNT_ID,
    asset: ccy,
    amount: formatDecimal(line.change < 0n ? -line.change : line.change, scale),
    opt_type: isInterest ? "INTEREST" : line.change < 0n ? "OUT" : "IN",
    day_rate: rateText(savings.of(state).assets.get(line.assetId)?.dailyRateE8 ?? 0),
    status: "SUCCESS",
  };
}
