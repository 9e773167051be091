/** The legacy generation on the sockets: parameters in a row, plain text frames, `{"error":null,"result":…,"id":1}`. */
import { Refused } from "../../refused.ts";
import type { ChannelContext, ChannelDeclaration } from "../../ws/channel.ts";
import type { SocketError } from "../../ws/contract.ts";
import type { SocketRefusal } from "../../ws/errors.ts";
import type { HubCalls, SocketGeneration } from "../../ws/generation.ts";
import type { CallHandler } from "../../ws/methods.ts";
import { PLAIN, Push } from "../../ws/push.ts";
import { loginRefused } from "../../ws/refused.ts";
import { readListRequest } from "../../ws/request.ts";
import { toldFields } from "../../ws/socket-observer.ts";
import { asSocketChannel, type LegacySocketContract } from "./contract.ts";
import { legacyMethodsOf } from "./methods.ts";

/** The methods with answers of their own that a part of the gateway brings, by name. */
export type LegacySocketCalls = (context: ChannelContext) => Readonly<Record<string, CallHandler>>;

/** The codes of this generation for the refusals of sockets. */
const CODES: Readonly<Record<SocketRefusal, number>> = {
  invalid_argument: 1,
  internal_error: 2,
  too_frequent: 3,
  service_unavailable: 3,
  method_unavailable: 4,
  timeout: 5,
  auth_required: 6,
  signature_incorrect: 11,
};

export function legacyGeneration(
  contract: LegacySocketContract,
  declared: readonly ChannelDeclaration[],
  calls: readonly LegacySocketCalls[],
): SocketGeneration {
  const errors = errorsOf(contract);
  return {
    channels: contract.channels.filter(({ serves }) => serves === undefined).map(asSocketChannel),
    declared,
    push: (method, data) => new Push(`{"method":"${method}","params":[${data}],"id":null}`, PLAIN),
    read: readListRequest,
    methodsOf: (context, channels, hub) => {
      const all = Object.assign({}, serverCalls(context, hub), ...calls.map((bring) => bring(context)));
      return legacyMethodsOf(contract, context, all, channels);
    },
    answer: (id, data) => new Push(`{"error":null,"result":${data},"id":${id}}`, PLAIN),
    acknowledge: (id) => new Push(`{"error":null,"result":{"status":"success"},"id":${id}}`, PLAIN),
    errorOf: (_kind, refusal) => errors[refusal],
    refuse: (id, code, message, told) => {
      const error = `{"code":${code},"message":${JSON.stringify(message)}${toldFields(told)}}`;
      return new Push(`{"error":${error},"result":null,"id":${id}}`, PLAIN);
    },
  };
}

function serverCalls({ backend }: ChannelContext, hub: HubCalls): Readonly<Record<string, CallHandler>> {
  return {
    "server.ping": () => ({ data: '"pong"' }),
    "server.time": () => ({ data: String(Math.floor(backend.now() / 1_000)) }),
    "server.sign": (client, params) => {
      const { access_id: accessId, signature, time: timestamp } = params as unknown as SignParams;
      return hub.login(client, { accessId, signature, timestamp });
    },
    "server.auth": () => NO_TOKENS,
  };
}

/** Nobody is given the tokens that server.auth takes. */
const NO_TOKENS = loginRefused(new Refused("access_id_unknown", "The venue gives no tokens: log in with server.sign."));

interface SignParams {
  readonly access_id: string;
  readonly signature: string;
  readonly time: number;
}

/** The errors as the contract words them. Throws when it lacks one. */
function errorsOf({ errors }: LegacySocketContract): Readonly<Record<SocketRefusal, SocketError>> {
  const errorOf = (code: number) => {
    const error = errors.find((candidate) => candidate.code === code);
    if (error === undefined) throw new Error(`The contract of the legacy sockets has no error ${code}.`);
    return error;
  };
  const entries = Object.entries(CODES).map(([refusal, code]) => [refusal, errorOf(code)]);
  return Object.fromEntries(entries) as Record<SocketRefusal, SocketError>;
}
