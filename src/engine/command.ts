/**
 * Everything that goes into the engine. A command is one record of 64-bit words: short binary ones for what clients
 * send all day, JSON for the rest. The log stores these records unchanged, so this file is also the log's payload
 * format.
 *
 * Word 0 of every record: kind in the low 8 bits and length in words above them, then an int32 that the kind defines.
 */
import { codesOf, namesOf } from "./codes.ts";
import { readAscii, type WordBuffer, wordsFor, writeAscii } from "./words.ts";

/** `seq` is gapless and below 2^53; `timeMs` never falls. Every command of one log group carries the group's time. */
export interface Stamp {
  readonly seq: number;
  readonly timeMs: number;
}

/** Traits of a kind of record, known before its records are read. */
interface RecordTraits {
  readonly code: number;
  /**
   * Whose wish it is. What a user wishes names him in word 0, and is refused while his account is frozen; JSON says it
   * in its schema.
   */
  readonly by: "user" | "clock" | "venue" | "schema";
  /**
   * When orders and exits that wait for a price of the command's own market may fire: after its deals only, or also
   * without a deal, because the command can set a trigger that the price has reached. A kind without a word here may
   * move prices anywhere.
   */
  readonly fires?: "after_deals" | "always";
}

const RECORDS = {
  tick: { code: 1, by: "clock" },
  place_order: { code: 2, by: "user", fires: "after_deals" },
  cancel_order: { code: 3, by: "user", fires: "after_deals" },
  modify_order: { code: 4, by: "user", fires: "after_deals" },
  cancel_all_orders: { code: 5, by: "user", fires: "after_deals" },
  cancel_by_client_id: { code: 6, by: "user", fires: "after_deals" },
  place_stop_order: { code: 7, by: "user", fires: "always" },
  modify_stop_order: { code: 8, by: "user", fires: "always" },
  cancel_stop_order: { code: 9, by: "user", fires: "always" },
  cancel_stop_by_client_id: { code: 10, by: "user", fires: "always" },
  close_position: { code: 11, by: "user", fires: "always" },
  begin_epoch: { code: 12, by: "venue" },
  json: { code: 255, by: "schema" },
} as const satisfies Readonly<Record<string, RecordTraits>>;

/** Kinds of records, by name. */
export const KIND = codesOf(RECORDS);

/** The codes of the kinds of which `holds` does, as flags by code. */
export function kindsThat(holds: (traits: RecordTraits) => boolean): Uint8Array {
  const flags = new Uint8Array(256);
  for (const traits of Object.values(RECORDS)) flags[traits.code] = holds(traits) ? 1 : 0;
  return flags;
}

export const SIDES = ["buy", "sell"] as const;
/** Numbers, as the flags of records carry them. */
export const TYPE = { limit: 0, market: 1, maker_only: 2, ioc: 3, fok: 4 } as const;
export const STP = { none: 0, ct: 1, cm: 2, both: 3 } as const;
export const ORDER_TYPES = namesOf(TYPE);
export const STP_MODES = namesOf(STP);
/** Orders in a futures market are of the futures account, all others of one of the first two. */
export const ACCOUNTS = ["spot", "margin", "futures"] as const;
export const POSITION_SIDES = ["long", "short"] as const;
/** The purposes of an order. All but `trade` only ever reduce a position. */
export const AIMS = ["trade", "reduce", "close_all", "take_profit", "stop_loss", "liquidation"] as const;
/** The price that a trigger is compared with; in spot markets always the first. */
export const REFERENCE = { latest_price: 0, mark_price: 1, index_price: 2 } as const;
export const TRIGGER_TYPES = namesOf(REFERENCE);
export type Side = (typeof SIDES)[number];
export type OrderType = (typeof ORDER_TYPES)[number];
export type StpMode = (typeof STP_MODES)[number];
export type Account = (typeof ACCOUNTS)[number];
export type PositionSide = (typeof POSITION_SIDES)[number];
export type Aim = (typeof AIMS)[number];
export type TriggerType = (typeof TRIGGER_TYPES)[number];

/**
 * An amount or price that the wire text could not express on the market's grid; refused in its place in the order of
 * checks.
 */
export const OFF_GRID = -1n;
/** Stands for every number above int64, so that it is refused as too large rather than as malformed. */
export const TOO_LARGE = (1n << 63n) - 1n;

