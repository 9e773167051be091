/** Values with which the examples of the API's descriptions work on a development venue. */
import type { Field, ValueRule, Vocabulary } from "./rules.ts";
import type { Schema } from "./schemas.ts";

const BY_NAME: Readonly<Record<string, unknown>> = {
  market: "BTCUSDT",
  amount: "0.01",
  price: "60000",
  trigger_price: "59000",
  stop_price: "59000",
  take_profit_price: "70000",
  stop_loss_price: "50000",
  leverage: "10",
  ccy: "USDT",
  coin_type: "BTC",
  client_id: "my-order-1",
  sub_user_name: "my-sub-account",
  transfer_account: "my-sub-account",
  to_account_type: "FUTURES",
  interval: "0",
  order_id: 1,
  order_ids: "1,2",
  batch_ids: "1,2",
};

/** Example values of all other parameters and fields, by type. */
const BY_TYPE: Readonly<Record<string, unknown>> = { int: 1, bool: false, decimal: "1" };

/** The example of a parameter that a call needs, where its name has one. */
export function namedExample({ name }: ValueRule): { readonly example?: unknown } {
  return BY_NAME[name] === undefined ? {} : { example: BY_NAME[name] };
}

/** A parameter of either generation, or a field of a record in a request. */
type Asked = Field | (ValueRule & { readonly required: boolean });

/** A request that has what is needed: required values and those required in the common case. */
export function exampleOf(contract: Vocabulary, rules: readonly Asked[]): Schema {
  const needed = rules.filter((rule) => ("required" in rule ? rule.required : !rule.nullable) || rule.required_unless);
  return Object.fromEntries(needed.map((rule) => [rule.name, exampleValue(contract, rule)]));
}

export function exampleValue(contract: Vocabulary, rule: ValueRule): unknown {
  const item = /^array<(\w+)>$/.exec(rule.type)?.[1];
  const record = item === undefined ? undefined : contract.records.get(item);
  if (record !== undefined) return [exampleOf(contract, record.fields)];
  if (item === "int") return [1, 2];
  const example = BY_NAME[rule.name];
  if (example !== undefined) return example;
  if (rule.enum) return contract.enums.get(rule.enum)?.values[0]?.value;
  if (item !== undefined) return [];
  return BY_TYPE[rule.type] ?? "";
}
