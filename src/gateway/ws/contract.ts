/**
 * The wire contract of the current sockets, read from `contract/websocket` once at start: addresses, methods, parameter
 * checks, error codes and limits all come from here; contract/README.md explains the keys.
 */
import { readFileSync } from "node:fs";
import { type Contract, loadContract } from "../current/contract.ts";
import type { EnumType, Param, RecordType } from "../request/rules.ts";

/** The kind of markets that a socket serves; each kind has its own address, markets and error codes. */
export type MarketKind = "spot" | "futures";

interface OnSockets {
  readonly markets: MarketKind | "both";
  readonly signed: boolean;
  readonly notes: readonly string[];
}

export interface SocketParam extends Param {
  /** An item may be a list whose first member is meant. */
  readonly items_may_be_lists?: boolean;
  /** Without it, it is an empty list. */
  readonly missing_means_all?: boolean;
  /** A limit within an item that is not offered stands for the next higher one. */
  readonly limits_round_up?: boolean;
}

/** A method with an answer of its own. */
export interface SocketCall extends OnSockets {
  readonly method: string;
  readonly params: readonly SocketParam[];
  /** Parameters that may be given in the place of all of `params`, recognized by the name of the first. */
  readonly or_params?: readonly SocketParam[];
  /**
   * The endpoint of HTTP that it calls, by the kind of socket: parameters, quota, refusals and answer are that one's.
   */
  readonly endpoint?: Readonly<Record<MarketKind, string>>;
  readonly result: { readonly kind: string; readonly record: string };
}

interface SubscribeMethod {
  readonly method: string;
  readonly params: readonly SocketParam[];
}

export interface SocketChannel extends OnSockets {
  readonly name: string;
  readonly subscribe: SubscribeMethod;
  readonly unsubscribe: SubscribeMethod;
  readonly update: { readonly method: string; readonly record: string };
  readonly frequency: string;
  /** Pushes are collected for so long; null: each change at once. */
  readonly every_ms: number | null;
  readonly full_every_ms?: number;
  readonly first_items_max?: number;
}

export interface SocketError {
  readonly code: number;
  readonly message: string;
  readonly meaning: string;
}

export interface SocketContract {
  readonly endpoints: readonly { readonly markets: MarketKind; readonly path: string }[];
  readonly calls: readonly SocketCall[];
  readonly channels: readonly SocketChannel[];
  readonly errors: Readonly<Record<MarketKind, readonly SocketError[]>>;
  readonly idleCloseMs: number;
  /**
   * Records, enums, forms and limits for the checks of parameters: those of the sockets, and what they share with HTTP.
   */
  readonly values: Contract;
  readonly limits: ReadonlyMap<string, number>;
}

interface ContractFile extends Pick<SocketContract, "endpoints" | "calls" | "channels"> {
  readonly errors: SocketContract["errors"];
  readonly keepalive: { readonly idle_close_seconds: number };
  readonly limits: readonly { readonly name: string; readonly value: number }[];
  readonly records: Readonly<Record<string, RecordType>>;
  readonly enums: Readonly<Record<string, EnumType>>;
}

const FILE = new URL("../../../contract/websocket/current.json", import.meta.url);

/** Reads the contract. Throws when the file is missing or does not hold JSON. */
export function loadSocketContract(http: Contract = loadContract()): SocketContract {
  const file = JSON.parse(readFileSync(FILE, "utf8")) as ContractFile;
  const limits = new Map(file.limits.map((limit) => [limit.name, limit.value]));
  return {
    endpoints: file.endpoints,
    calls: file.calls,
    channels: file.channels,
    errors: file.errors,
    idleCloseMs: file.keepalive.idle_close_seconds * 1_000,
    values: {
      ...http,
      records: new Map(Object.entries(file.records)),
      enums: new Map(Object.entries(file.enums)),
      limits: new Map([...http.limits, ...limits]),
    },
    limits,
  };
}

/** Whether something of the contract stands on the sockets of a kind. */
export function isOn(kind: MarketKind, { markets }: { readonly markets: MarketKind | "both" }): boolean {
  return markets === "both" || markets === kind;
}
