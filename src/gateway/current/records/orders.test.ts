/**
 * Orders under compat are printed as they are sent: the record as documented, read back and trimmed, is what must come
 * out.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderRecord } from "../../../engine/event.ts";
import type { State } from "../../../engine/state.ts";
import { Printers } from "../../reading/market-printer.ts";
import { loadContract } from "../contract.ts";
import { closeOrderText, orderListText, orderStatusText, orderText } from "./orders.ts";

const SPOT = { id: 0, name: "BTCUSDT", baseAssetId: 0, quoteAssetId: 1, amountPrecision: 8, pricePrecision: 2 };
const FUTURES = { ...SPOT, id: 1, amountPrecision: 4, futures: { settleAssetId: 1 } };
const STATE = {
  assets: [
    { ccy: "BTC", scale: 8 },
    { ccy: "USDT", scale: 8 },
  ],
  markets: [SPOT, FUTURES],
  deduction: { chargedAssetId: 1 },
} as unknown as State;

const ORDER = {
  orderId: 13_400,
  userId: 7,
  account: "spot",
  side: "buy",
  type: "limit",
  clientId: "a-10.00",
  status: "open",
  positionSide: "long",
  createdAt: 1_750_000_000_100,
  updatedAt: 1_750_000_000_200,
} as const;

/** Amounts, prices and fees that end in zeros, in the point, or in neither. */
const UNITS = [0n, 1n, 10n, 12_300n, 100_000_000n, 120_000_000n, 123_456_789n, 2_900_000n, 10n ** 18n];

function ordersOf(marketId: number): OrderRecord[] {
  return UNITS.flatMap((units, at) =>
    [0n, units].map((filled): OrderRecord => {
      const other = UNITS[(at + 3) % UNITS.length] as bigint;
      const amounts = { amount: units, left: other, filledLots: filled, filledValue: other, price: other };
      const fees = { baseFee: units, quoteFee: -other, discountFee: units, realizedPnl: -units };
      const rates = { makerFeeRateE8: 100_000, takerFeeRateE8: 200_000 };
      const last = { lastFilledLots: units, lastFilledPrice: other };
      const amountIn = at % 2 === 0 ? "base" : "quote";
      return { ...ORDER, marketId, amountIn, ...amounts, ...fees, ...rates, ...last } as unknown as OrderRecord;
    }),
  );
}

const contract = loadContract();

/** The documented record with its decimals trimmed and, on spot, the last fill spelled twice. */
function trimmed(text: string, record: string): object {
  const shown: Record<string, unknown> = {};
  const types = new Map(contract.records.get(record)?.fields.map(({ name, type }) => [name, type]));
  for (const [name, value] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
    assert.ok(types.has(name), `${record} has no ${name}.`);
    const isDecimal = types.get(name) === "decimal" && String(value).includes(".");
    shown[name] = isDecimal ? String(value).replace(/\.?0+$/, "") : value;
    if (name === "last_filled_price" && record.startsWith("Spot")) {
      shown["last_fill_amount"] = shown["last_filled_amount"];
      shown["last_fill_price"] = shown["last_filled_price"];
    }
  }
  return shown;
}

test("an order under compat is the documented one with trimmed decimals and, on spot, both spellings of the last fill", () => {
  const documented = new Printers(STATE);
  const live = new Printers(STATE, true);
  for (const [marketId, record, closes] of [
    [0, "SpotOrder", false],
    [1, "FuturesOrder", false],
    [1, "FuturesCloseOrder", true],
  ] as const) {
    const print = closes ? closeOrderText : orderText;
    for (const order of ordersOf(marketId)) {
      const expected = JSON.stringify(trimmed(print(documented, order), record));
      assert.equal(print(live, order), expected);
      if (closes) continue;
      assert.equal(orderListText(live, [order, order]), `[${expected},${expected}]`);
      assert.equal(orderStatusText(live, order), `${expected.slice(0, -1)},"status":"${order.status}"}`);
    }
  }
});
