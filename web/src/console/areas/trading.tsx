/** Pages about trading: what is traded, and what is on the books. */
import { isNegative, isZero } from "../../number/decimal.ts";
import { grouped } from "../../number/show.ts";
import type { Act, Area, Row } from "../area.ts";
import { amount, number, tag, text, time, user } from "../columns.tsx";
import { IndexSources } from "../index-sources.tsx";
import { ListingWizard } from "../listing-wizard.tsx";
import { changeFees, haltOrResume, named, nameOf } from "../tasks/market-tasks.tsx";

const STATUS_TONES = { online: "up", suspended: "warning", bidding: "warning", delisted: "down" } as const;

function marketActs(row: Row): Act[] {
  const call = "POST /admin/markets";
  const name = nameOf(row);
  const changing = { now: row, isChange: true };
  return [
    haltOrResume(row),
    changeFees(row),
    {
      word: "Change bounds",
      call,
      says: `How small and how large an order in ${name} may be. Orders that rest stay.`,
      fixed: named(row),
      ...changing,
      ask: ["min_amount", "max_amount", "max_price"],
      initial: { min_amount: row["min_amount"], max_amount: row["max_amount"], max_price: row["max_price"] },
    },
    {
      word: "Set times",
      call,
      says: `When ${name} opens, takes bids and leaves the list.`,
      fixed: named(row),
      ...changing,
      ask: ["bidding_at", "no_cancel_at", "online_at", "delisted_at"],
    },
    {
      word: "Change all terms",
      call,
      says: `Changes what is given of ${name}; all else stays as it is.`,
      fixed: named(row),
      ...changing,
    },
    { word: "Set index price", call: "POST /admin/index-prices", fixed: named(row) },
  ];
}

const markets: Area = {
  id: "markets",
  name: "Markets",
  group: "Trading",
  says: "What is traded: terms, times, and whether it takes orders.",
  lists: [
    {
      id: "markets",
      name: "Markets",
      path: "/admin/markets",
      rows: "markets",
      key: (row) => `${row["market"]} ${row["market_type"]}`,
      title: (row) => `${row["market"]}, ${String(row["market_type"]).toLowerCase()}`,
      one: (row) => `/admin/markets/${row["market"]}?market_type=${row["market_type"]}`,
      empty: "No market is listed. List assets first, then a market of two of them.",
      beatMs: 10_000,
      columns: [
        { name: "Market", cell: (row) => <b>{row["market"]}</b> },
        text("Kind", "market_type"),
        tag("Status", "market_status", STATUS_TONES),
        number("Last", "latest_price"),
        {
          name: "Index",
          isNumber: true,
          cell: (row) => (
            <>
              {row["index_stale"] === true && <span class="tag warning">stale</span>}{" "}
              {row["index_price"] == null ? "–" : grouped(row["index_price"])}
            </>
          ),
        },
        number("Maker fee", "maker_fee_rate", { isMinor: true }),
        number("Taker fee", "taker_fee_rate", { isMinor: true }),
        number("Minimum order", "min_amount", { isMinor: true }),
      ],
      acts: marketActs,
    },
  ],
};

const listing: Area = {
  id: "listing",
  name: "List a market",
  group: "Trading",
  says: "From the asset over its chains to the market, with what the venue asks for checked before anything is sent.",
  body: ListingWizard,
};

const assets: Area = {
  id: "assets",
  name: "Assets",
  group: "Trading",
  says: "What can be held: how much of it the venue has, and the chains on which it moves.",
  acts: [
    { word: "List an asset", call: "POST /admin/assets" },
    { word: "Open or change a chain", call: "POST /admin/asset-chains" },
  ],
  lists: [
    {
      id: "assets",
      name: "Assets",
      path: "/admin/assets",
      rows: "assets",
      isPaged: true,
      key: (row) => row["ccy"],
      title: (row) => row["ccy"],
      filters: [{ name: "ccy", word: "Currency" }],
      empty: "No asset is listed.",
      columns: [
        { name: "Currency", cell: (row) => <b>{row["ccy"]}</b> },
        text("Name", "full_name"),
        number("Decimals", "scale"),
        number("In custody", "custody"),
        text("Chains", "chains", { isMinor: true }),
        text("Specially treated", "is_st", { isMinor: true }),
      ],
      acts: (row) => [
        { word: "Open or change a chain", call: "POST /admin/asset-chains", fixed: { ccy: row["ccy"] } },
        {
          word: "Open or close transfers between users",
          call: "POST /admin/inter-transfers",
          fixed: { ccy: row["ccy"] },
        },
        {
          word: "Limit withdrawals",
          call: "POST /admin/withdraw-limits",
          fixed: { ccy: row["ccy"] },
        },
      ],
    },
  ],
};

const index: Area = {
  id: "index",
  name: "Index sources",
  group: "Trading",
  says: "Where the index of each market comes from, how old each word is, and how far it lies from the others.",
  body: IndexSources,
};

