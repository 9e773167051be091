import type { Scope } from "../../engine/cancel-after/timers.ts";
import type { Renderer } from "../http/renderer.ts";
import type { ChannelDeclaration } from "./channel.ts";
import type { MarketKind, SocketContract, SocketError } from "./contract.ts";
import { type SocketRefusal, socketErrors } from "./errors.ts";
import type { SocketGeneration } from "./generation.ts";
import { type MessageCalls, methodsOf } from "./methods.ts";
import { OWN_PACKED, PACKED, Push } from "./push.ts";
import { readRequest } from "./request.ts";
import { toldFields } from "./socket-observer.ts";

/** The HTTP endpoints that methods call, and the renderer that words their refusals. */
export interface AsOverHttp {
  readonly endpoints: MessageCalls;
  readonly renderer: Renderer;
}

/**
 * The current generation: parameters by name, pushes compressed in binary frames, `{"id":1,"code":0,"message":"OK"}`.
 */
export function currentGeneration(
  contract: SocketContract,
  declared: readonly ChannelDeclaration[],
  asOverHttp?: AsOverHttp,
): SocketGeneration {
  const errors: Readonly<Record<MarketKind, Readonly<Record<SocketRefusal, SocketError>>>> = {
    spot: socketErrors(contract, "spot"),
    futures: socketErrors(contract, "futures"),
  };
  return {
    renderer: asOverHttp?.renderer,
    channels: contract.channels,
    declared,
    push: (method, data, isOwn) =>
      new Push(`{"method":"${method}","data":${data},"id":null}`, isOwn ? OWN_PACKED : PACKED, true),
    read: readRequest,
    methodsOf: ({ kind, backend }, channels, hub) =>
      methodsOf(
        contract,
        kind,
        {
          "server.ping": () => ({ data: '{"result":"pong"}' }),
          "server.time": () => ({ data: `{"timestamp":${backend.now()}}` }),
          "server.sign": (client, params) => {
            const { access_id: accessId, signed_str: signature, timestamp, session } = params as unknown as SignParams;
            if (session !== undefined) return hub.loginBySession(client, session);
            return hub.login(client, { accessId, signature, timestamp });
          },
          "session.cancel_on_disconnect": (client, params) => {
            const { active, scope, market_list: markets, grace_ms: graceMs } = params as unknown as WatchParams;
            return hub.cancelOnDisconnect(client, { active, scope, markets, graceMs });
          },
          "session.open": (client) => hub.openSession(client),
          "session.resume": (client, params) => {
            const { session, last_seq: lastSeq } = params as unknown as ResumeParams;
            return hub.resume(client, session, lastSeq);
          },
        },
        channels,
        asOverHttp?.endpoints,
      ),
    answer: (id, data) => new Push(`{"id":${id},"code":0,"message":"OK","data":${data}}`),
    acknowledge: (id) => new Push(`{"id":${id},"code":0,"message":"OK"}`),
    errorOf: (kind, refusal) => errors[kind][refusal],
    refuse: (id, code, message, told) =>
      new Push(`{"id":${id},"code":${code},"message":${JSON.stringify(message)}${toldFields(told)}}`),
  };
}

interface WatchParams {
  readonly active: boolean;
  readonly scope: Scope;
  readonly market_list: readonly string[];
  readonly grace_ms: number;
}

interface ResumeParams {
  readonly session: string;
  readonly last_seq: number;
}

interface SignParams {
  readonly access_id: string;
  readonly signed_str: string;
  readonly timestamp: number;
  /** In the place of all others. */
  readonly session?: string;
}