export interface PlaceOrder {
  readonly kind: "place_order";
  readonly userId: number;
  readonly marketId: number;
  readonly account: Account;
  readonly side: Side;
  readonly type: OrderType;
  /** The unit of `amount`: lots of 10^-amountPrecision base, or units of the quote asset (market orders only). */
  readonly amountIn: "base" | "quote";
  readonly amount: bigint;
  /** Ticks of 10^-pricePrecision; 0 for market orders. */
  readonly price: bigint;
  readonly hidden: boolean;
  readonly stpMode: StpMode;
  /** Which of two positions it is for: in futures markets in hedge mode, and there only. */
  readonly positionSide?: PositionSide | undefined;
  /** ASCII, at most 32 characters; empty means none. */
  readonly clientId: string;
}

/** Closes a position of a futures market, or part of it, by an order that only reduces. */
export interface ClosePosition
  extends Pick<
    PlaceOrder,
    "userId" | "marketId" | "type" | "price" | "hidden" | "stpMode" | "clientId" | "positionSide"
  > {
  readonly kind: "close_position";
  /** Lots, cut to what can be closed; absent closes all, and cancels orders of the user that would have. */
  readonly amount?: bigint | undefined;
}

export interface CancelOrder {
  readonly kind: "cancel_order";
  readonly userId: number;
  readonly marketId: number;
  /** Absent: the order is looked for in both. */
  readonly account?: Account | undefined;
  readonly orderId: number;
}

export interface ModifyOrder {
  readonly kind: "modify_order";
  readonly userId: number;
  readonly marketId: number;
  readonly account?: Account | undefined;
  readonly orderId: number;
  /** New total in lots; absent keeps it. */
  readonly amount?: bigint | undefined;
  /** New price in ticks; absent keeps it. */
  readonly price?: bigint | undefined;
}

export interface CancelAllOrders {
  readonly kind: "cancel_all_orders";
  readonly userId: number;
  readonly marketId: number;
  readonly account: Account;
  readonly side?: Side | undefined;
  /** Only orders for this position, in hedge mode. */
  readonly positionSide?: PositionSide | undefined;
}

export interface CancelByClientId {
  readonly kind: "cancel_by_client_id";
  readonly userId: number;
  /** Absent: every market. */
  readonly marketId?: number | undefined;
  readonly account: Account;
  readonly clientId: string;
  /** Only orders for this position, in hedge mode. */
  readonly positionSide?: PositionSide | undefined;
}

/** An order that is placed by the venue once the price reaches `trigger`. */
export interface PlaceStopOrder extends Omit<PlaceOrder, "kind"> {
  readonly kind: "place_stop_order";
  /** Ticks. */
  readonly trigger: bigint;
  /** Absent: latest_price. */
  readonly triggerType?: TriggerType | undefined;
}

export interface ModifyStopOrder {
  readonly kind: "modify_stop_order";
  readonly userId: number;
  readonly marketId: number;
  readonly account?: Account | undefined;
  readonly stopId: number;
  /** New amount, counted as the old one; absent keeps it, as for the others. */
  readonly amount?: bigint | undefined;
  readonly price?: bigint | undefined;
  readonly trigger?: bigint | undefined;
}

export interface CancelStopOrder {
  readonly kind: "cancel_stop_order";
  readonly userId: number;
  readonly marketId: number;
  readonly account?: Account | undefined;
  readonly stopId: number;
}

export interface CancelStopByClientId extends Omit<CancelByClientId, "kind"> {
  readonly kind: "cancel_stop_by_client_id";
}

/** Advances time: everything due up to the stamp's time happens. */
export interface Tick {
  readonly kind: "tick";
}

/**
 * From this command on these rules hold. The venue itself writes it, alone in its group: as the first command of a log,
 * and at the first start of a program whose rules are newer. It does nothing else; what falls due waits for the next
 * command.
 */
export interface BeginEpoch {
  readonly kind: "begin_epoch";
  readonly rulesVersion: number;
  /** The state as the rules before left it, and as it stands after this command. */
  readonly before: StateMark;
  readonly after: StateMark;
}

/** Identifies a state: its hash, 64 hexadecimal digits, and the form of the snapshot that it was taken over. */
export interface StateMark {
  readonly hash: string;
  readonly form: number;
}

