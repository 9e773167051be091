/**
 * A call of an endpoint: who asks, quota, parameters, what its caller may do with them, handler, in the contract's order.
 * Requests over HTTP and messages of sockets go this one way, so that both are refused for the same reasons and draw on the same quotas.
 */
import type { ApiKey } from "../auth/key-directory.ts";
import type { EnvelopeVoice } from "../envelope/voice.ts";
import type { Answering, Trace } from "../reading/answering.ts";
import { Refused } from "../refused.ts";
import type { parseJsonBody } from "../request/json-body.ts";
import { type Params, ParamsSchema } from "../request/validate.ts";
import type { Authenticator } from "./authenticate.ts";
import { AnswerPrinter, Call } from "./call.ts";
import { liveAnswersOf } from "./compat/live-answers.ts";
import { liveRefusalsOf } from "./compat/live-refusals.ts";
import type { Contract, Endpoint } from "./contract.ts";
import { withoutMargin } from "./market-types.ts";
import type { QuotaOf } from "./quotas.ts";
import type { EndpointName } from "./types.generated.ts";

export interface CallTerms {
  readonly contract: Contract;
  readonly authenticator: Authenticator;
  readonly voice: EnvelopeVoice;
  /** Undefined: accounts may ask as much as they like. */
  readonly quotaOf: QuotaOf | undefined;
  /** Concessions to existing clients in answers. */
  readonly compat: boolean;
}

/** Who asks, and how he is answered, once. */
export interface Asking extends Answering, Trace {
  readonly remoteAddress: string;
  /** The venue's time when the request was complete. */
  readonly nowMs: number;
  /** Header lines that go with the answer, where it has headers. */
  carry(headerLines: string): void;
  answer(envelope: string): void;
  answerUncached(envelope: string): void;
  /** Goes on later: what `work` throws is answered as a failure. */
  goOn(work: () => void): void;
}

/** What a body holds; undefined of a request without one. */
export type Body = ReturnType<typeof parseJsonBody> | undefined;

/** How a request is read. */
export interface RequestReading<From extends Asking> {
  /** Who asks. */
  caller(asking: From): ApiKey | typeof ANYBODY | typeof REFUSED;
  /** Asked when its caller is admitted. */
  body(asking: From): Body;
  params(asking: From, body: Body, schema: ParamsSchema): Params | Refused;
  /** Whether something goes wrong with it on purpose, in the place of `run`, or before it. */
  isStruck?(asking: From, run: () => void): boolean;
}

/** In the place of a caller: none is asked for, and one that has been refused already. */
export const ANYBODY = "anybody";
export const REFUSED = "refused";

export type Serve<From extends Asking> = (asking: From) => void;

export type AnyHandler = (call: Call) => void | Promise<void>;

export function callOf<From extends Asking>(
  endpoint: Endpoint,
  handler: AnyHandler,
  { contract, authenticator, voice, quotaOf, compat }: CallTerms,
  reading: RequestReading<From>,
): Serve<From> {
  const live = compat ? { answers: liveAnswersOf(contract, endpoint), refusals: liveRefusalsOf(endpoint) } : undefined;
  const printer = new AnswerPrinter(endpoint, voice, live);
  const quota = quotaOf?.(endpoint);
  const schema = new ParamsSchema(contract, endpoint.params, endpoint.result.kind === "batch");
  const isQuery = endpoint.method === "GET";

  const serveAdmitted = (asking: From, caller: ApiKey | undefined, body: Body) => {
    const params = reading.params(asking, body, schema);
    if (params instanceof Refused) {
      asking.refuse(live?.refusals.ofBody(body) ?? params);
      return;
    }
    const lacking = caller !== undefined && !isQuery && authenticator.lacks(caller, "MARGIN") && withoutMargin(params);
    if (lacking) {
      asking.refuse(lacking);
      return;
    }
    const unknown = live?.refusals.ofParams(params);
    if (unknown !== undefined) {
      asking.refuse(unknown);
      return;
    }
    const call = new Call<EndpointName>(printer, asking, caller as ApiKey, params as never);
    if (reading.isStruck?.(asking, () => run(handler, call)) === true) return;
    run(handler, call);
  };

  return (asking) => {
    const asker = reading.caller(asking);
    if (asker === REFUSED) return;
    const caller = asker === ANYBODY ? undefined : asker;
    const isAdmitted =
      quota === undefined ||
      (caller === undefined
        ? quota.admitsAddress(asking.remoteAddress, asking.nowMs)
        : quota.admits(caller.userId, asking.nowMs));
    if (quota !== undefined && !isAdmitted) {
      asking.carry(quota.headerLines());
      asking.refuse(quota.refused());
      return;
    }
    // A batch costs as much as its body holds, so the body is read first, and what is wrong with it said later.
    const body = reading.body(asking);
    if (quota?.isShared === true) {
      quota.ask(body, (passes) =>
        asking.goOn(() => {
          asking.carry(quota.headerLines());
          if (passes) serveAdmitted(asking, caller, body);
          else asking.refuse(quota.refused());
        }),
      );
      return;
    }
    if (quota !== undefined) {
      quota.spend(body);
      asking.carry(quota.headerLines());
    }
    serveAdmitted(asking, caller, body);
  };
}

function run(handler: AnyHandler, call: Call): void {
  handler(call)?.catch((error: unknown) => call.fail(error));
}
