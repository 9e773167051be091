/**
 * Which fields a JSON command has and what JSON type each must be of. Checked at the engine's door, before anything reads
 * a field: what stands in the log must never make the engine throw, or the venue could not start from it again.
 * Whether a value makes sense is for the command itself to say.
 */
import type { JsonCommand } from "./command.ts";

/** Longest text and longest list that a command may carry. */
const TEXT_CHARS_MAX = 4_096;
const LIST_ITEMS_MAX = 256;

interface Field {
  /** Ends the sentence "<field> must be ...". */
  readonly expected: string;
  readonly optional: boolean;
  fits(value: unknown): boolean;
}

const text = field(`a string of at most ${TEXT_CHARS_MAX} characters`, isText);
const decimal = field("a decimal as a string", isText);
const flag = field("true or false", (value) => typeof value === "boolean");
const whole = field("a whole number", (value) => Number.isSafeInteger(value));
const texts = listOf("strings", isText);
const textOrNull = field("a string, or null", (value) => value === null || isText(value));
const rateOrNull = field("a decimal as a string, or null", (value) => value === null || isText(value));

const CHAIN = {
  chain: text,
  minDepositAmount: decimal,
  minWithdrawAmount: decimal,
  depositEnabled: flag,
  withdrawEnabled: flag,
  depositDelayMinutes: whole,
  safeConfirmations: whole,
  irreversibleConfirmations: whole,
  deflationRate: decimal,
  withdrawalFee: decimal,
  withdrawalPrecision: whole,
  memo: text,
  isMemoRequiredForDeposit: flag,
  explorerAssetUrl: text,
  identity: text,
};

const LEVEL = { amount: decimal, leverage: whole, maintenanceMarginRate: decimal, minInitialMarginRate: decimal };

/** What names the exits of a position. */
const OF_EXITS = { userId: whole, marketId: whole, positionSide: optional(text), exit: text };

/** What may be given at the listing of a market and changed later. */
const MARKET_SETTINGS = {
  maxAmount: optional(decimal),
  maxPrice: optional(decimal),
  biddingAt: optional(whole),
  noCancelAt: optional(whole),
  onlineAt: optional(whole),
  delistedAt: optional(whole),
  apiTradingAvailable: optional(flag),
  preMarketTradingAvailable: optional(flag),
  suspended: optional(flag),
  marketType: optional(text),
  contractType: optional(text),
  tickSize: optional(decimal),
  leverages: optional(listOf("whole numbers", (item) => Number.isSafeInteger(item))),
  levels: optional(listOf("position levels", (item) => isRecord(item, LEVEL))),
  indexSources: optional(listOf("{exchange, weight}", (item) => isRecord(item, { exchange: text, weight: decimal }))),
};

type Shape<Command> = { readonly [Name in Exclude<keyof Command, "kind" | "actor">]-?: Field };

