/**
 * The contract of the sockets under `compat`: as existing clients know it. docs/reference/compat.md says what each
 * difference rests on.
 */
import type { SocketContract, SocketError, SocketParam } from "./contract.ts";

const UNKNOWN_METHOD = 2;
const CODE_BASE = 10_000;

export function liveSocketContract(contract: SocketContract): SocketContract {
  return {
    ...contract,
    errors: { spot: contract.errors.spot.map(liveError), futures: contract.errors.futures.map(liveError) },
    channels: contract.channels.map((channel) => ({
      ...channel,
      subscribe: { ...channel.subscribe, params: channel.subscribe.params.map(liveParam) },
      unsubscribe: { ...channel.unsubscribe, params: channel.unsubscribe.params.map(liveParam) },
    })),
  };
}

/** F3. */
function liveError(error: SocketError): SocketError {
  return error.code % CODE_BASE === UNKNOWN_METHOD ? { ...error, message: "unknown method" } : error;
}

/** F8: a list that is missing means all. F9: a book may be asked for with limits that are not offered. */
function liveParam(param: SocketParam): SocketParam {
  if (param.type === "array<string>") return { ...param, missing_means_all: true };
  return param.type === "array<DepthSubscription>" ? { ...param, limits_round_up: true } : param;
}
