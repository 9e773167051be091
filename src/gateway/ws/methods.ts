/**
 * The methods of the sockets of one kind, from the contract: what each needs, how its parameters are checked, what it
 * does.
 */

import type { ApiKey } from "../auth/key-directory.ts";
import type { MessageCall } from "../current/api.ts";
import type { Refused } from "../refused.ts";
import type { Serve } from "../request/pipeline.ts";
import { type Params, ParamsSchema } from "../request/validate.ts";
import type { Channel } from "./channel.ts";
import type { Client } from "./client.ts";
import { isOn, type MarketKind, type SocketContract, type SocketParam } from "./contract.ts";
import type { SocketRefused } from "./refused.ts";
import type { GivenParams } from "./request.ts";
import type { SocketCall } from "./socket-call.ts";

/**
 * The `data` of an answer as JSON, with what is to be done behind it; what is to be done behind a plain
 * acknowledgement, with the key that it logs in, what has to be waited for, or what answers the call itself, as over
 * HTTP. Nothing is done or asked before the answer is given.
 */
export type CallAnswer =
  | { readonly data: string; readonly done?: () => void }
  | { readonly done: () => void; readonly login?: ApiKey }
  | { readonly later: () => Promise<LateAnswer> }
  | { readonly perform: (call: SocketCall) => void };
export type LateAnswer = { readonly data: string } | SocketRefused;
export type CallHandler = (client: Client, params: Params) => CallAnswer | SocketRefused;

/** Names that a method follows or leaves, in channels each of which keeps them. */
export interface Following {
  readonly channels: readonly Channel[];
  readonly isJoining: boolean;
  /** Whether they take the place of those that were followed before; else they are added. */
  readonly replaces: boolean;
}

export interface Method {
  readonly signed: boolean;
  /** The names of the channels that it is about, for who lets them fail. */
  readonly channels: readonly string[];
  /** The names that it follows or leaves; undefined when it has none. */
  readonly names: Following | undefined;
  /** The checked parameters, by name, or what is wrong with them. */
  check(given: GivenParams): Params | Refused;
  run(client: Client, params: Params): CallAnswer | SocketRefused;
}

/** The endpoints of HTTP that methods call, by name; undefined for what is not served. */
export type MessageCalls = (endpoint: string) => Serve<MessageCall> | undefined;

/**
 * Throws when a call or a channel of the contract has nothing behind it. Without `endpoints` none is called by a
 * method.
 */
export function methodsOf(
  contract: SocketContract,
  kind: MarketKind,
  calls: Readonly<Record<string, CallHandler>>,
  channels: ReadonlyMap<string, Channel>,
  endpoints: MessageCalls | undefined,
): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>();
  for (const { method, signed, params, or_params, endpoint } of contract.calls.filter((call) => isOn(kind, call))) {
    if (endpoint !== undefined) {
      if (endpoints !== undefined) methods.set(method, endpointMethod(endpoint[kind], endpoints));
      continue;
    }
    const run = calls[method];
    if (run === undefined) throw new Error(`Nothing answers the method ${method} of the contract.`);
    const check = eitherOf(checkOf(contract, params), contract, or_params);
    methods.set(method, { signed, channels: [], names: undefined, check, run });
  }
  for (const { name, signed, subscribe, unsubscribe } of contract.channels.filter((channel) => isOn(kind, channel))) {
    const channel = channels.get(name);
    if (channel === undefined) throw new Error(`Nothing serves the channel ${name} of the contract.`);
    methods.set(subscribe.method, {
      signed,
      channels: [name],
      names: { channels: [channel], isJoining: true, replaces: false },
      check: checkOf(contract, subscribe.params),
      run: (client, params) => ({ done: () => channel.subscribe(client, params) }),
    });
    methods.set(unsubscribe.method, {
      signed,
      channels: [name],
      names: { channels: [channel], isJoining: false, replaces: false },
      check: checkOf(contract, unsubscribe.params),
      run: (client, params) => ({ done: () => channel.unsubscribe(client, params) }),
    });
  }
  return methods;
}

/** Calls an endpoint as over HTTP. Its parameters are checked there, behind its quota. */
function endpointMethod(name: string, endpoints: MessageCalls): Method {
  const perform = endpoints(name);
  if (perform === undefined) throw new Error(`Nothing serves ${name}, which a method of the contract calls.`);
  return {
    signed: true,
    channels: [],
    names: undefined,
    check: (given) => given as Params,
    run: () => ({ perform }),
  };
}

/** The other parameters count where the first of them is given. */
function eitherOf(
  check: Method["check"],
  contract: SocketContract,
  others: readonly SocketParam[] | undefined,
): Method["check"] {
  const [first] = others ?? [];
  if (others === undefined || first === undefined) return check;
  const otherCheck = checkOf(contract, others);
  return (given) => (Object.hasOwn(given, first.name) ? otherCheck(given) : check(given));
}

function checkOf(contract: SocketContract, params: readonly SocketParam[]): Method["check"] {
  const schema = new ParamsSchema(contract.values, params);
  const loose = params.filter((param) => param.items_may_be_lists === true);
  const all = params.filter((param) => param.missing_means_all === true);
  const rounding = params.filter((param) => param.limits_round_up === true);
  const depthLimits = limitsOf(contract);
  return (given) => {
    const values = { ...(given as Params) };
    for (const { name } of loose) {
      const items = values[name];
      if (Array.isArray(items)) values[name] = items.map((item) => (Array.isArray(item) ? item[0] : item));
    }
    for (const { name } of all) values[name] ??= [];
    for (const { name } of rounding) values[name] = roundedUp(values[name], depthLimits);
    return schema.ofValues(values);
  };
}

/** Limits of a book, ascending. */
function limitsOf({ values }: SocketContract): number[] {
  const field = values.records.get("DepthSubscription")?.fields[1];
  const offered = values.enums.get(field?.enum ?? "")?.values.map(({ value }) => Number(value)) ?? [];
  return offered.sort((one, other) => one - other);
}

/** Items `[market, limit, …]` with limits that are offered; what is none, or above them all, stays as it is. */
function roundedUp(items: unknown, limits: readonly number[]): unknown {
  if (!Array.isArray(items)) return items;
  return items.map((item: unknown) => {
    if (!Array.isArray(item) || typeof item[1] !== "number" || !(item[1] > 0)) return item;
    const [market, wanted, ...rest] = item;
    return [market, limits.find((limit) => limit >= wanted) ?? wanted, ...rest];
  });
}