const orders: Area = {
  id: "orders",
  name: "Orders",
  group: "Trading",
  says: "What rests in the books now, whosever it is.",
  lists: [
    {
      id: "orders",
      name: "Orders",
      path: "/admin/orders",
      rows: "orders",
      isPaged: true,
      key: (row) => String(row["order_id"]),
      explains: "order",
      title: (row) => `Order ${row["order_id"]}`,
      filters: [
        { name: "user_id", word: "User" },
        { name: "market", word: "Market" },
        { name: "side", word: "Side", choices: ["buy", "sell"] },
      ],
      empty: "No order rests, or none that fits.",
      columns: [
        text("Order", "order_id"),
        user(),
        { name: "Market", cell: (row) => <b>{row["market"]}</b> },
        text("Kind", "market_type", { isMinor: true }),
        tag("Side", "side", { buy: "up", sell: "down" }),
        number("Price", "price"),
        number("Left", "unfilled_amount"),
        number("Amount", "amount", { isMinor: true }),
        time("Since", "created_at", { isMinor: true }),
      ],
    },
  ],
};

const USER_ACCOUNT = [
  { name: "user_id", word: "User" },
  { name: "account", word: "Account", choices: ["spot", "margin", "futures"] },
  { name: "market", word: "Market" },
  { name: "side", word: "Side", choices: ["buy", "sell"] },
  { name: "from", word: "From", isTime: true },
  { name: "to", word: "To", isTime: true },
] as const;

const past: Area = {
  id: "past",
  name: "Deals and ended orders",
  group: "Trading",
  says: "What a user has traded, and what the venue has taken over. Of spot unless an account is chosen.",
  lists: [
    {
      id: "ended",
      name: "Ended orders",
      path: "/admin/finished-orders",
      rows: "orders",
      isPaged: true,
      needs: ["user_id"],
      asks: "Give a user: by name or number.",
      key: (row) => String(row["order_id"]),
      explains: "order",
      title: (row) => `Order ${row["order_id"]}`,
      filters: USER_ACCOUNT,
      empty: "No order of the user ended with a fill, or none that fits.",
      columns: [
        text("Order", "order_id"),
        { name: "Market", cell: (row) => <b>{row["market"]}</b> },
        tag("Side", "side", { buy: "up", sell: "down" }),
        text("Status", "status"),
        number("Price", "price"),
        number("Amount", "amount"),
        number("Filled", "filled_amount"),
        time("Ended", "updated_at", { isMinor: true }),
      ],
    },
    {
      id: "deals",
      name: "Deals",
      path: "/admin/deals",
      rows: "deals",
      isPaged: true,
      needs: ["user_id"],
      asks: "Give a user: by name or number.",
      key: (row) => String(row["deal_id"]),
      title: (row) => `Deal ${row["deal_id"]}`,
      filters: USER_ACCOUNT,
      empty: "The user has traded nothing, or nothing that fits.",
      columns: [
        text("Deal", "deal_id"),
        { name: "Market", cell: (row) => <b>{row["market"]}</b> },
        tag("Side", "side", { buy: "up", sell: "down" }),
        number("Price", "price"),
        number("Amount", "amount"),
        amount("Fee", "fee", "fee_ccy"),
        text("Role", "role", { isMinor: true }),
        text("Order", "order_id", { isMinor: true }),
        time("Time", "created_at"),
      ],
    },
    {
      id: "liquidations",
      name: "Liquidations",
      path: "/admin/liquidations",
      rows: "liquidations",
      isPaged: true,
      needs: ["market"],
      asks: "Give a futures market.",
      key: (row) => `${row["created_at"]} ${row["side"]} ${row["amount"]}`,
      title: (row) => `Liquidation in ${row["market"]}`,
      filters: [
        { name: "market", word: "Market" },
        { name: "from", word: "From", isTime: true },
        { name: "to", word: "To", isTime: true },
      ],
      empty: "The venue has taken over no position in this market, or none that fits.",
      columns: [
        time("Time", "created_at"),
        { name: "Market", cell: (row) => <b>{row["market"]}</b> },
        tag("Side", "side", { long: "up", short: "down" }),
        number("Amount", "amount"),
        number("Liquidation price", "liq_price"),
        number("Bankruptcy price", "bkr_price"),
      ],
    },
  ],
};

/** A position's gain in green, with its sign; its loss in red. */
function Gain(props: { of: string }) {
  const tone = () => (isZero(props.of) ? "" : isNegative(props.of) ? "down" : "up");
  return (
    <span class={tone()}>
      {tone() === "up" ? "+" : ""}
      {grouped(props.of)}
    </span>
  );
}

