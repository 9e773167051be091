/**
 * The current generation on the wire: binds handlers to the endpoints of the contract. Each request goes through the
 * checks in the contract's order, and what is not registered is neither served nor listed.
 */
import { type Failures, waitForProof } from "../auth/failures.ts";
import type { ApiKey } from "../auth/key-directory.ts";
import type { EnvelopeRenderer } from "../envelope/renderer.ts";
import type { Faults } from "../faults/faults.ts";
import { behindBarrier, type ReadBarrier } from "../http/read-barrier.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Surface } from "../http/router.ts";
import type { Service } from "../http/server.ts";
import { Refused } from "../refused.ts";
import { parseJsonBody } from "../request/json-body.ts";
import { REFUSED, type Serve } from "../request/pipeline.ts";
import type { Params } from "../request/validate.ts";
import type { Handler } from "./call.ts";
import { type Contract, type Endpoint, endpointName } from "./contract.ts";
import { type AnyHandler, type Asking, type CallOptions, callOf } from "./endpoint-call.ts";
import type { EndpointName } from "./types.generated.ts";

/** The handlers by `"METHOD /path"`. A second spelling of a path needs none of its own. */
export type Handlers = { readonly [Name in EndpointName]?: Handler<Name> };

export interface CurrentApiOptions extends CallOptions {
  readonly handlers: Handlers;
  readonly renderer: EnvelopeRenderer;
  /** Slows down who fails to prove who he is; undefined: nobody is. */
  readonly failures: Failures | undefined;
  /** Faults that are injected on purpose; undefined: there are none. */
  readonly faults?: Faults | undefined;
  /** The barrier that signed requests wait for, where several nodes serve. */
  readonly readBarrier?: ReadBarrier | undefined;
}

/** Every path answers with and without it. */
const PREFIX = "/v2";

/** The endpoints that `handlers` serve, in the contract's order. Throws for a name the contract does not have. */
export function servedEndpoints(contract: Contract, handlers: Handlers): readonly Endpoint[] {
  const names = new Set(contract.endpoints.map(endpointName));
  for (const name of Object.keys(handlers)) {
    if (!names.has(name)) throw new Error(`There is a handler for "${name}", which is no endpoint of the contract.`);
  }
  return contract.endpoints.filter((endpoint) => handlerOf(handlers, endpoint) !== undefined);
}

/** The surface of the current generation: the served endpoints by path and method. */
export function currentSurface(options: CurrentApiOptions): Surface {
  const routes = new Map<string, Map<string, Service>>();
  for (const endpoint of servedEndpoints(options.contract, options.handlers)) {
    const service = serviceOf(endpoint, handlerOf(options.handlers, endpoint) as AnyHandler, options);
    for (const path of [PREFIX + endpoint.path, endpoint.path]) {
      const methods = routes.get(path) ?? new Map<string, Service>();
      routes.set(path, methods.set(endpoint.method, service));
    }
  }
  return { base: "", renderer: options.renderer, routes };
}

/** A signed request that came as a message of a socket whose login is good: its parameters by name. */
export interface MessageCall extends Asking {
  readonly caller: ApiKey;
  readonly given: Params;
}

/**
 * The calls of served endpoints with a body, for messages of sockets: all that the same request over HTTP goes through
 * behind its signature.
 */
export function messageCalls(options: CurrentApiOptions): (name: string) => Serve<MessageCall> | undefined {
  const { authenticator } = options;
  return (name) => {
    const endpoint = options.contract.endpoints.find((candidate) => endpointName(candidate) === name);
    const handler = endpoint && handlerOf(options.handlers, endpoint);
    if (endpoint === undefined || handler === undefined) return undefined;
    return callOf<MessageCall>(endpoint, handler, options, {
      caller: (call) => {
        const refused = authenticator.refusedFor(call.caller, endpoint, call.nowMs);
        if (refused === undefined) return call.caller;
        call.refuse(refused);
        return REFUSED;
      },
      body: ({ given }) => given,
      params: ({ given }, _body, schema) => schema.ofBody(given),
    });
  };
}

const BODY_OF_A_SIGNED_READ = new Refused(
  "request_malformed",
  "A signed GET request carries its parameters in the query and no body.",
);

function handlerOf(handlers: Handlers, endpoint: Endpoint): AnyHandler | undefined {
  const byName = handlers as Readonly<Record<string, AnyHandler | undefined>>;
  const own = byName[endpointName(endpoint)];
  if (own !== undefined || endpoint.alias_of === undefined) return own;
  return byName[endpointName({ method: endpoint.method, path: endpoint.alias_of })];
}

function serviceOf(endpoint: Endpoint, handler: AnyHandler, options: CurrentApiOptions): Service {
  const { authenticator } = options;
  const isQuery = endpoint.method === "GET";
  const { faults } = options;
  const waitFor = (context: RequestContext, refused: Refused) =>
    waitForProof(options.failures, refused, context, () => authenticator.claimOf(context));
  const serve = callOf<RequestContext>(endpoint, handler, options, {
    caller: (context) => {
      if (!endpoint.signed) return undefined;
      const caller = authenticator.authenticate(context, endpoint, context.nowMs);
      if (caller instanceof Refused) {
        context.refuseAfter(waitFor(context, caller), caller);
        return REFUSED;
      }
      context.userId = caller.userId;
      return caller;
    },
    body: ({ body }) => (isQuery ? undefined : parseJsonBody(body)),
    params: ({ body, query }, given, schema) => {
      if (given !== undefined) return schema.ofBody(given);
      // Target and body are signed without a mark between them: the end of a query must not be passed off as a body.
      return endpoint.signed && body.length > 0 ? BODY_OF_A_SIGNED_READ : schema.ofPairs(query);
    },
    injectsFault: (context, run) => faults?.isOnRequests === true && faults.takes(context, run),
  });
  if (!endpoint.signed) return serve;
  const screen = (context: RequestContext) => {
    const refused = authenticator.screen(context, context.nowMs);
    // It is not answered later: its connection closes.
    if (refused !== undefined) waitFor(context, refused);
    return refused;
  };
  return behindBarrier(Object.assign(serve, { screen }), options.readBarrier);
}
