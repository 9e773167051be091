/**
 * Injects faults into requests: each fault once, into the first request that it fits, and the next one only when some
 * requests have passed unharmed, so that it is clear which fault a program reacts to. A refusal is repeated for a
 * program that asks again at once, up to a bound.
 */
import { AT_ONCE_MS, type Call, type CallReader, placesOrder } from "./call.ts";
import { refusal, type Verdict } from "./relay.ts";
import type { Fault, Findings } from "./rules.ts";

/** Requests that pass between two faults. */
const UNHARMED_MIN = 2;
const REPEATS_MAX = 3;
/** Same calls that come later than this are no repetition. */
const REPEAT_MS = 1_000;

interface Plan {
  readonly fault: Fault;
  fits(call: Call): boolean;
  verdict(call: Call): Verdict;
  /** How soon behind it the same call counts as a repetition, ms; 0: it is not repeated. */
  repeatMs(call: Call): number;
}

/** Faults that happen outside of requests, or to answers that pass. */
export interface Outside {
  jumpClock(): void;
}

export class CallFaults {
  readonly #plans: Plan[];
  readonly #findings: Findings;
  #unharmed = 0;
  #running: { readonly plan: Plan; readonly sameness: string; repeats: number; lastMs: number } | undefined;

  constructor(faults: ReadonlySet<Fault>, findings: Findings, reader: CallReader, outside: Outside) {
    this.#findings = findings;
    this.#plans = plansOf(reader, outside).filter(({ fault }) => faults.has(fault));
  }

  /** Faults that no request has met yet. */
  get waiting(): readonly Fault[] {
    return this.#plans.map(({ fault }) => fault);
  }

  verdictFor(call: Call): Verdict {
    const repeated = this.#repeated(call);
    if (repeated !== undefined) return repeated;
    const at = this.#unharmed < UNHARMED_MIN ? -1 : this.#plans.findIndex((plan) => plan.fits(call));
    if (at < 0) {
      this.#unharmed++;
      return "pass";
    }
    const [plan] = this.#plans.splice(at, 1) as [Plan];
    this.#unharmed = 0;
    this.#running = { plan, sameness: call.sameness, repeats: 0, lastMs: performance.now() };
    return this.#meet(call, plan);
  }

  #repeated(call: Call): Verdict | undefined {
    const running = this.#running;
    if (running === undefined || running.repeats >= REPEATS_MAX) return undefined;
    const nowMs = performance.now();
    if (call.sameness !== running.sameness || nowMs - running.lastMs >= running.plan.repeatMs(call)) return undefined;
    running.repeats++;
    running.lastMs = nowMs;
    return this.#meet(call, running.plan);
  }

  #meet(call: Call, plan: Plan): Verdict {
    call.fault = plan.fault;
    this.#findings.met(plan.fault);
    return plan.verdict(call);
  }
}

const never = () => 0;

function plansOf(reader: CallReader, { jumpClock }: Outside): Plan[] {
  const isSigned = ({ isSigned }: Call) => isSigned;
  const isQuery = ({ passing, endpoint }: Call) =>
    passing.method === "GET" && endpoint !== undefined && !/ \/(time|ping)$/.test(endpoint);
  return [
    {
      fault: "limited",
      fits: ({ isSigned, group }) => isSigned && group !== undefined,
      verdict: ({ group }) => {
        const answer = refusal(4213, "too many requests");
        const limit = String(reader.rateOf(group));
        return { ...answer, headers: { ...answer.headers, "x-ratelimit-limit": limit, "x-ratelimit-remaining": "0" } };
      },
      repeatMs: ({ group }) => reader.tooSoonMs(group),
    },
    { fault: "cut_after", fits: placesOrder, verdict: () => "cut_after", repeatMs: never },
    { fault: "busy", fits: placesOrder, verdict: () => refusal(3008, "service busy"), repeatMs: () => AT_ONCE_MS },
    { fault: "cut_before", fits: placesOrder, verdict: () => "cut_before", repeatMs: never },
    {
      fault: "unavailable",
      fits: isQuery,
      verdict: () => refusal(4001, "service unavailable"),
      repeatMs: () => AT_ONCE_MS,
    },
    {
      fault: "unknown_value",
      fits: ({ endpoint = "" }) => /^GET \/(spot|futures)\/market$/.test(endpoint),
      verdict: () => "pass",
      repeatMs: never,
    },
    {
      fault: "clock_jump",
      fits: isSigned,
      verdict: () => {
        jumpClock();
        return "pass";
      },
      repeatMs: never,
    },
    {
      fault: "bad_signature",
      fits: (call) => call.isSigned && isQuery(call),
      verdict: () => refusal(4006, "signature incorrect"),
      repeatMs: () => REPEAT_MS,
    },
  ];
}
