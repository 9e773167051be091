/**
 * What refusals were decided by, provoked over HTTP one by one: funds, limits, precision, bounds of prices, leverage,
 * risk.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PARTS, REFUSAL_ROWS } from "../../src/gateway/parts.ts";
import type { WireRefusal } from "../../src/gateway/refused.ts";
import type { ApiClient } from "../support/api-client.ts";
import { CHAIN } from "../support/payments-venue.ts";
import { ApiVenue, contract, limitOrder, listFutures, marketOrder } from "../support/served-venue.ts";
import { marketOf } from "../support/venue.ts";

const FUTURES = { market: "BTCUSDT", market_type: "FUTURES" };
const ORDER = "/v2/spot/order";
const STOP = "/v2/spot/stop-order";
const FUTURES_ORDER = "/v2/futures/order";
const BORROW = "/v2/assets/margin/borrow";
const TRANSFER = "/v2/assets/transfer";
const WITHDRAW = "/v2/assets/withdraw";
const ADD = "/v2/assets/amm/add-liquidity";

const stop = (trigger: string, price = "30000") => ({ ...limitOrder("buy", "0.01", price), trigger_price: trigger });
const borrow = (amount: string, ccy = "USDT") => ({
  ...{ market: "BTCUSDT", ccy, borrow_amount: amount, is_auto_renew: false },
});
const withdrawal = (amount: string) => ({
  ...{ ccy: "BTC", chain: "TEST", to_address: "Z9", amount, withdraw_method: "on_chain" },
});
const liquidity = (base: string, quote: string) => ({
  ...{ market: "DSCUSDT", base_ccy_amount: base, quote_ccy_amount: quote },
});

type Who = "rich" | "poor" | "creditor" | "trader";

/** What is refused, to whom, on which request, and the figures that go with it. */
const ROWS: readonly (readonly [refusal: WireRefusal, who: Who, path: string, body: object, figures: RegExp])[] = [
  [
    "insufficient_balance",
    "poor",
    ORDER,
    limitOrder("buy", "1", "100"),
    /available=3\.0+; needed=100\.0+; account=SPOT/,
  ],
  [
    "insufficient_balance",
    "poor",
    FUTURES_ORDER,
    contract("buy", "1", "30000"),
    /available=0\.0+; needed=.*account=FUTURES/,
  ],
  [
    "insufficient_balance",
    "poor",
    TRANSFER,
    { from_account_type: "FUTURES", to_account_type: "SPOT", ccy: "USDT", amount: "7" },
    /available=0\.0+; needed=7; account=FUTURES/,
  ],
  [
    "insufficient_balance",
    "rich",
    TRANSFER,
    { from_account_type: "MARGIN", to_account_type: "SPOT", market: "BTCUSDT", ccy: "USDT", amount: "999999" },
    /available=10000\.0+; needed=999999; account=MARGIN/,
  ],
  ["amount_off_grid", "rich", ORDER, limitOrder("buy", "0.00000001", "30000"), /decimals=6/],
  ["amount_too_small", "rich", ORDER, limitOrder("buy", "0.000001", "30000"), /amount=0\.000001; min_amount=0\.0001/],
  ["amount_too_large", "rich", ORDER, limitOrder("buy", "99999999", "30000"), /max_amount=\d/],
  [
    "display_too_small",
    "rich",
    "/v2/ext/spot/iceberg-order",
    { ...limitOrder("buy", "1", "20000"), display_amount: "0.01" },
    /min_amount=0\.0001\d*; most_parts=20/,
  ],
  ["price_off_grid", "rich", ORDER, limitOrder("buy", "1", "30000.001"), /tick=0\.01; decimals=2/],
  ["price_too_high", "rich", ORDER, limitOrder("buy", "1", "99999999999"), /max_price=\d/],
  ["price_far_from_latest", "rich", ORDER, limitOrder("buy", "1", "999999"), /index=30000\.00; .*most_percent=150/],
  ["no_counter_orders", "rich", ORDER, { ...marketOrder("buy", "10"), market: "ETHUSDT" }, /best_opposite=none/],
  [
    "would_take",
    "rich",
    ORDER,
    limitOrder("buy", "1", "30010", { type: "maker_only" }),
    /price=30010\.00; best_opposite=30010\.00/,
  ],
  ["not_fillable", "rich", ORDER, limitOrder("buy", "90", "30010", { type: "fok" }), /within_price=2\.0+/],
  ["trigger_off_grid", "rich", STOP, stop("30000.001"), /decimals=2/],
  ["trigger_too_high", "rich", STOP, stop("99999999999"), /max_price=\d/],
  ["price_far_from_trigger", "rich", STOP, stop("10000", "30000"), /trigger_price=10000\.00; price=30000\.00/],
  ["leverage_not_offered", "rich", "/v2/futures/adjust-position-leverage", leverage(7), /offered=1 /],
  ["position_limit", "rich", FUTURES_ORDER, contract("buy", "99", "30000"), /largest=\d/],
  ["no_position", "rich", "/v2/futures/close-position", { ...FUTURES, type: "market" }, /long=0.*short=0/],
  ["buy_far_from_mark", "rich", FUTURES_ORDER, contract("buy", "0.01"), /mark=30000\.00; .*best_opposite=39000\.00/],
  [
    "exit_fires_at_once",
    "trader",
    "/v2/futures/set-position-stop-loss",
    { ...FUTURES, stop_loss_type: "mark_price", stop_loss_price: "31000" },
    /trigger_price=31000; trigger_price_type=mark_price; .*mark_price=30000\.00/,
  ],
  ["loan_too_small", "rich", BORROW, borrow("1"), /min_amount=10\.0+; .*why=A loan|min_amount=10\.0+/],
  ["loan_too_large", "rich", BORROW, borrow("60000"), /max_amount=50000\.0+/],
  ["lending_pool_short", "rich", BORROW, borrow("6", "BTC"), /lending_pool=5\.0+/],
  ["loan_exceeds_worth", "rich", BORROW, borrow("50000"), /most_by_worth=40000\.0+; .*leverage=5/],
  ["liquidity_too_small", "rich", ADD, liquidity("100", "7.65"), /worth_usd=15\.\d+; min_usd=200\.0+/],
  ["liquidity_locked", "rich", "/v2/assets/amm/remove-liquidity", { market: "DSCUSDT" }, /added_at=\d+; free_at=\d+/],
  ["withdrawal_too_small", "rich", WITHDRAW, withdrawal("0.001"), /min_amount=0\.01/],
  ["withdrawal_precision", "rich", WITHDRAW, withdrawal("0.12345678"), /decimals=6/],
  ["withdrawal_limit", "rich", WITHDRAW, withdrawal("3"), /left_today=2\.0+/],
  ["credit_trade_risk", "creditor", ORDER, limitOrder("buy", "0.01", "20000"), /risk_rate=\d.*; trade_above=90\.0+/],
  [
    "credit_withdrawal_risk",
    "creditor",
    WITHDRAW,
    withdrawal("0.5"),
    /debt_usd=\d.*; withdraw_above=100\.0+; withdrawable_usd=0\.0+/,
  ],
];

