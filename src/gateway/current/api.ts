/**
 * The current generation on the wire: binds handlers to the endpoints of the contract. Each request goes through the
 * checks in the contract's order, and what is not registered is neither served nor listed.
 */
import type { Failures } from "../auth/failures.ts";
import type { ApiKey } from "../auth/key-directory.ts";
import type { EnvelopeVoice } from "../envelope/voice.ts";
import type { Faults } from "../faults/faults.ts";
import type { Exchange } from "../http/exchange.ts";
import { behindBarrier, type ReadBarrier } from "../http/read-barrier.ts";
import type { Service } from "../http/server.ts";
import type { Surface } from "../http/site.ts";
import { Refused, type WireRefusal } from "../refused.ts";
import { parseJsonBody } from "../request/json-body.ts";
import { ParamsSchema } from "../request/validate.ts";
import type { Authenticator } from "./authenticate.ts";
import { AnswerPrinter, Call, type Handler } from "./call.ts";
import { liveAnswersOf } from "./compat/live-answers.ts";
import { liveRefusalsOf } from "./compat/live-refusals.ts";
import { type Contract, type Endpoint, endpointName } from "./contract.ts";
import { withoutMargin } from "./market-types.ts";
import type { QuotaOf } from "./quotas.ts";
import type { EndpointName } from "./types.generated.ts";

/** The handlers by `"METHOD /path"`. A second spelling of a path needs none of its own. */
export type Handlers = { readonly [Name in EndpointName]?: Handler<Name> };

export interface CurrentApiOptions {
  readonly contract: Contract;
  readonly handlers: Handlers;
  readonly authenticator: Authenticator;
  readonly voice: EnvelopeVoice;
  /** Undefined: accounts may ask as much as they like. */
  readonly quotaOf: QuotaOf | undefined;
  /** Slows down who fails to prove who he is; undefined: nobody is. */
  readonly failures: Failures | undefined;
  /** What goes wrong on purpose; undefined: nothing does. */
  readonly faults?: Faults | undefined;
  /** What signed requests wait for, where several nodes serve. */
  readonly readBarrier?: ReadBarrier | undefined;
  /** Concessions to existing clients in answers. */
  readonly compat: boolean;
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
  return { base: "", voice: options.voice, routes };
}

const FAILED_PROOFS: ReadonlySet<WireRefusal> = new Set(["signature_mismatch", "access_id_unknown"]);

const BODY_OF_A_SIGNED_READ = new Refused(
  "request_malformed",
  "A signed GET request carries its parameters in the query and no body.",
);

/** What the body of a request holds; undefined for those without one. */
type Body = ReturnType<typeof parseJsonBody> | undefined;

type AnyHandler = (call: Call) => void | Promise<void>;

function handlerOf(handlers: Handlers, endpoint: Endpoint): AnyHandler | undefined {
  const byName = handlers as Readonly<Record<string, AnyHandler | undefined>>;
  const own = byName[endpointName(endpoint)];
  if (own !== undefined || endpoint.alias_of === undefined) return own;
  return byName[endpointName({ method: endpoint.method, path: endpoint.alias_of })];
}

function run(handler: AnyHandler, call: Call, exchange: Exchange): void {
  handler(call)?.catch((error: unknown) => exchange.fail(error));
}

function serviceOf(endpoint: Endpoint, handler: AnyHandler, options: CurrentApiOptions): Service {
  const { authenticator, faults } = options;
  const live = options.compat
    ? { answers: liveAnswersOf(options.contract, endpoint), refusals: liveRefusalsOf(endpoint) }
    : undefined;
  const printer = new AnswerPrinter(endpoint, options.voice, live);
  const quota = options.quotaOf?.(endpoint);
  const schema = new ParamsSchema(options.contract, endpoint.params, endpoint.result.kind === "batch");
  const isQuery = endpoint.method === "GET";
  const waitFor = (exchange: Exchange, { refusal }: Refused) =>
    FAILED_PROOFS.has(refusal)
      ? (options.failures?.note(authenticator.claimOf(exchange), exchange.remoteAddress) ?? 0)
      : 0;
  const serve: Service = (exchange) => {
    const { nowMs } = exchange;
    let caller: ApiKey | undefined;
    if (endpoint.signed) {
      const result = authenticator.authenticate(exchange, endpoint, nowMs);
      if (result instanceof Refused) {
        exchange.refuseAfter(waitFor(exchange, result), result);
        return;
      }
      caller = result;
      exchange.userId = result.userId;
    }
    const isAdmitted =
      quota === undefined ||
      (caller === undefined ? quota.admitsAddress(exchange.remoteAddress, nowMs) : quota.admits(caller.userId, nowMs));
    if (quota !== undefined && !isAdmitted) {
      exchange.carry(quota.headerLines());
      exchange.refuse(quota.refused());
      return;
    }
    // A batch costs as much as its body holds, so the body is read first, and what is wrong with it said later.
    const body = isQuery ? undefined : parseJsonBody(exchange.body);
    if (quota?.isShared === true) {
      quota.ask(body, (passes) =>
        exchange.goOn(() => {
          exchange.carry(quota.headerLines());
          if (passes) serveAdmitted(exchange, caller, body, nowMs);
          else exchange.refuse(quota.refused());
        }),
      );
      return;
    }
    if (quota !== undefined) {
      quota.spend(body);
      exchange.carry(quota.headerLines());
    }
    serveAdmitted(exchange, caller, body, nowMs);
  };
  const serveAdmitted = (exchange: Exchange, caller: ApiKey | undefined, body: Body, nowMs: number) => {
    if (isQuery && caller !== undefined && exchange.body.length > 0) {
      // Target and body are signed without a mark between them: the end of a query must not be passed off as a body.
      exchange.refuse(BODY_OF_A_SIGNED_READ);
      return;
    }
    const params = body === undefined ? schema.ofPairs(exchange.query) : schema.ofBody(body);
    if (params instanceof Refused) {
      exchange.refuse(live?.refusals.ofBody(body) ?? params);
      return;
    }
    const lacking = caller !== undefined && !isQuery && authenticator.lacks(caller, "MARGIN") && withoutMargin(params);
    if (lacking) {
      exchange.refuse(lacking);
      return;
    }
    const unknown = live?.refusals.ofParams(params);
    if (unknown !== undefined) {
      exchange.refuse(unknown);
      return;
    }
    const call = new Call<EndpointName>(printer, exchange, caller as ApiKey, params as never, nowMs);
    if (faults?.isOnRequests === true && faults.takes(exchange, () => run(handler, call, exchange))) return;
    run(handler, call, exchange);
  };
  if (!endpoint.signed) return serve;
  const screen = (exchange: Exchange) => {
    const refused = authenticator.screen(exchange, exchange.nowMs);
    // It is not answered later: its connection closes.
    if (refused !== undefined) waitFor(exchange, refused);
    return refused;
  };
  return behindBarrier(Object.assign(serve, { screen }), options.readBarrier);
}
