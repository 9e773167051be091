/** Names of fields and values in the words of the trade: what stands on the page for what the API calls by a name. */

/** Fields whose name says nothing to who has not read the API. */
const NAMES: Readonly<Record<string, string>> = {
  actor: "Operator",
  amm: "Pool",
  apy_1day: "Yield of a day",
  apy_7day: "Yield of seven days",
  ath_margin_size: "Largest margin",
  ath_position_amount: "Largest size",
  because: "Reason",
  ccy: "Currency",
  client_id: "Client order ID",
  close_avbl: "Can be closed",
  cml_position_value: "Cumulative value",
  custody: "In custody",
  fee_dividend_7day: "Fees of seven days",
  is_amm_available: "Has a pool",
  is_api_trading_available: "Trading by API",
  is_hide: "Hidden",
  is_margin_available: "Trading on margin",
  is_pre_trading_available: "Pre-market trading",
  is_st: "Special treatment",
  liq_rate: "Liquidated at",
  margin_avbl: "Margin",
  margin_market: "Margin account",
  market_status: "Status",
  op: "Operation",
  open_interest: "Size",
  seq: "Log position",
  stp_mode: "Self-trade protection",
  to_repaied_amount: "To repay",
  totp: "Authenticator",
  transfer_rate: "May leave down to",
  transferrable: "Transferable",
  tx_fee: "Network fee",
  value_7day: "Value of seven days",
  warn_rate: "Warned at",
};

/** Short forms that the API has for words. */
const PARTS: Readonly<Record<string, string>> = {
  addr: "address",
  adl: "ADL",
  amm: "pool",
  api: "API",
  avbl: "available",
  avg: "average",
  bkr: "bankruptcy",
  btc: "BTC",
  ccy: "currency",
  cet: "CET",
  cml: "cumulative",
  id: "ID",
  ids: "IDs",
  ip: "IP",
  ips: "IPs",
  liq: "liquidation",
  pnl: "PnL",
  repaied: "repaid",
  seq: "log position",
  stp: "self-trade protection",
  totp: "authenticator",
  tx: "transaction",
  uid: "user ID",
  url: "link",
  usd: "USD",
  usdt: "USDT",
  vip: "VIP",
};

/** `maker_fee_rate` → "Maker fee rate". */
export function wordsOf(name: string): string {
  const known = NAMES[name];
  if (known !== undefined) return known;
  const parts = name
    .replace(/([a-z])([A-Z])/g, (_, end, begin) => `${end}_${begin.toLowerCase()}`)
    .split(/[_-]/)
    // What a flag says is said by its yes or no.
    .filter((part, at, all) => part !== "" && !(at === 0 && all.length > 1 && part === "is"));
  const unit = parts.length > 1 && parts.at(-1) === "ms" && parts.pop() !== undefined ? " (ms)" : "";
  const words = parts.map((part) => PARTS[part] ?? part).join(" ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${unit}`;
}

/** Markets and accounts, in fields that say of which kind something is. */
const KIND_FIELD = /(?:scope|type)$/i;
const PRODUCTS: Readonly<Record<string, string>> = {
  ALL_SITE: "Whole venue",
  FUTURES: "Futures",
  MARGIN: "Margin",
  SPOT: "Spot",
};

/** Values that are short forms, by the fields that have them. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stp_mode: {
    none: "off",
    ct: "cancels the taker",
    cm: "cancels the maker",
    both: "cancels both",
  },
};

/** Fields whose values are words of a list, with a line where a space would be. */
const LISTED =
  /(?:^|_)(?:action|command|event|finished_type|kind|margin_mode|market_status|method|op|outcome|phase|price_type|reason|refusal|role|scope|state|status|type|verdict)$/;

/** A value as it is read: `part_filled` → "part filled". Names and texts of people stay as they are. */
export function valueWords(field: string, value: string): string {
  const known = VALUES[field]?.[value] ?? (KIND_FIELD.test(field) ? PRODUCTS[value] : undefined);
  if (known !== undefined) return known;
  return LISTED.test(field) && /^[a-z]+(?:_[a-z]+)+$/.test(value) ? value.replaceAll("_", " ") : value;
}