/** The JSON commands of all parts, by their kinds. Each part enters its own: see part.ts. */
// biome-ignore lint/suspicious/noEmptyInterface: the parts fill it.
export interface JsonCommands {}

export type JsonCommand = JsonCommands[keyof JsonCommands];

export type StopCommand = PlaceStopOrder | ModifyStopOrder | CancelStopOrder | CancelStopByClientId;

export type Command =
  | PlaceOrder
  | ClosePosition
  | CancelOrder
  | ModifyOrder
  | CancelAllOrders
  | CancelByClientId
  | StopCommand
  | Tick
  | BeginEpoch
  | JsonCommand;

// Flags of order commands and order events; one layout for both.
export const FLAG = {
  sell: 1 << 0,
  typeShift: 1,
  typeMask: 7,
  inQuote: 1 << 4,
  hidden: 1 << 5,
  stpShift: 6,
  stpMask: 3,
  margin: 1 << 8,
  /** Commands only: the account, or the side, is given and has to match. */
  accountGiven: 1 << 9,
  sideGiven: 1 << 10,
  priceGiven: 1 << 11,
  amountGiven: 1 << 12,
  triggerGiven: 1 << 13,
  /** Of orders: stop orders stand or fall with it, see stops/groups.ts. */
  grouped: 1 << 11,
  /** Of orders: the book shows a slice of it at a time, see trading/iceberg.ts. */
  iceberg: 1 << 12,
  /** Of stop orders, where they are placed and as they stand: the place of their reference in TRIGGER_TYPES. */
  referenceShift: 9,
  referenceMask: 3,
  /** Orders in futures markets; whether they name a position side, and which; and the place of their aim in AIMS. */
  futures: 1 << 18,
  sided: 1 << 19,
  short: 1 << 20,
  aimShift: 21,
  aimMask: 7,
  clientIdLengthShift: 24,
  clientIdLengthMask: 63,
  /** Orders only: a mass quote has placed it, and the next one takes its place. */
  massQuote: 1 << 30,
} as const;

/** The flags word of a new order. */
export function orderFlags(command: Omit<PlaceOrder, "kind" | "userId" | "marketId" | "amount" | "price">): number {
  return (
    (command.side === "sell" ? FLAG.sell : 0) |
    (TYPE[command.type] << FLAG.typeShift) |
    (command.amountIn === "quote" ? FLAG.inQuote : 0) |
    (command.hidden ? FLAG.hidden : 0) |
    (STP[command.stpMode] << FLAG.stpShift) |
    accountBits(command.account) |
    positionSideBits(command.positionSide) |
    (command.clientId.length << FLAG.clientIdLengthShift)
  );
}

