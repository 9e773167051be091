/**
 * How the answers of an endpoint look under `compat`: as existing clients know them from the live exchange where that
 * differs from the documents. docs/reference/compat.md says of each concession what it rests on.
 */
import { checksumOf, type DepthRow } from "../../../feeds/depth.ts";
import type { RecordType } from "../../request/rules.ts";
import { type Contract, type Endpoint, endpointName } from "../contract.ts";

export interface LiveAnswers {
  /** The rows that are shown. */
  rows(rows: readonly unknown[]): readonly unknown[];
  /** An envelope as it is sent. */
  text(envelope: string): string;
}

/**
 * Changes the text of an answer. Quotes within texts are escaped in JSON, so that none of them can look like a field.
 */
type Rewrite = (envelope: string) => string;

/**
 * Records that are printed as they are sent: orders, which are asked for most (see `Printers.ofOrders`), and proofs,
 * whose hashes are taken over the very texts.
 */
const PRINTED_LIVE: ReadonlySet<string> = new Set([
  ...["Liabilities", "LiabilityProof"],
  ...["SpotOrder", "SpotOrderStatus"],
  ...["FuturesOrder", "FuturesOrderStatus", "FuturesCloseOrder"],
]);

export function liveAnswersOf(contract: Contract, endpoint: Endpoint): LiveAnswers {
  if (PRINTED_LIVE.has(endpoint.result.record ?? "")) return AS_PRINTED;
  const rewrites: Rewrite[] = [];
  if (endpoint.path.endsWith("/kline")) rewrites.push(swapVolume);
  rewrites.push(endpoint.path.endsWith("/depth") ? trimBook : trimNumbersOf(contract, endpoint));
  for (const [name, second] of SECOND_NAMES[endpoint.result.record ?? ""] ?? []) rewrites.push(naming(name, second));
  const isConfig = endpointName(endpoint) === "GET /assets/all-deposit-withdraw-config";
  return {
    rows: isConfig ? (rows) => rows.filter(hasChains) : (rows) => rows,
    text: (envelope) => rewrites.reduce((text, rewrite) => rewrite(text), envelope),
  };
}

const AS_PRINTED: LiveAnswers = { rows: (rows) => rows, text: (envelope) => envelope };

/** F10: fields that live answers have by a second name as well, by record; two of these are spelt wrongly there. */
const SECOND_NAMES: Readonly<Record<string, readonly (readonly [name: string, second: string])[]>> = {
  Withdrawal: [
    ["fee_ccy", "fee_asset"],
    ["tx_fee", "fee_amount"],
  ],
  MarginBalance: [["risk_rate", "rik_rate"]],
  PositionMarginChange: [["bkr_price", "bkr_pirce"]],
};

function naming(name: string, second: string): Rewrite {
  const field = new RegExp(`"${name}":("[^"]*")`, "g");
  return (envelope) => envelope.replace(field, `"${name}":$1,"${second}":$1`);
}

const CANDLE = /"volume":("[^"]*"),"value":("[^"]*")/g;

/** F1: `volume` is what was paid, `value` what changed hands. */
function swapVolume(envelope: string): string {
  return envelope.replace(CANDLE, '"volume":$2,"value":$1');
}

/** F5: numbers without trailing zeros, in the fields that the contract calls decimals, and in lists of them. */
function trimNumbersOf(contract: Contract, endpoint: Endpoint): Rewrite {
  const names = new Set<string>();
  for (const record of recordsOf(endpoint)) addDecimals(contract, record, names, new Set());
  if (names.size === 0) return (envelope) => envelope;
  const field = new RegExp(`("(?:${[...names].join("|")})":")(-?\\d+\\.\\d*?)0+"`, "g");
  return (envelope) => envelope.replace(field, (_, head: string, digits: string) => `${head}${withoutPoint(digits)}"`);
}

function recordsOf({ result: { record, record_by } }: Endpoint): string[] {
  return [...(record === null ? [] : [record]), ...Object.values(record_by?.values ?? {})];
}

function addDecimals(contract: Contract, name: string, names: Set<string>, seen: Set<string>): void {
  const record: RecordType | undefined = contract.records.get(name);
  if (record === undefined || seen.has(name)) return;
  seen.add(name);
  for (const field of record.fields) {
    if (field.type === "decimal") names.add(field.name);
    else addDecimals(contract, /^(?:array|object)<(\w+)>$/.exec(field.type)?.[1] ?? "", names, seen);
  }
}

const BOOK = /"asks":(\[.*?\]|\[\]),"bids":(\[.*\]|\[\]),"last":"([^"]*)","updated_at":(\d+),"checksum":\d+/;

/** F5 of a book, whose checksum is taken over the text as it is sent. */
function trimBook(envelope: string): string {
  return envelope.replace(BOOK, (_, asksText: string, bidsText: string, last: string, updatedAt: string) => {
    const [asks, bids] = [asksText, bidsText].map((text) => trimmedRows(JSON.parse(text) as DepthRow[])) as [
      DepthRow[],
      DepthRow[],
    ];
    return (
      `"asks":${JSON.stringify(asks)},"bids":${JSON.stringify(bids)},` +
      `"last":"${trimmed(last)}","updated_at":${updatedAt},"checksum":${checksumOf(bids, asks)}`
    );
  });
}

function trimmedRows(rows: readonly DepthRow[]): DepthRow[] {
  return rows.map(([price, amount]) => [trimmed(price), trimmed(amount)]);
}

function trimmed(text: string): string {
  return text.includes(".") ? withoutPoint(text.replace(/0+$/, "")) : text;
}

function withoutPoint(digits: string): string {
  return digits.endsWith(".") ? digits.slice(0, -1) : digits;
}

/** F7: a currency that has no chain comes and goes by none. */
function hasChains(row: unknown): boolean {
  return (row as { readonly chains: readonly unknown[] }).chains.length > 0;
}
