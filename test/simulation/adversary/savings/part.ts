import { cellKey } from "../../../../src/engine/ledger/cell.ts";
import { SAVINGS_CELL } from "../../../../src/engine/savings/codes.ts";
import { Interest } from "../laws/interest.ts";
import type { Kept, PlayPart } from "../play-part.ts";
import type { Stage } from "../stage.ts";
import { worthOf } from "../worth.ts";
import { saver } from "./saver.ts";

/** Savings that operators keep for users, in plays that are about them, with credit and a chain beside them. */
export const savings: PlayPart = {
  name: "savings",
  strategies: [saver],
  laws: [(court) => new Interest(court)],
  forItsOwn: () => [
    { kind: "deposit", cell: "sys:interest", ccy: "USDT", amount: "100000", note: "" },
    { kind: "deposit", cell: "sys:interest", ccy: "BTC", amount: "2", note: "" },
    { kind: "set_savings_rate", ccy: "USDT", dailyRate: "0.001" },
    { kind: "set_savings_rate", ccy: "BTC", dailyRate: "0.0005" },
    { kind: "deposit", cell: "sys:credit_pool", ccy: "USDT", amount: "1000000", note: "" },
    { kind: "set_inter_transfer", ccy: "USDT", enabled: true },
    { kind: "set_inter_transfer", ccy: "BTC", enabled: true },
  ],
  accounts: saved,
};

function* saved(stage: Stage, userId: number): Generator<Kept> {
  const { assets, ledger } = stage.state;
  for (const { id } of assets) {
    const cell = ledger.find(cellKey(SAVINGS_CELL.financial, userId, id));
    if (cell >= 0) yield { equity: worthOf(stage, id, ledger.available(cell)) };
  }
}