function leverage(times: number) {
  return { ...FUTURES, margin_mode: "cross", leverage: times };
}

describe("figures of refusals", () => {
  let venue: ApiVenue;
  const clients = new Map<Who, ApiClient>();
  const client = (who: Who) => clients.get(who) as ApiClient;

  before(async () => {
    venue = await ApiVenue.open();
    await venue.operate({ kind: "list_asset", ccy: "BTC", scale: 8, chains: [CHAIN] });
    await venue.listAssets("USDT", "ETH", "DSC", "USD");
    await venue.operate(marketOf("BTC", "USDT"));
    await venue.operate({ ...marketOf("ETH", "USDT"), minAmount: "0.001" });
    const grid = { amountPrecision: 2, pricePrecision: 6, minAmount: "0.01", maxAmount: "10000000" };
    await venue.operate({ ...marketOf("DSC", "USDT"), ...grid });
    await venue.operate({ kind: "set_pool", market: "DSCUSDT", type: "infinite" });
    await listFutures(venue);
    for (const [market, price] of [
      ["BTCUSDT", "30000"],
      ["DSCUSDT", "0.0765"],
    ] as const) {
      await venue.operate({ kind: "set_index_prices", market, sources: [{ exchange: "alpha", price }] });
    }
    for (const [cell, ccy, amount] of [
      ["sys:lend_pool", "USDT", "1000000"],
      ["sys:lend_pool", "BTC", "5"],
      ["sys:credit_pool", "USDT", "5000"],
    ] as const) {
      await venue.operate({ kind: "deposit", cell, ccy, amount, note: "" });
    }
    const loans = [
      { ccy: "USDT", minAmount: "10", maxAmount: "50000", dailyInterestRate: "0.0009" },
      { ccy: "BTC", minAmount: "0.001", maxAmount: "10", dailyInterestRate: "0.0005" },
    ];
    await venue.operate({ kind: "set_margin_market", market: "BTCUSDT", leverage: 5, loans });
    await venue.operate({ kind: "set_withdraw_limit", ccy: "BTC", amount: "2" });
    await venue.operate({ kind: "set_credit_terms", withdrawalRisk: "100", tradeRisk: "90" });

    const funds = { USDT: "90000000", BTC: "1000", DSC: "2000000" };
    for (const [who, has] of [
      ["rich", funds],
      ["poor", { USDT: "3" }],
      ["creditor", { USDT: "5000", BTC: "2" }],
      ["trader", { USDT: "5000" }],
    ] as const) {
      const { userId } = await venue.addUser(who, has);
      clients.set(who, await venue.addKey(userId, ["read", "trade", "withdraw"]));
      await venue.operate({
        kind: "allow_withdraw_address",
        userId,
        chain: "TEST",
        address: "Z9",
        memo: "",
        remark: "",
      });
      if (who === "poor") continue;
      const amount = who === "rich" ? "50000000" : "4000";
      await venue.operate({ kind: "transfer", userId, from: "SPOT", to: "FUTURES", ccy: "USDT", amount });
    }
    const maker = await venue.addTrader("maker", { USDT: "1000000" });
    await venue.operate({ kind: "deposit", userId: maker.userId, ccy: "BTC", amount: "10", note: "" });
    await maker.client.act(FUTURES_ORDER, contract("sell", "0.1", "30000"));
    await client("trader").act(FUTURES_ORDER, contract("buy", "0.1", "30000"));
    await maker.client.act(FUTURES_ORDER, contract("sell", "0.1", "39000"));
    await maker.client.act(ORDER, limitOrder("sell", "2", "30010"));
    const toMargin = { from_account_type: "SPOT", to_account_type: "MARGIN", market: "BTCUSDT" };
    await client("rich").act(TRANSFER, { ...toMargin, ccy: "USDT", amount: "10000" });
    await client("rich").act(FUTURES_ORDER, contract("buy", "99", "29000"));
    await client("rich").act(ADD, liquidity("100000", "7650"));
    const userId = venue.engine.state.users.byName.get("creditor") as number;
    await venue.operate({
      kind: "grant_credit",
      userId,
      ccy: "USDT",
      amount: "1500",
      note: "a line",
      dailyRate: "0.0024",
    });
  });
  after(() => venue.close());

  for (const [refusal, who, path, body, figures] of ROWS) {
    test(`${refusal} of ${path} tells what decided`, async () => {
      const answer = await client(who).fetch("POST", path, JSON.stringify(body));
      const reason = answer.headers.get("x-bourse-reason") ?? "";
      assert.ok(
        reason.startsWith(`${REFUSAL_ROWS[refusal].rule}; refusal=${refusal}; `),
        `${reason} ${await answer.text()}`,
      );
      assert.match(reason, figures);
    });
  }
});