const SHAPES: { readonly [Kind in JsonCommand["kind"]]: Shape<Extract<JsonCommand, { kind: Kind }>> } = {
  list_asset: {
    ccy: text,
    fullName: optional(text),
    scale: whole,
    maxUnits: optional(decimal),
    websiteUrl: optional(text),
    whitePaperUrl: optional(text),
    isSt: optional(flag),
    interTransferEnabled: optional(flag),
    chains: optional(listOf("chains, each with every setting", (item) => isRecord(item, CHAIN))),
  },
  list_market: {
    market: text,
    baseCcy: text,
    quoteCcy: text,
    amountPrecision: whole,
    pricePrecision: whole,
    minAmount: decimal,
    makerFeeRate: decimal,
    takerFeeRate: decimal,
    ...MARKET_SETTINGS,
  },
  change_market: {
    market: text,
    minAmount: optional(decimal),
    makerFeeRate: optional(decimal),
    takerFeeRate: optional(decimal),
    ...MARKET_SETTINGS,
  },
  create_user: { name: text, mainUserId: optional(whole) },
  change_user: {
    userId: whole,
    frozen: optional(flag),
    tradeBarred: optional(flag),
    makerFeeRate: optional(rateOrNull),
    takerFeeRate: optional(rateOrNull),
    feeLevel: optional(textOrNull),
    feeDeduction: optional(flag),
    byUser: optional(flag),
  },
  set_fee_level: { level: text, makerFeeRate: decimal, takerFeeRate: decimal },
  delete_fee_level: { level: text },
  create_api_key: {
    userId: whole,
    accessId: text,
    secretCipher: text,
    permissions: texts,
    ipWhitelist: texts,
    expiredAt: whole,
    remark: optional(text),
  },
  delete_api_key: { accessId: text },
  set_fee_deduction: { ccy: optional(textOrNull), discountRate: optional(decimal) },
  deposit: { userId: optional(whole), cell: optional(text), ccy: text, amount: decimal, note: text },
  adjust_balance: { userId: whole, cell: optional(text), ccy: text, amount: decimal, note: text },
  set_index_prices: {
    market: text,
    marketType: optional(text),
    sources: listOf("{exchange, price}, with a weight or without", (item) =>
      isRecord(item, { exchange: text, price: decimal, weight: optional(decimal) }),
    ),
  },
  transfer: { userId: whole, from: text, to: text, ccy: text, amount: decimal },
  change_futures_settings: { userId: whole, positionMode: optional(text), settleSwitch: optional(flag) },
  set_leverage: { userId: whole, marketId: whole, marginMode: text, leverage: whole },
  adjust_margin: { userId: whole, marketId: whole, positionSide: optional(text), amount: text },
  set_exit: { ...OF_EXITS, triggerType: text, price: decimal, amount: optional(decimal) },
  modify_exit: {
    ...OF_EXITS,
    exitId: whole,
    triggerType: optional(text),
    price: optional(decimal),
    amount: optional(decimal),
  },
  cancel_exits: { ...OF_EXITS, exitId: optional(whole) },
  set_cancel_only: { cancelOnly: flag, reason: text },
  plan_maintenance: {
    scope: texts,
    startedAt: whole,
    endedAt: whole,
    protectDurationStart: whole,
    protectDurationEnd: whole,
    announceUrl: text,
    announceEnabled: flag,
  },
  cancel_maintenance: { maintenanceId: whole },
};

const FIELDS_OF: ReadonlyMap<unknown, readonly [string, Field][]> = new Map(
  Object.entries(SHAPES).map(([kind, shape]) => [kind, Object.entries({ ...shape, actor: optional(text) })]),
);

/** The sentence that says what is wrong with the shape of `command`; undefined when it is sound. Unknown fields may stand. */
export function shapeFault(command: unknown): string | undefined {
  if (!isObject(command)) return "A command is a JSON object.";
  const fields = FIELDS_OF.get(command.kind);
  if (fields === undefined) return "There is no such command.";
  const wrong = fields.find(([name, expected]) => !hasField(command, name, expected));
  return wrong === undefined ? undefined : `${wrong[0]} must be ${wrong[1].expected}.`;
}

function hasField(record: Record<string, unknown>, name: string, expected: Field): boolean {
  const value = record[name];
  return value === undefined ? expected.optional : expected.fits(value);
}

function isRecord(value: unknown, fields: Readonly<Record<string, Field>>): boolean {
  return isObject(value) && Object.entries(fields).every(([name, expected]) => hasField(value, name, expected));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.length <= TEXT_CHARS_MAX;
}

function listOf(items: string, isItem: (value: unknown) => boolean): Field {
  return field(
    `a list of at most ${LIST_ITEMS_MAX} ${items}`,
    (value) => Array.isArray(value) && value.length <= LIST_ITEMS_MAX && value.every(isItem),
  );
}

function field(expected: string, fits: (value: unknown) => boolean): Field {
  return { expected, optional: false, fits };
}

function optional(required: Field): Field {
  return { ...required, optional: true };
}
