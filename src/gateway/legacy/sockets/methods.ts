/** The methods of the legacy sockets of one kind, from the contract: parameters in a row become parameters by name. */
import { invalidParameter, marketNotFound, Refused } from "../../refused.ts";
import type { Param } from "../../request/rules.ts";
import { type Params, ParamsSchema } from "../../request/validate.ts";
import type { Channel, ChannelContext } from "../../ws/channel.ts";
import { isOn, type MarketKind } from "../../ws/contract.ts";
import type { CallHandler, Method } from "../../ws/methods.ts";
import type { GivenParams } from "../../ws/request.ts";
import { asMarketName } from "../parameters.ts";
import type {
  LegacySocketCall,
  LegacySocketChannel,
  LegacySocketContract,
  LegacySocketList,
  LegacySocketParam,
} from "./contract.ts";

type Check = (given: readonly unknown[]) => Params | Refused;

/** Throws when a call or a channel of the contract has nothing behind it. */
export function legacyMethodsOf(
  contract: LegacySocketContract,
  context: ChannelContext,
  calls: Readonly<Record<string, CallHandler>>,
  channels: ReadonlyMap<string, Channel>,
): ReadonlyMap<string, Method> {
  const { kind } = context;
  const methods = new Map<string, Method>();
  for (const call of contract.calls.filter((each) => isOn(kind, each))) {
    const { method, signed } = call;
    const run = calls[method];
    if (run === undefined) throw new Error(`Nothing answers the legacy method ${method} of the contract.`);
    methods.set(method, {
      ...{ signed, channels: [], names: undefined, run },
      check: onList(callCheck(contract, kind, call)),
    });
  }
  const described = contract.channels.filter((channel) => isOn(kind, channel));
  for (const channel of described) {
    const { signed, subscribe, unsubscribe } = channel;
    // Two channels may be followed by one method.
    const together = described.filter((other) => other.subscribe.method === subscribe.method);
    const served = together.map((each) => servedBy(each, channels));
    const about = together.flatMap(({ name, serves = name }) => [name, serves]);
    methods.set(subscribe.method, {
      signed,
      channels: about,
      names: { channels: served, isJoining: true, replaces: true },
      check: onList(namesCheck(contract, context, channel)),
      run: (client, params) => ({
        done: () => {
          for (const each of served) {
            each.unsubscribe(client, NO_NAMES);
            each.subscribe(client, params);
          }
        },
      }),
    });
    methods.set(unsubscribe.method, {
      signed,
      channels: about,
      names: undefined,
      check: onList(() => NO_NAMES),
      run: (client) => ({
        done: () => {
          for (const each of served) each.unsubscribe(client, NO_NAMES);
        },
      }),
    });
  }
  return methods;
}

function servedBy({ name, serves = name }: LegacySocketChannel, channels: ReadonlyMap<string, Channel>): Channel {
  const channel = channels.get(serves);
  if (channel === undefined) throw new Error(`Nothing serves the legacy channel ${serves} of the contract.`);
  return channel;
}

/** An empty list under each name that lists of names have: everything. */
const MARKET_LIST = "market_list";
const NO_NAMES: Params = { market_list: [], ccy_list: [], channels: [] };

function onList(check: Check): Method["check"] {
  return (given: GivenParams) => check(given as readonly unknown[]);
}

/** A call is taken in either order, and the likelier one is tried first. */
function callCheck(
  contract: LegacySocketContract,
  kind: MarketKind,
  { params, also_in_order: otherOrder }: LegacySocketCall,
): Check {
  const check = rowCheck(contract, kind, params);
  if (otherOrder === undefined) return check;
  const moved = params.map((param) => ({ ...param, position: otherOrder.indexOf(param.name) }));
  const other = rowCheck(contract, kind, moved);
  return (given) => {
    const checked = check(given);
    if (!(checked instanceof Refused)) return checked;
    const inOtherOrder = other(given);
    return inOtherOrder instanceof Refused ? checked : inOtherOrder;
  };
}

/** Returns the check of a channel's parameters, which gives its list under the list's name. */
function namesCheck(
  contract: LegacySocketContract,
  { kind, marketNamed }: ChannelContext,
  { name, subscribe }: LegacySocketChannel,
): Check {
  const { params } = subscribe;
  if (!("kind" in params)) {
    const row = rowCheck(contract, kind, params);
    return (given) => {
      const checked = row(given);
      if (checked instanceof Refused) return checked;
      if (name === "depth") return { market_list: [depthTopic(checked)] };
      // Candles are of markets that there are; who waits for another asks again.
      const { market, interval } = checked as { market: string; interval: number };
      return marketNamed(market) === undefined ? marketNotFound(market) : { market_list: [[market, interval]] };
    };
  }
  if (params.item_params === undefined) return listCheck(contract, params);
  const row = rowCheck(contract, kind, params.item_params);
  const max = contract.values.limits.get(params.max_items) as number;
  return (given) => {
    if (given.length > max) return invalidParameter(`params must be at most ${max}.`);
    const topics: unknown[] = [];
    for (const item of given) {
      const checked = Array.isArray(item) ? row(item) : NO_ROW;
      if (checked instanceof Refused) return checked;
      topics.push(depthTopic(checked));
    }
    return { market_list: topics };
  };
}

const NO_ROW = invalidParameter("each of params must be a list.");

/** Here it is said whether changes are wanted, there whether every push is to be whole. */
function depthTopic({ market, limit, interval, diff }: Params): readonly unknown[] {
  return [market, limit, interval, diff !== true];
}

function listCheck(
  { values }: LegacySocketContract,
  { name, items, max_items, enum: choice }: LegacySocketList,
): Check {
  const rule = {
    name,
    type: `array<${items}>`,
    min_items: 0,
    max_items,
    ...(choice === undefined ? {} : { enum: choice }),
  };
  const schema = new ParamsSchema(values, [{ ...rule, in: "body", required: true, default: null, rule: "" }]);
  const listed = name === MARKET_LIST ? (given: readonly unknown[]) => given.map(asMarketName) : undefined;
  return (given) => schema.ofValues({ [name]: listed?.(given) ?? given });
}

/** Parameters in a row, by their names; more than there are is wrong. The last may be a list of all that follows. */
function rowCheck({ values }: LegacySocketContract, kind: MarketKind, params: readonly LegacySocketParam[]): Check {
  const schema = new ParamsSchema(
    values,
    params.map((param) => namedParam(kind, param)),
  );
  const single = params.filter(({ position }) => typeof position === "number");
  const rest = params.find(({ position }) => typeof position === "string");
  return (given) => {
    if (rest === undefined && given.length > single.length) {
      return invalidParameter(`params must be at most ${single.length}.`);
    }
    const row: Params = {};
    for (const { name, position, form } of single) {
      const value = given[position as number];
      row[name] = form === "market" ? asMarketName(value) : value;
    }
    if (rest !== undefined) {
      const all = given.slice(single.length);
      row[rest.name] = rest.form === "market" ? all.map(asMarketName) : all;
    }
    return schema.ofValues(row);
  };
}

function namedParam(kind: MarketKind, param: LegacySocketParam): Param {
  const { futures_enum: futures, enum: choice = null } = param;
  return { ...param, in: "body", enum: kind === "futures" ? (futures ?? choice) : choice };
}
