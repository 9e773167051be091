/** Values that a careless program might trip over, as the JSON text that stands in a body. */
import type { Chance } from "./chance.ts";

const quote = (text: string) => JSON.stringify(text);

/** Numbers at and around every edge that a number may have on its way: 32 bits, doubles, int64, grids, text. */
const NUMBERS: readonly string[] = [
  "0",
  "-0",
  "-1",
  "1",
  "0.1",
  "1e0",
  "1E-30",
  "1e400",
  "-1e400",
  "0.00000001",
  "0.000000001",
  "0.0000000000000000001",
  "2147483647",
  "2147483648",
  "4294967295",
  "4294967296",
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775809",
  "18446744073709551616",
  "9999999999999999999",
  "99999999999999999999",
  `1${"0".repeat(400)}`,
  `0.${"3".repeat(400)}`,
];

const TEXTS: readonly string[] = [
  "",
  " ",
  "\0",
  "\u0000BTCUSDT",
  "BTCUSDT\n",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-Infinity",
  "0x10",
  "1_000",
  "１２",
  "1,5",
  "+1",
  ".5",
  "5.",
  "00000000000000000001",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "\u202e",
  "\ud800",
  "é",
  "e\u0301",
  "𝔅TCUSDT",
  "😀".repeat(20),
  "' OR '1'='1",
  "%00",
  "%s%n",
  "../../etc/passwd",
  "<script>",
  "{{7*7}}",
  "a".repeat(33),
  "a".repeat(65),
  "a".repeat(257),
  "9".repeat(5_000),
];

const OTHERS: readonly string[] = [
  "null",
  "true",
  "false",
  "[]",
  "{}",
  "[[]]",
  "[null]",
  "[{}]",
  '{"a":{"b":[]}}',
  "[1,2]",
];

/** Any odd value. */
export function oddJson(chance: Chance): string {
  const kind = chance.below(10);
  if (kind < 3) return chance.pick(NUMBERS);
  if (kind < 5) return quote(chance.pick(NUMBERS));
  if (kind < 8) return quote(chance.pick(TEXTS));
  if (kind < 9) return chance.pick(OTHERS);
  return nested(1 + chance.below(60));
}

/** The same for a query, where everything is text. */
export function oddText(chance: Chance): string {
  return chance.is(0.5) ? chance.pick(NUMBERS) : chance.pick(TEXTS);
}

function nested(depth: number): string {
  return `${'{"a":['.repeat(depth)}1${"]}".repeat(depth)}`;
}

/** Bodies that are no object with parameters at all. */
export const ODD_BODIES: readonly string[] = [
  "",
  " ",
  "null",
  "0",
  '"text"',
  "[]",
  "[{}]",
  "{",
  "}",
  "{}{}",
  "{}\0",
  '{"market"}',
  "{'market':'BTCUSDT'}",
  '{"market":"BTCUSDT",}',
  '{"market":"\\ud800"}',
  '{"market":"\\x41"}',
  '\ufeff{"market":"BTCUSDT"}',
  "market=BTCUSDT&side=buy",
  '{"market":NaN}',
  '{"market":01}',
  "[".repeat(100_000),
  `{"a":${"[".repeat(31)}${"]".repeat(31)}}`,
  `{"a":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`,
  `{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":${index}`).join()}}`,
  `{"orders":[${"{},".repeat(20_000)}{}]}`,
  `{"order_ids":[${"1,".repeat(100)}1]}`,
  `{"market":"${"a".repeat(200_000)}"}`,
  `{"amount":${"9".repeat(200_000)}}`,
];
