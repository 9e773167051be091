import assert from "node:assert/strict";
import { test } from "node:test";
import type { Field } from "../request/rules.ts";
import type { MarketPrinter } from "./market-printer.ts";
import { recordPrinter, UNIT_TEXTS } from "./record-printer.ts";

const NO_MARKET = {} as MarketPrinter;

function field(name: string, type: string, more: Partial<Field> = {}): Field {
  return { name, type, nullable: false, meaning: "", ...more };
}

const SHAPE = {
  fields: { orderId: "id", clientId: "text", makerFeeRateE8: "rateE8", createdAt: "ms" },
  units: UNIT_TEXTS,
  others: {
    version: 2,
    source: "api",
    feeAsset: (row: { readonly fee?: string }) => row.fee ?? null,
    stopId: (_row: unknown, _printer: unknown, stopId: number) => stopId,
  },
} as const;

test("a record is told in the order of its contract, each field as its type is written in JSON", () => {
  const fields = [
    field("source", "string"),
    field("id", "int", { of: "orderId" }),
    field("maker_fee", "decimal", { of: "makerFeeRateE8" }),
    field("version", "int"),
    field("fee_asset", "string", { nullable: true }),
    field("client_id", "string"),
    field("ctime", "float", { of: "createdAt" }),
    field("stop_id", "int"),
  ];
  const print = recordPrinter<{ readonly fee?: string }, number>({ fields }, SHAPE);
  const row = { orderId: 7, clientId: "a", makerFeeRateE8: 200_000, createdAt: 1.5 };
  const told = '{"source":"api","id":7,"maker_fee":"0.002","version":2,"fee_asset":';
  const rest = ',"client_id":"a","ctime":1.5,"stop_id":9}';
  assert.equal(print(row as object, NO_MARKET, 9), `${told}null${rest}`);
  assert.equal(print({ ...row, fee: "USDT" }, NO_MARKET, 9), `${told}"USDT"${rest}`);
});

test("a field of which nothing says where it comes from ends the program where it starts", () => {
  for (const unknown of [field("left", "decimal"), field("order_id", "int", { of: "constructor" })]) {
    assert.throws(() => recordPrinter({ fields: [field("order_id", "int"), unknown] }, { ...SHAPE, others: {} }), {
      message: /^Nothing says what "\w+" is, which the contract shows as \w+\.$/,
    });
  }
});

test("a unit that the surface does not show ends the program where it starts", () => {
  const shape = { ...SHAPE, fields: { left: "asked" } } as const;
  assert.throws(() => recordPrinter({ fields: [field("left", "decimal")] }, shape), /"left"/);
});
