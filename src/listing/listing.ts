/**
 * Listings as data: what a dev venue lists at its first start, from a file in the form of contract/listing/schema.json.
 */
import { readFileSync } from "node:fs";

/** The mistake in a listing, as a sentence. */
export class ListingError extends Error {}

export interface ListedLevel {
  readonly amount: string;
  readonly leverage: number;
  readonly maintenance_margin_rate: string;
  readonly min_initial_margin_rate: string;
}

export interface ListedChain {
  readonly chain: string;
  readonly min_deposit_amount: string;
  readonly min_withdraw_amount: string;
  readonly withdrawal_fee: string;
  readonly withdrawal_precision: number;
  readonly safe_confirmations: number;
  readonly irreversible_confirmations: number;
  readonly deposit_enabled: boolean;
  readonly withdraw_enabled: boolean;
  readonly memo: string;
  readonly is_memo_required_for_deposit: boolean;
  readonly explorer_asset_url: string;
  readonly identity: string;
}

export interface ListedAsset {
  readonly ccy: string;
  readonly full_name: string;
  readonly decimals: number;
  readonly max_units?: string;
  readonly usd_price: string;
  readonly website_url?: string;
  readonly white_paper_url?: string;
  readonly chains: readonly ListedChain[];
}

export interface ListedMarket {
  readonly market: string;
  readonly base_ccy: string;
  readonly quote_ccy: string;
  readonly base_ccy_precision: number;
  readonly quote_ccy_precision: number;
  readonly min_amount: string;
  readonly max_amount?: string;
  readonly max_price?: string;
  readonly maker_fee_rate: string;
  readonly taker_fee_rate: string;
}

export interface ListedFutures extends ListedMarket {
  readonly contract_type: "linear" | "inverse";
  readonly tick_size: string;
  readonly leverage: readonly number[];
  readonly levels: readonly ListedLevel[];
}

export interface Listing {
  readonly name: string;
  readonly notes: readonly string[];
  readonly deduction_ccy?: string;
  readonly assets: readonly ListedAsset[];
  readonly spot: readonly ListedMarket[];
  readonly futures: readonly ListedFutures[];
}

/** Those that come along, by name. */
export const SHIPPED_LISTINGS = ["small", "live"] as const;
export type ShippedListing = (typeof SHIPPED_LISTINGS)[number];

const FOLDER = new URL("../../contract/listing/", import.meta.url);

interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly required?: boolean;
  readonly default?: unknown;
  readonly min?: number;
  readonly max?: number;
  readonly min_items?: number;
  readonly positive?: boolean;
  readonly values?: readonly string[];
  readonly pattern?: string;
  readonly expected?: string;
  readonly form?: string;
}

interface Schema {
  readonly records: Readonly<Record<string, readonly SchemaField[]>>;
  readonly forms: Readonly<Record<string, { readonly pattern: string; readonly expected: string }>>;
}

/**
 * Assets, markets and levels of one listing together; more than any exchange has, and few enough to be read at once.
 */
const ITEMS_MAX = 5_000;
/** No listing is larger: the shipped one of 70 markets has 50 KiB. */
const BYTES_MAX = 4 * 1024 * 1024;

