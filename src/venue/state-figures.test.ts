import assert from "node:assert/strict";
import { test } from "node:test";
import { marginVenue } from "../../test/support/margin-venue.ts";
import { MetricsRegistry } from "./metrics.ts";
import { registerStateFigures } from "./state-figures.ts";

test("figures tell how many loans run in a margin market, what its fund holds, and what is owed when nobody can pay", () => {
  const venue = marginVenue();
  const registry = new MetricsRegistry();
  registerStateFigures(registry, venue.state);
  const shown = () => [...registry.text().matchAll(/^bourse_margin_.*$/gm)].map(([line]) => line).sort();
  const ann = venue.addUser("ann", { BTC: "0.5" });
  venue.transfer(ann, "BTC", "0.5");
  venue.borrow(ann, "USDT", "1000");
  venue.accept({ kind: "transfer_margin", userId: ann, market: "BTCUSDT", ccy: "USDT", amount: "1000", isIn: false });
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "BTC", amount: "2", note: "" });
  assert.deepEqual(shown(), [
    'bourse_margin_debt{ccy="BTC"} 0',
    'bourse_margin_debt{ccy="USDT"} 0',
    'bourse_margin_insurance_fund{ccy="BTC"} 2',
    'bourse_margin_insurance_fund{ccy="USDT"} 0',
    'bourse_margin_loans{market="BTCUSDT",market_type="SPOT"} 1',
  ]);
  venue.changeMarket("BTCUSDT", { delistedAt: venue.timeMs + 1_000 });
  venue.wait(1_000);
  assert.deepEqual(shown(), ['bourse_margin_debt{ccy="USDT"} 1000.0375', 'bourse_margin_insurance_fund{ccy="USDT"} 0']);
});