/** Appends one record; returns its first word. */
export function encodeCommand(out: WordBuffer, command: Command): number {
  const at = out.length;
  switch (command.kind) {
    case "place_order": {
      const words = 4 + wordsFor(command.clientId.length);
      head(out, KIND.place_order, words, command.userId, command.marketId, orderFlags(command));
      out.i64[at + 2] = command.price;
      out.i64[at + 3] = command.amount;
      writeAscii(out, at + 4, command.clientId);
      break;
    }
    case "close_position": {
      const words = 4 + wordsFor(command.clientId.length);
      const given = command.amount === undefined ? 0 : FLAG.amountGiven;
      const flags = orderFlags({ ...command, account: "futures", side: "buy", amountIn: "base" });
      head(out, KIND.close_position, words, command.userId, command.marketId, flags | given);
      out.i64[at + 2] = command.price;
      out.i64[at + 3] = command.amount ?? 0n;
      writeAscii(out, at + 4, command.clientId);
      break;
    }
    case "cancel_order":
      head(out, KIND.cancel_order, 3, command.userId, command.marketId, accountFlags(command.account));
      out.f64[at + 2] = command.orderId;
      break;
    case "modify_order": {
      const given =
        (command.price === undefined ? 0 : FLAG.priceGiven) | (command.amount === undefined ? 0 : FLAG.amountGiven);
      head(out, KIND.modify_order, 5, command.userId, command.marketId, accountFlags(command.account) | given);
      out.f64[at + 2] = command.orderId;
      out.i64[at + 3] = command.price ?? 0n;
      out.i64[at + 4] = command.amount ?? 0n;
      break;
    }
    case "cancel_all_orders": {
      const side = command.side === undefined ? 0 : FLAG.sideGiven | (command.side === "sell" ? FLAG.sell : 0);
      head(
        out,
        KIND.cancel_all_orders,
        2,
        command.userId,
        command.marketId,
        accountFlags(command.account) | side | positionSideBits(command.positionSide),
      );
      break;
    }
    case "cancel_by_client_id":
      encodeCancelByClientId(out, KIND.cancel_by_client_id, command);
      break;
    case "place_stop_order": {
      const words = 5 + wordsFor(command.clientId.length);
      const reference = REFERENCE[command.triggerType ?? "latest_price"] << FLAG.referenceShift;
      head(out, KIND.place_stop_order, words, command.userId, command.marketId, orderFlags(command) | reference);
      out.i64[at + 2] = command.price;
      out.i64[at + 3] = command.amount;
      out.i64[at + 4] = command.trigger;
      writeAscii(out, at + 5, command.clientId);
      break;
    }
    case "modify_stop_order": {
      const given =
        (command.price === undefined ? 0 : FLAG.priceGiven) |
        (command.amount === undefined ? 0 : FLAG.amountGiven) |
        (command.trigger === undefined ? 0 : FLAG.triggerGiven);
      head(out, KIND.modify_stop_order, 6, command.userId, command.marketId, accountFlags(command.account) | given);
      out.f64[at + 2] = command.stopId;
      out.i64[at + 3] = command.price ?? 0n;
      out.i64[at + 4] = command.amount ?? 0n;
      out.i64[at + 5] = command.trigger ?? 0n;
      break;
    }
    case "cancel_stop_order":
      head(out, KIND.cancel_stop_order, 3, command.userId, command.marketId, accountFlags(command.account));
      out.f64[at + 2] = command.stopId;
      break;
    case "cancel_stop_by_client_id":
      encodeCancelByClientId(out, KIND.cancel_stop_by_client_id, command);
      break;
    case "tick":
      head(out, KIND.tick, 2, 0, 0, 0);
      break;
    case "begin_epoch":
      encodeEpoch(out, command);
      break;
    default:
      encodeJson(out, command);
  }
  return at;
}

/** The command at word `at`, for people and tests; the engine reads the words themselves. */
export function decodeCommand(buffer: WordBuffer, at: number): Command {
  const kind = (buffer.i32[at * 2] as number) & 255;
  const userId = buffer.i32[at * 2 + 1] as number;
  const marketId = buffer.i32[at * 2 + 2] as number;
  const flags = buffer.i32[at * 2 + 3] as number;
  const account = (flags & FLAG.accountGiven) === 0 ? undefined : accountOf(flags);
  switch (kind) {
    case KIND.place_order:
      return {
        kind: "place_order",
        userId,
        marketId,
        ...orderTraits(flags),
        amount: buffer.i64[at + 3] as bigint,
        price: buffer.i64[at + 2] as bigint,
        clientId: clientIdAt(buffer, at + 4, flags),
      };
    case KIND.close_position: {
      const { type, hidden, stpMode } = orderTraits(flags);
      return {
        kind: "close_position",
        userId,
        marketId,
        type,
        hidden,
        stpMode,
        ...positionSideGiven(flags),
        amount: flags & FLAG.amountGiven ? (buffer.i64[at + 3] as bigint) : undefined,
        price: buffer.i64[at + 2] as bigint,
        clientId: clientIdAt(buffer, at + 4, flags),
      };
    }
    case KIND.cancel_order:
      return { kind: "cancel_order", userId, marketId, account, orderId: buffer.f64[at + 2] as number };
    case KIND.modify_order:
      return {
        kind: "modify_order",
        userId,
        marketId,
        account,
        orderId: buffer.f64[at + 2] as number,
        price: flags & FLAG.priceGiven ? (buffer.i64[at + 3] as bigint) : undefined,
        amount: flags & FLAG.amountGiven ? (buffer.i64[at + 4] as bigint) : undefined,
      };
    case KIND.cancel_all_orders:
      return {
        kind: "cancel_all_orders",
        userId,
        marketId,
        account: account ?? "spot",
        side: flags & FLAG.sideGiven ? SIDES[flags & FLAG.sell] : undefined,
        ...positionSideGiven(flags),
      };
    case KIND.cancel_by_client_id:
    case KIND.cancel_stop_by_client_id:
      return {
        kind: kind === KIND.cancel_by_client_id ? "cancel_by_client_id" : "cancel_stop_by_client_id",
        userId,
        marketId: marketId < 0 ? undefined : marketId,
        account: account ?? "spot",
        ...positionSideGiven(flags),
        clientId: clientIdAt(buffer, at + 2, flags),
      };
    case KIND.place_stop_order:
      return {
        kind: "place_stop_order",
        userId,
        marketId,
        ...orderTraits(flags),
        amount: buffer.i64[at + 3] as bigint,
        price: buffer.i64[at + 2] as bigint,
        trigger: buffer.i64[at + 4] as bigint,
        ...(referenceOf(flags) === 0 ? {} : { triggerType: triggerTypeOf(flags) }),
        clientId: clientIdAt(buffer, at + 5, flags),
      };
    case KIND.modify_stop_order:
      return {
        kind: "modify_stop_order",
        userId,
        marketId,
        account,
        stopId: buffer.f64[at + 2] as number,
        price: flags & FLAG.priceGiven ? (buffer.i64[at + 3] as bigint) : undefined,
        amount: flags & FLAG.amountGiven ? (buffer.i64[at + 4] as bigint) : undefined,
        trigger: flags & FLAG.triggerGiven ? (buffer.i64[at + 5] as bigint) : undefined,
      };
    case KIND.cancel_stop_order:
      return { kind: "cancel_stop_order", userId, marketId, account, stopId: buffer.f64[at + 2] as number };
    case KIND.tick:
      return { kind: "tick" };
    case KIND.begin_epoch:
      return decodeEpoch(buffer, at);
    case KIND.json:
      return decodeJson(buffer, at) as JsonCommand;
    default:
      throw new Error(`The log holds a command of unknown kind ${kind}; it was written by a newer version.`);
  }
}