/** A listing that comes along. */
export function shippedListing(name: ShippedListing): Listing {
  return readListing(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"), name);
}

export function isShipped(name: string): name is ShippedListing {
  return (SHIPPED_LISTINGS as readonly string[]).includes(name);
}

/** `place` names it in sentences. */
export function readListing(text: string, place: string): Listing {
  if (text.length > BYTES_MAX) throw new ListingError(`The listing ${place} is larger than ${BYTES_MAX} characters.`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new ListingError(`The listing ${place} is no JSON.`, { cause });
  }
  const listing = new Reader(place).record("Listing", "", content) as unknown as Listing;
  refuseUnknownNames(listing, place);
  return listing;
}

/** Reads values by the schema; the first that is wrong ends it with a sentence. */
class Reader {
  readonly #place: string;
  readonly #schema = JSON.parse(readFileSync(new URL("schema.json", FOLDER), "utf8")) as Schema;
  #items = 0;

  constructor(place: string) {
    this.#place = place;
  }

  record(name: string, at: string, raw: unknown): Record<string, unknown> {
    const fields = this.#schema.records[name] as readonly SchemaField[];
    if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
      throw this.#wrong(at || "its top", "an object", raw);
    }
    const known = new Set(fields.map((field) => field.name));
    const stranger = Object.keys(raw).find((key) => !known.has(key));
    if (stranger !== undefined) {
      throw this.#wrong(join(at, stranger), `no such field; ${name} has ${[...known].join(", ")}`, undefined);
    }
    const values: Record<string, unknown> = {};
    for (const field of fields) {
      const given = (raw as Record<string, unknown>)[field.name];
      const place = join(at, field.name);
      if (given !== undefined) values[field.name] = this.#value(field, place, given);
      else if (field.required === true)
        throw this.#wrong(place, `${expectedOf(field, this.#schema)}; it is missing`, undefined);
      else if (field.default !== undefined) values[field.name] = field.default;
    }
    return values;
  }

  #value(field: SchemaField, place: string, raw: unknown): unknown {
    const item = /^list<(\w+)>$/.exec(field.type)?.[1];
    if (item === undefined) return this.#single(field, place, raw);
    if (!Array.isArray(raw) || raw.length < (field.min_items ?? 0)) {
      throw this.#wrong(place, `a list of at least ${field.min_items ?? 0}`, raw);
    }
    this.#items += raw.length;
    if (this.#items > ITEMS_MAX)
      throw new ListingError(`The listing ${this.#place} has more than ${ITEMS_MAX} entries.`);
    return raw.map((each, index) => {
      const at = `${place}[${index}]`;
      return item in this.#schema.records
        ? this.record(item, at, each)
        : this.#single({ ...field, type: item }, at, each);
    });
  }

  #single(field: SchemaField, place: string, raw: unknown): unknown {
    if (!isRight(field, this.#schema, raw)) throw this.#wrong(place, expectedOf(field, this.#schema), raw);
    return raw;
  }

  #wrong(at: string, expected: string, found: unknown): ListingError {
    const instead = found === undefined ? "" : `, found ${JSON.stringify(found)?.slice(0, 80)}`;
    return new ListingError(`The listing ${this.#place} is wrong at ${at}: expected ${expected}${instead}.`);
  }
}

function join(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`;
}

const DECIMAL = /^[0-9]{1,19}(\.[0-9]{1,18})?$/;

function isRight(
  { type, min, max, positive, values, pattern, form }: SchemaField,
  { forms }: Schema,
  raw: unknown,
): boolean {
  switch (type) {
    case "flag":
      return typeof raw === "boolean";
    case "whole":
      return Number.isSafeInteger(raw) && (raw as number) >= (min ?? 0) && (raw as number) <= (max ?? 2 ** 31);
    case "decimal":
      return typeof raw === "string" && DECIMAL.test(raw) && (positive !== true || /[1-9]/.test(raw));
    default: {
      if (typeof raw !== "string") return false;
      const shape = form === undefined ? pattern : forms[form]?.pattern;
      return (values === undefined || values.includes(raw)) && (shape === undefined || new RegExp(shape).test(raw));
    }
  }
}

function expectedOf({ type, min, max, positive, values, expected, form }: SchemaField, { forms }: Schema): string {
  if (type.startsWith("list<")) return "a list";
  if (type === "flag") return "true or false";
  if (type === "whole") return `a whole number from ${min ?? 0} to ${max ?? 2 ** 31}`;
  if (type === "decimal")
    return positive ? 'a decimal above 0, as text, such as "0.001"' : 'a decimal, as text, such as "0.001"';
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" or ");
  return (form === undefined ? expected : forms[form]?.expected) ?? "a text";
}

/** Names that are used once, and currencies that are listed. */
function refuseUnknownNames({ assets, spot, futures, deduction_ccy }: Listing, place: string): void {
  const wrong = (at: string, why: string) => new ListingError(`The listing ${place} is wrong at ${at}: ${why}.`);
  const known = new Set<string>();
  for (const [at, { ccy }] of assets.entries()) {
    if (known.has(ccy)) throw wrong(`assets[${at}].ccy`, `${ccy} is listed twice`);
    known.add(ccy);
  }
  if (deduction_ccy !== undefined && !known.has(deduction_ccy)) {
    throw wrong("deduction_ccy", `${deduction_ccy} is none of the assets`);
  }
  for (const [list, markets] of Object.entries({ spot, futures })) {
    const names = new Set<string>();
    for (const [at, { market, base_ccy, quote_ccy }] of markets.entries()) {
      if (names.has(market)) throw wrong(`${list}[${at}].market`, `${market} is listed twice`);
      names.add(market);
      const missing = [base_ccy, quote_ccy].find((ccy) => !known.has(ccy));
      if (missing !== undefined) throw wrong(`${list}[${at}]`, `${missing} is none of the assets`);
    }
  }
}
