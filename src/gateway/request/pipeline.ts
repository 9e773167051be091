/**
 * The one way of a call through a surface: who asks, quota, what it says, handler, answer. A surface says how each step
 * is done; requests over HTTP and messages of sockets go the same way, so that both are refused for the same reasons
 * and draw on the same quotas.
 */
import type { Quota } from "../limits/quota.ts";
import { Refused, type WireRefusal } from "../refused.ts";

/** Who asks, and how he is answered, once. */
export interface Asking {
  readonly remoteAddress: string;
  /** The venue's time when the request was complete. */
  readonly nowMs: number;
  /** Header lines that go with the answer, where it has headers. */
  carry(headerLines: string): void;
  refuse(refusal: WireRefusal | Refused): void;
  /** Answers that the venue failed. */
  fail(error: unknown): void;
  /** Goes on later: what `work` throws is answered as a failure. */
  goOn(work: () => void): void;
}

/** In the place of a caller who has been refused already. */
export const REFUSED = "refused";

/** The value of the JSON of a body; undefined of a request without one. */
export type Body = Record<string, unknown> | Refused | undefined;

export interface Steps<From extends Asking, Caller, Params, Call, Said> {
  /** Who asks; undefined where nobody has to say who he is. */
  caller(from: From): Caller | typeof REFUSED;
  /** The quota that the call draws on; undefined: it costs nothing. */
  readonly quota?: Quota | undefined;
  /** Whose quota it is; undefined: that of the address. */
  userOf?(caller: Caller): number | undefined;
  /**
   * Read when the caller is admitted: a batch costs as much as its body holds, and what is wrong with it is said later.
   */
  body?(from: From): Body;
  params(from: From, caller: Caller, body: Body): Params | Refused;
  /** Whether something goes wrong with it on purpose, in the place of the handler, or before it. */
  injectsFault?(from: From, run: () => void): boolean;
  /** Everything that the handler is given. */
  call(from: From, caller: Caller, params: Params): Call;
  readonly handler: (call: Call) => Said | Promise<Said>;
  /** Of handlers that do not answer by themselves. */
  answer?(from: From, said: Said, params: Params): void;
}

export type Serve<From extends Asking> = (from: From) => void;

export function pipeline<From extends Asking, Caller, Params, Call, Said>(
  steps: Steps<From, Caller, Params, Call, Said>,
): Serve<From> {
  const { quota, handler } = steps;

  const run = (from: From, caller: Caller, params: Params) => {
    const said = handler(steps.call(from, caller, params));
    if (said instanceof Promise) {
      said.then((late) => steps.answer?.(from, late, params)).catch((error: unknown) => from.fail(error));
    } else steps.answer?.(from, said, params);
  };

  const serveAdmitted = (from: From, caller: Caller, body: Body) => {
    const params = steps.params(from, caller, body);
    if (params instanceof Refused) from.refuse(params);
    else if (steps.injectsFault?.(from, () => run(from, caller, params)) !== true) run(from, caller, params);
  };

  const refuseByQuota = (from: From, drawn: Quota) => {
    from.carry(drawn.headerLines());
    from.refuse(drawn.refused());
  };

  return (from) => {
    const caller = steps.caller(from);
    if (caller === REFUSED) return;
    if (quota === undefined) {
      serveAdmitted(from, caller, steps.body?.(from));
      return;
    }
    const userId = steps.userOf?.(caller);
    const isAdmitted =
      userId === undefined ? quota.admitsAddress(from.remoteAddress, from.nowMs) : quota.admits(userId, from.nowMs);
    if (!isAdmitted) {
      refuseByQuota(from, quota);
      return;
    }
    const body = steps.body?.(from);
    const goOn = () => {
      from.carry(quota.headerLines());
      serveAdmitted(from, caller, body);
    };
    if (quota.isShared) {
      quota.ask(body, (passes) => from.goOn(() => (passes ? goOn() : refuseByQuota(from, quota))));
      return;
    }
    quota.spend(body);
    goOn();
  };
}