const EPOCH_WORDS = 11;
const HASH_BYTES = 32;

/** Two forms in word 2, then the two hashes. */
function encodeEpoch(out: WordBuffer, { rulesVersion, before, after }: BeginEpoch): void {
  const at = out.length;
  head(out, KIND.begin_epoch, EPOCH_WORDS, 0, rulesVersion, 0);
  out.i32[at * 2 + 4] = before.form;
  out.i32[at * 2 + 5] = after.form;
  [before, after].forEach(({ hash }, which) => {
    const start = (at + 3) * 8 + which * HASH_BYTES;
    for (let byte = 0; byte < HASH_BYTES; byte++) {
      out.bytes[start + byte] = Number.parseInt(hash.slice(byte * 2, byte * 2 + 2), 16);
    }
  });
}

function decodeEpoch(buffer: WordBuffer, at: number): BeginEpoch {
  const [before, after] = [0, 1].map((which) => {
    const start = (at + 3) * 8 + which * HASH_BYTES;
    const bytes = [...buffer.bytes.subarray(start, start + HASH_BYTES)];
    const hash = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return { hash, form: (buffer.i32[at * 2 + 4 + which] as number) >>> 0 };
  }) as [StateMark, StateMark];
  return { kind: "begin_epoch", rulesVersion: buffer.i32[at * 2 + 2] as number, before, after };
}

/** Whether the record at `at` is a JSON command: what operators do, and all that is rare. */
export function isJson(buffer: WordBuffer, at: number): boolean {
  return ((buffer.i32[at * 2] as number) & 255) === KIND.json;
}

/** Made once: each costs more than the text of a record. */
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Appends a JSON record: word 0 holds the byte length, the text follows. */
export function encodeJson(out: WordBuffer, value: unknown): void {
  const text = encoder.encode(JSON.stringify(value));
  const words = 1 + wordsFor(text.byteLength);
  const at = out.open(words);
  out.bytes.fill(0, at * 8, (at + words) * 8);
  out.i32[at * 2] = KIND.json | (words << 8);
  out.i32[at * 2 + 1] = text.byteLength;
  out.bytes.set(text, (at + 1) * 8);
}

/** The value of a JSON record. */
export function decodeJson(buffer: WordBuffer, at: number): unknown {
  const start = (at + 1) * 8;
  const byteLength = buffer.i32[at * 2 + 1] as number;
  return JSON.parse(decoder.decode(buffer.bytes.subarray(start, start + byteLength)));
}

