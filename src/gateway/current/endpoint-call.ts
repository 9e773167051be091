/**
 * A call of an endpoint: who asks, quota, parameters, what its caller may do with them, handler, in the contract's
 * order.
 */
import type { ApiKey } from "../auth/key-directory.ts";
import type { EnvelopeRenderer } from "../envelope/renderer.ts";
import type { Answering, Trace } from "../reading/answering.ts";
import { Refused } from "../refused.ts";
import { type Asking as Asked, type Body, pipeline, type REFUSED, type Serve } from "../request/pipeline.ts";
import { type Params, ParamsSchema } from "../request/validate.ts";
import type { Authenticator } from "./authenticate.ts";
import { AnswerPrinter, Call } from "./call.ts";
import { liveAnswersOf } from "./compat/live-answers.ts";
import { liveRefusalsOf } from "./compat/live-refusals.ts";
import type { Contract, Endpoint } from "./contract.ts";
import { withoutLacking } from "./market-types.ts";
import type { QuotaOf } from "./quotas.ts";
import type { EndpointName } from "./types.generated.ts";

export interface CallOptions {
  readonly contract: Contract;
  readonly authenticator: Authenticator;
  readonly renderer: EnvelopeRenderer;
  /** Undefined: accounts may ask as much as they like. */
  readonly quotaOf: QuotaOf | undefined;
  /** Concessions to existing clients in answers. */
  readonly compat: boolean;
}

/** Who asks, and how he is answered, once. */
export interface Asking extends Answering, Trace, Asked {
  answer(envelope: string): void;
  answerUncached(envelope: string): void;
}

/** How a request is read. */
export interface RequestReading<From extends Asking> {
  /** Who asks; undefined where nobody has to say who he is. */
  caller(asking: From): ApiKey | undefined | typeof REFUSED;
  /** Asked when its caller is admitted. */
  body(asking: From): Body;
  params(asking: From, body: Body, schema: ParamsSchema): Params | Refused;
  /** Whether something goes wrong with it on purpose, in the place of `run`, or before it. */
  injectsFault?(asking: From, run: () => void): boolean;
}

export type AnyHandler = (call: Call) => void | Promise<void>;

export function callOf<From extends Asking>(
  endpoint: Endpoint,
  handler: AnyHandler,
  { contract, authenticator, renderer, quotaOf, compat }: CallOptions,
  reading: RequestReading<From>,
): Serve<From> {
  const live = compat ? { answers: liveAnswersOf(contract, endpoint), refusals: liveRefusalsOf(endpoint) } : undefined;
  const printer = new AnswerPrinter(endpoint, renderer, live);
  const schema = new ParamsSchema(contract, endpoint.params, endpoint.result.kind === "batch");
  const isQuery = endpoint.method === "GET";

  return pipeline<From, ApiKey | undefined, Params, Call, void>({
    ...reading,
    quota: quotaOf?.(endpoint),
    userOf: (caller) => caller?.userId,
    params: (asking, caller, body) => {
      const params = reading.params(asking, body, schema);
      if (params instanceof Refused) return live?.refusals.ofBody(body) ?? params;
      const isAsked = caller !== undefined && !isQuery;
      const lacking = isAsked
        ? withoutLacking(params, (permission) => authenticator.lacks(caller, permission))
        : undefined;
      return lacking ?? live?.refusals.ofParams(params) ?? params;
    },
    call: (asking, caller, params) => new Call<EndpointName>(printer, asking, caller as ApiKey, params as never),
    handler,
  });
}
