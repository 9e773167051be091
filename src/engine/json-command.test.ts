import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/runs.ts";
import { bitcoinVenue, type Venue } from "../../test/support/venue.ts";
import { type Command, encodeJson, type JsonCommand } from "./command.ts";
import { refusalIn } from "./engine.ts";
import { checkInvariants } from "./invariants.ts";
import type { Refusal } from "./refusal.ts";
import { takeSnapshot } from "./snapshot.ts";
import { WordBuffer } from "./words.ts";

/** One sound command of every kind, with every field that it may have. */
const SOUND: readonly JsonCommand[] = [
  {
    kind: "list_asset",
    ccy: "ETH",
    fullName: "Ether",
    scale: 10,
    maxUnits: "1000",
    websiteUrl: "https://example.com",
    whitePaperUrl: "",
    isSt: false,
    interTransferEnabled: true,
    chains: [
      {
        chain: "ETH",
        minDepositAmount: "0.1",
        minWithdrawAmount: "0.1",
        depositEnabled: true,
        withdrawEnabled: true,
        depositDelayMinutes: 0,
        safeConfirmations: 1,
        irreversibleConfirmations: 2,
        deflationRate: "0",
        withdrawalFee: "0.01",
        withdrawalPrecision: 8,
        memo: "",
        isMemoRequiredForDeposit: false,
        explorerAssetUrl: "",
        identity: "",
      },
    ],
    actor: "operator",
  },
  {
    kind: "list_market",
    market: "USDTBTC",
    baseCcy: "USDT",
    quoteCcy: "BTC",
    amountPrecision: 2,
    pricePrecision: 6,
    minAmount: "1",
    maxAmount: "1000",
    maxPrice: "1000",
    makerFeeRate: "0",
    takerFeeRate: "0",
    onlineAt: 0,
    delistedAt: 0,
    apiTradingAvailable: true,
    preMarketTradingAvailable: false,
    suspended: false,
    indexSources: [{ exchange: "one", weight: "1" }],
  },
  {
    kind: "change_market",
    market: "BTCUSDT",
    minAmount: "0.1",
    maxAmount: "10",
    maxPrice: "1000",
    makerFeeRate: "0",
    takerFeeRate: "0",
    onlineAt: 0,
    delistedAt: 0,
    apiTradingAvailable: true,
    preMarketTradingAvailable: false,
    suspended: false,
    indexSources: [{ exchange: "one", weight: "1" }],
  },
  { kind: "create_user", name: "third", mainUserId: 1 },
  { kind: "change_user", userId: 1, frozen: false, tradeBarred: false, makerFeeRate: "0", takerFeeRate: null },
  { kind: "change_user", userId: 1, feeLevel: "vip" },
  { kind: "set_fee_level", level: "new", makerFeeRate: "0", takerFeeRate: "0.1" },
  { kind: "delete_fee_level", level: "vip" },
  { kind: "set_fee_deduction", ccy: null, discountRate: "0.1" },
  {
    kind: "create_api_key",
    userId: 1,
    accessId: "new",
    secretCipher: "opaque",
    permissions: ["read"],
    ipWhitelist: ["10.0.0.1"],
    expiredAt: 0,
    remark: "",
  },
  { kind: "delete_api_key", accessId: "key" },
  { kind: "deposit", userId: 1, ccy: "BTC", amount: "1", note: "" },
  { kind: "deposit", cell: "sys:lend_pool", ccy: "BTC", amount: "1", note: "" },
  { kind: "adjust_balance", userId: 1, ccy: "BTC", amount: "1", note: "why" },
  { kind: "set_index_prices", market: "BTCUSDT", sources: [{ exchange: "one", price: "1", weight: "1" }] },
  { kind: "hold_index", untilMs: 1_000 },
  {
    kind: "import_candles",
    market: "BTCUSDT",
    periodS: 1,
    candles: [{ startS: 0, open: "1", high: "2", low: "1", close: "2", volume: "0", value: "0" }],
  },
  { kind: "set_cancel_only", cancelOnly: true, reason: "" },
  { kind: "note", text: "for people" },
  {
    kind: "plan_maintenance",
    scope: ["SPOT", "ALL_SITE"],
    startedAt: 5_000,
    endedAt: 6_000,
    protectDurationStart: 6_000,
    protectDurationEnd: 7_000,
    announceUrl: "https://example.com",
    announceEnabled: true,
  },
  { kind: "cancel_maintenance", maintenanceId: 1 },
];