/** Whether the text of a JSON record begins with these characters, which are ASCII. */
export function startsJson({ bytes, i32 }: WordBuffer, at: number, start: string): boolean {
  if ((i32[at * 2 + 1] as number) < start.length) return false;
  const from = (at + 1) * 8;
  for (let index = 0; index < start.length; index++) {
    if (bytes[from + index] !== start.charCodeAt(index)) return false;
  }
  return true;
}

/** Traits that an order keeps from its beginning to its end. */
export interface OrderTraits {
  readonly account: Account;
  readonly side: Side;
  readonly type: OrderType;
  /** The unit of its amount: lots, or units of the quote asset. */
  readonly amountIn: "base" | "quote";
  readonly hidden: boolean;
  readonly stpMode: StpMode;
  /** Of futures orders in hedge mode: the position that it is for. */
  readonly positionSide?: PositionSide | undefined;
}

/** Returns the traits in the flags word of an order. */
export function orderTraits(flags: number): OrderTraits {
  const traits = {
    account: accountOf(flags),
    side: SIDES[flags & FLAG.sell] as Side,
    type: ORDER_TYPES[(flags >> FLAG.typeShift) & FLAG.typeMask] as OrderType,
    amountIn: flags & FLAG.inQuote ? ("quote" as const) : ("base" as const),
    hidden: (flags & FLAG.hidden) !== 0,
    stpMode: STP_MODES[(flags >> FLAG.stpShift) & FLAG.stpMask] as StpMode,
  };
  return (flags & FLAG.sided) === 0 ? traits : { ...traits, ...positionSideGiven(flags) };
}

export function isMarketOrder(flags: number): boolean {
  return ((flags >> FLAG.typeShift) & FLAG.typeMask) === TYPE.market;
}

/** Returns the purpose in the flags word of an order. */
export function aimOf(flags: number): Aim {
  return AIMS[(flags >> FLAG.aimShift) & FLAG.aimMask] as Aim;
}

/**
 * Returns the price that the trigger of a stop order with these flags is compared with, as a place in TRIGGER_TYPES.
 */
export function referenceOf(flags: number): number {
  return (flags >> FLAG.referenceShift) & FLAG.referenceMask;
}

/** As `referenceOf`, by name. Bits that no command has count as the latest price. */
export function triggerTypeOf(flags: number): TriggerType {
  return TRIGGER_TYPES[referenceOf(flags)] as TriggerType;
}

function positionSideGiven(flags: number): { positionSide?: PositionSide } {
  return (flags & FLAG.sided) === 0 ? {} : { positionSide: (flags & FLAG.short) === 0 ? "long" : "short" };
}

export function clientIdAt(buffer: WordBuffer, at: number, flags: number): string {
  return readAscii(buffer, at, (flags >> FLAG.clientIdLengthShift) & FLAG.clientIdLengthMask);
}

function accountFlags(account: Account | undefined): number {
  if (account === undefined) return 0;
  return FLAG.accountGiven | accountBits(account);
}

function accountBits(account: Account): number {
  return account === "futures" ? FLAG.futures : account === "margin" ? FLAG.margin : 0;
}

function positionSideBits(side: PositionSide | undefined): number {
  return side === undefined ? 0 : side === "short" ? FLAG.sided | FLAG.short : FLAG.sided;
}

/** The account that the flags of an order or of a command name. */
export function accountOf(flags: number): Account {
  return flags & FLAG.futures ? "futures" : flags & FLAG.margin ? "margin" : "spot";
}

function encodeCancelByClientId(out: WordBuffer, kind: number, command: Omit<CancelByClientId, "kind">): void {
  const at = out.length;
  const words = 2 + wordsFor(command.clientId.length);
  const flags = accountFlags(command.account) | positionSideBits(command.positionSide);
  const length = command.clientId.length << FLAG.clientIdLengthShift;
  head(out, kind, words, command.userId, command.marketId ?? -1, flags | length);
  writeAscii(out, at + 2, command.clientId);
}

function head(out: WordBuffer, kind: number, words: number, userId: number, marketId: number, flags: number): void {
  const at = out.open(words) * 2;
  out.i32[at] = kind | (words << 8);
  out.i32[at + 1] = userId;
  out.i32[at + 2] = marketId;
  out.i32[at + 3] = flags;
}
