import { creditOf } from "../../../../src/engine/credit/credit-state.ts";
import { interestDue } from "../../../../src/engine/credit/loan.ts";
import type { Kept, PlayPart } from "../play-part.ts";
import type { Stage } from "../stage.ts";
import { worthOf } from "../worth.ts";
import { line } from "./line.ts";

/** Money that operators lend, in plays that are about it. */
export const credit: PlayPart = {
  name: "credit",
  strategies: [line],
  laws: [],
  forItsOwn: () => [
    { kind: "deposit", cell: "sys:credit_pool", ccy: "USDT", amount: "1000000", note: "" },
    { kind: "deposit", cell: "sys:credit_pool", ccy: "BTC", amount: "20", note: "" },
    { kind: "set_inter_transfer", ccy: "USDT", enabled: true },
    { kind: "set_inter_transfer", ccy: "BTC", enabled: true },
  ],
  accounts: owed,
};

function* owed(stage: Stage, userId: number): Generator<Kept> {
  const { state } = stage;
  for (const loan of creditOf(state).loansOf(userId)) {
    const units = loan.principal + interestDue(loan, state.timeMs);
    yield { equity: -worthOf(stage, loan.assetId, units), isBacked: true };
  }
}