/** Values of every JSON type, among them those whose conversion to text or number throws. */
const ODD: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 1e300, -0, "", "1", "0x1", "\ud800", "__proto__", "x".repeat(5_000)],
  ...[
    [],
    [null],
    ["BTC"],
    [[]],
    {},
    { toString: 1, valueOf: 1 },
    { length: 3 },
    { __proto__: null },
    [{ toString: null }],
  ],
];

test("a command with everything it may have is accepted", () => {
  for (const command of SOUND) newVenue().accept(command);
});

test("a field of any other type, at any depth, is refused or understood, and never makes the engine throw", () => {
  for (const command of SOUND) {
    const venue = newVenue();
    for (const broken of [...withOddField(command), ...withoutField(command)]) applyJson(venue, broken);
  }
});

test("what is no command at all is refused", () => {
  const venue = newVenue();
  for (const value of [...ODD, ...["toString", "__proto__", "place_order", 5].map((kind) => ({ kind }))]) {
    assert.equal(applyJson(venue, value), "invalid_command", JSON.stringify(value));
  }
});

test("wrong types are named in the refusal", () => {
  const venue = newVenue();
  const refused = (command: unknown) => venue.execute(command as Command).detail;
  assert.equal(
    refused({ kind: "deposit", userId: 1, ccy: "BTC", amount: 1, note: "" }),
    "amount must be a decimal as a string.",
  );
  assert.equal(
    refused({ kind: "deposit", userId: 1.5, ccy: "BTC", amount: "1", note: "" }),
    "userId must be a whole number.",
  );
  assert.equal(
    refused({ kind: "deposit", userId: 1, ccy: "BTC", amount: "1" }),
    "note must be a string of at most 4096 characters.",
  );
  assert.equal(refused({ kind: "nothing" }), "There is no such command.");
});

test("no JSON value whatever makes the engine throw", () => {
  const kinds = fc.constantFrom(...SOUND.map(({ kind }) => kind));
  const fields = fc.constantFrom(...new Set(SOUND.flatMap((command) => Object.keys(command))));
  const value = fc.oneof(fc.constantFrom(...ODD, "BTC", "BTCUSDT", "0.1", 1), fc.jsonValue());
  fc.assert(
    fc.property(kinds, fc.dictionary(fields, value, { maxKeys: 12 }), (kind, dictionary) => {
      applyJson(newVenue(), { ...dictionary, kind });
    }),
    runs(300),
  );
});

/** Every copy of `value` in which one thing, at any depth, is something odd. */
function* withOddField(value: unknown): Generator<unknown> {
  yield* ODD;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) for (const odd of withOddField(item)) yield value.with(at, odd);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      if (name !== "kind") for (const odd of withOddField(field)) yield { ...value, [name]: odd };
    }
  }
}

function* withoutField(value: object): Generator<unknown> {
  for (const name of Object.keys(value)) yield { ...value, [name]: undefined };
}

/** Applies a record of any JSON value, as the log might hold it; a refused one must leave no trace. */
function applyJson({ engine, state }: Venue, value: unknown): Refusal | undefined {
  const record = new WordBuffer(64);
  encodeJson(record, value);
  const before = takeSnapshot(state);
  // A market may have been told to leave at a time that is past; it does so at the next command, whatever that is.
  const isQuiet = state.nextDueMs > state.timeMs;
  engine.events.clear();
  const refusal = refusalIn(engine.apply(record, 0, state.seq + 1, state.timeMs));
  assert.deepEqual(checkInvariants(state), []);
  if (refusal !== undefined && isQuiet) assert.deepEqual([takeSnapshot(state), engine.events.length], [before, 0]);
  return refusal;
}

function newVenue(): Venue {
  const venue = bitcoinVenue();
  venue.addUser("first");
  venue.addUser("second");
  venue.accept({ kind: "set_fee_level", level: "vip", makerFeeRate: "0", takerFeeRate: "0" });
  venue.accept({
    ...(SOUND.find(({ kind }) => kind === "create_api_key") as JsonCommand),
    accessId: "key",
  } as JsonCommand);
  venue.accept(SOUND.find(({ kind }) => kind === "plan_maintenance") as JsonCommand);
  return venue;
}
