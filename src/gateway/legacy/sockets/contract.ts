/**
 * The wire contract of the legacy sockets, read from `contract/legacy/websocket.json` once at start: methods with
 * parameters in a row, channels, errors. contract/legacy/README.md explains the keys that the current sockets do not
 * have.
 */
import type { Param, RecordType, Vocabulary } from "../../request/rules.ts";
import type { MarketKind, SocketChannel, SocketContract, SocketError } from "../../ws/contract.ts";
import { type LegacyContract, readData } from "../contract.ts";

/** One of the parameters in a row. */
export interface LegacySocketParam extends Omit<Param, "in"> {
  /** Its place; of a list the first of its places, as `1..`, or `all`. */
  readonly position: number | string;
  /** The enumeration that takes the place of `enum` on the futures socket. */
  readonly futures_enum?: string;
}

/** Parameters that are a list of names, or of parameters in a row. */
export interface LegacySocketList {
  readonly kind: "list";
  /** The name of the list within the venue. */
  readonly name: string;
  readonly items: "string" | "int" | "array";
  readonly enum?: string;
  readonly max_items: string;
  readonly item_params?: readonly LegacySocketParam[];
  readonly rule: string;
}

interface OnSockets {
  readonly markets: MarketKind | "both";
  readonly signed: boolean;
  readonly notes?: readonly string[];
}

export interface LegacySocketCall extends OnSockets {
  readonly method: string;
  readonly params: readonly LegacySocketParam[];
  /** Their names in the order in which some clients have them. */
  readonly also_in_order?: readonly string[];
  readonly result: { readonly kind: string; readonly record: string | null; readonly item?: string };
}

export interface LegacySocketChannel extends OnSockets {
  readonly name: string;
  /** The channel that its methods are further ones of. */
  readonly serves?: string;
  readonly subscribe: {
    readonly method: string;
    readonly params: readonly LegacySocketParam[] | LegacySocketList;
  };
  readonly unsubscribe: { readonly method: string };
  readonly update: {
    readonly method: string;
    readonly params: readonly {
      readonly position: number | string;
      readonly name: string;
      readonly type: string;
      readonly meaning: string;
      readonly record: string | null;
    }[];
  };
  readonly frequency: string;
  readonly every_ms: number | null;
  readonly full_every_ms?: number;
  readonly first_items_max?: number;
}

export interface LegacySocketContract {
  readonly endpoints: readonly { readonly markets: MarketKind; readonly path: string }[];
  readonly calls: readonly LegacySocketCall[];
  readonly channels: readonly LegacySocketChannel[];
  readonly errors: readonly SocketError[];
  /**
   * For the checks of parameters: records and enumerations of this generation; forms and limits are those of the
   * current sockets.
   */
  readonly values: Vocabulary;
}

interface ContractFile extends Pick<LegacySocketContract, "endpoints" | "calls" | "channels"> {
  readonly records: Readonly<Record<string, RecordType>>;
}

/** Reads the contract. Throws when a file is missing or does not hold JSON. */
export function loadLegacySocketContract(
  { values }: Pick<SocketContract, "values">,
  { enums }: Pick<LegacyContract, "enums">,
): LegacySocketContract {
  const { endpoints, calls, channels, records } = readData<ContractFile>("websocket.json");
  return {
    endpoints,
    calls,
    channels,
    errors: readData<{ websocket: readonly SocketError[] }>("errors.json").websocket,
    values: { records: new Map(Object.entries(records)), enums, forms: values.forms, limits: values.limits },
  };
}

/** A channel as those who serve it know it: parameters that are a list have its name. */
export function asSocketChannel(channel: LegacySocketChannel): SocketChannel {
  const { subscribe, unsubscribe, update, notes = [], ...rest } = channel;
  const { params } = subscribe;
  const list = "kind" in params ? params : { name: "market_list", rule: "" };
  const names = { ...list, type: "array<string>", in: "body", required: true, default: null } as const;
  return {
    ...rest,
    notes,
    subscribe: { method: subscribe.method, params: [names as Param] },
    unsubscribe: { method: unsubscribe.method, params: [] },
    update: { method: update.method, record: "" },
  };
}