/**
 * Decided by what there is, what it is called or who asks, not by a figure: there is nothing to tell beyond the
 * sentence.
 */
const WITHOUT_FIGURES: readonly WireRefusal[] = [
  "invalid_command",
  "venue_cancel_only",
  "market_not_found",
  "invalid_listing",
  "already_listed",
  "maintenance_not_found",
  "account_frozen",
  "trade_barred",
  "user_not_found",
  "fee_level_not_found",
  "key_not_found",
  "name_taken",
  "asset_not_found",
  "cell_not_found",
  "transfer_not_possible",
  "margin_not_available",
  "market_order_price",
  "pool_not_found",
  "quotes_held",
  "pool_in_use",
  "no_liquidity",
  "margin_account_missing",
  "loan_not_offered",
  "loan_not_found",
  "chain_not_found",
  "address_not_found",
  "address_taken",
  "address_superseded",
  "address_unused",
  "deposits_closed",
  "deposit_not_found",
  "deposit_buried",
  "deposit_status",
  "withdrawals_closed",
  "withdrawals_halted",
  "withdrawals_not_halted",
  "withdrawal_not_found",
  "withdrawal_status",
  "withdraw_address_not_allowed",
  "memo_required",
  "own_address",
  "sub_account_withdrawal",
  "chain_unavailable",
  "counterparty_not_found",
  "payment_differs",
  "nonce_taken",
  "payment_not_due",
  "chain_not_simulated",
  "seed_kept",
  "savings_behind",
  "not_a_main_account",
  "sub_account_not_found",
  "sub_api_not_granted",
  "sub_account_frozen_by_operator",
  "credit_not_found",
  "no_usd_price",
  "refer_code_not_found",
  "refer_code_taken",
  "already_referred",
  "refers_in_a_circle",
  "identity_not_found",
  "email_taken",
  "session_unknown",
  "second_factor_missing",
  "second_factor_wrong",
  "passkey_not_found",
  "password_missing",
];