const positions: Area = {
  id: "positions",
  name: "Positions",
  group: "Trading",
  says: "What is open in futures, and how close it is to liquidation.",
  lists: [
    {
      id: "positions",
      name: "Positions",
      path: "/admin/positions",
      rows: "positions",
      isPaged: true,
      key: (row) => String(row["position_id"]),
      explains: "position",
      title: (row) => `Position ${row["position_id"]}`,
      filters: [
        { name: "user_id", word: "User" },
        { name: "market", word: "Market" },
      ],
      empty: "Nobody has a position, or none that fits.",
      columns: [
        text("Position", "position_id"),
        user(),
        { name: "Market", cell: (row) => <b>{row["market"]}</b> },
        tag("Side", "side", { long: "up", short: "down" }),
        number("Size", "open_interest"),
        number("Entry", "avg_entry_price"),
        {
          name: "Profit",
          title: "Unrealized, at the mark price",
          isNumber: true,
          cell: (row) => <Gain of={row["unrealized_pnl"]} />,
        },
        {
          name: "Liquidation",
          isNumber: true,
          isMinor: true,
          cell: (row) => (isZero(row["liq_price"]) ? <span class="quiet">–</span> : grouped(row["liq_price"])),
        },
        text("Margin", "margin_mode", { isMinor: true }),
        number("Leverage", "leverage", { isMinor: true }),
      ],
    },
  ],
};

const margin: Area = {
  id: "loans",
  name: "Loans and margin",
  group: "Trading",
  says: "What margin accounts have borrowed, what is lent, and to whom the venue gives credit.",
  acts: [
    { word: "Set a margin market", call: "POST /admin/margin-markets" },
    { word: "Give credit", call: "POST /admin/credit-loans" },
    { word: "Repay credit", call: "POST /admin/credit-repayments" },
    { word: "Set terms of credit", call: "POST /admin/credit-terms" },
  ],
  lists: [
    {
      id: "loans",
      name: "Loans of margin accounts",
      path: "/admin/loans",
      rows: "loans",
      isPaged: true,
      key: (row) => String(row["borrow_id"] ?? row["loan_id"]),
      title: () => "Loan",
      filters: [
        { name: "user_id", word: "User" },
        { name: "market", word: "Market" },
        { name: "status", word: "Status", choices: ["loan", "debt"] },
      ],
      empty: "Nobody has borrowed, or nobody who fits.",
      columns: [
        user(),
        text("Market", "market"),
        text("Currency", "ccy"),
        number("Borrowed", "borrow_amount"),
        number("To repay", "to_repaied_amount"),
        text("Status", "status"),
        number("A day", "daily_interest_rate", { isMinor: true }),
      ],
    },
    {
      id: "margin-markets",
      name: "Margin markets",
      path: "/admin/margin-markets",
      rows: "margin_markets",
      key: (row) => row["market"],
      title: (row) => row["market"],
      empty: "No market lends. Make one a margin market.",
      columns: [
        { name: "Market", cell: (row) => <b>{row["market"]}</b> },
        number("Leverage", "leverage"),
        number("Liquidated at", "liq_rate"),
        number("Warned at", "warn_rate"),
        number("May leave down to", "transfer_rate"),
      ],
    },
    {
      id: "lending",
      name: "Lending pool",
      path: "/admin/margin-markets",
      rows: "lending_pool",
      key: (row) => row["ccy"],
      title: (row) => row["ccy"],
      empty: "The lending pool holds nothing.",
      columns: [
        { name: "Currency", cell: (row) => <b>{row["ccy"]}</b> },
        number("Available", "available"),
        number("Lent", "lent"),
        number("Insurance fund", "insurance_fund"),
      ],
    },
    {
      id: "credit",
      name: "Credit",
      path: "/admin/credit-loans",
      rows: "loans",
      isPaged: true,
      key: (row) => String(row["loan_id"]),
      title: (row) => `Credit ${row["loan_id"]}`,
      filters: [{ name: "user_id", word: "User" }],
      empty: "Nobody has credit.",
      columns: [
        text("No", "loan_id"),
        user(),
        text("Currency", "ccy"),
        number("Amount", "amount"),
        number("A day", "daily_interest_rate"),
        time("Since", "created_at"),
      ],
    },
  ],
};

const pools: Area = {
  id: "pools",
  name: "Pools",
  group: "Trading",
  says: "Pools of spot markets: what each holds, who provides for it and what it brings.",
  acts: [{ word: "Create pool", call: "POST /admin/pools" }],
  lists: [
    {
      id: "pools",
      name: "Pools",
      path: "/admin/pools",
      rows: "pools",
      key: (row) => row["market"],
      title: (row) => row["market"],
      empty: "No market has a pool.",
      columns: [
        { name: "Market", cell: (row) => <b>{row["market"]}</b> },
        text("Range", "type"),
        number("Base", "base_ccy_amount"),
        number("Quote", "quote_ccy_amount"),
        number("Providers", "providers"),
        number("Fees in 7 days", "fee_dividend_7day", { isMinor: true }),
      ],
    },
  ],
};

export const TRADING_AREAS: readonly Area[] = [markets, listing, assets, index, orders, past, positions, margin, pools];