/** Their sentence has the bound, and stands in the reason as `why`. */
const BY_THEIR_SENTENCE: readonly WireRefusal[] = [
  "chain_funds_short",
  "custody_limit",
  "rebate_too_high",
  "reversible_deposit",
  "too_many_passkeys",
  "withdraw_barred",
];

test("a sentence of the engine stands in the reason beside the figures", async (t) => {
  const venue = await ApiVenue.open({ rates: {} });
  t.after(() => venue.close());
  await venue.listAssets("USDT");
  const { client } = await venue.addUser("ann", { USDT: "1" });
  const body = { from_account_type: "SPOT", to_account_type: "FUTURES", ccy: "USDT", amount: "1" };
  const refused = await client.fetch("POST", TRANSFER, JSON.stringify(body));
  assert.match(
    refused.headers.get("x-bourse-reason") ?? "",
    /^6\.4; refusal=transfer_not_possible; .*; amount=1; why=no futures market settles in USDT\.$/,
  );
  let reason: string | null = null;
  for (let request = 0; request < 1_000 && reason === null; request++) {
    reason = (await client.fetch("GET", "/v2/assets/spot/balance")).headers.get("x-bourse-reason");
  }
  assert.match(reason ?? "", /^9; refusal=(address_)?rate_limited; .*limit=\d+/);
});

test("every refusal of a part either has figures or is known to be decided without", () => {
  const withFigures = new Set(PARTS.flatMap(({ figures = {} }) => Object.keys(figures)));
  const all = PARTS.flatMap(({ refusals }) => Object.keys(refusals) as WireRefusal[]);
  const without = all.filter((name) => !withFigures.has(name));
  assert.deepEqual(without.toSorted(), [...WITHOUT_FIGURES, ...BY_THEIR_SENTENCE].toSorted());
  assert.deepEqual(
    [...withFigures].filter((name) => !(name in REFUSAL_ROWS)),
    [],
    "figures of nothing",
  );
});
