/** The venue itself: how it stands, its clock, its books of account, and the lifting of cancel-only. */

import { type AdminClock, LOG_FAULTS } from "../../admin/backend.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { factor, flag, oneOf, optional, required, text, whole } from "../../admin/field.ts";
import { invalidParameter, Refused } from "../../refused.ts";

/** A hundred years at once; the venue's time must stay one that a date can be printed of. */
const ADVANCE_MS_MAX = 3_155_760_000_000;
/** End of the year 9999. */
const CLOCK_MS_MAX = 253_402_300_799_999;
const SPEED_MAX = 100_000;

const status = call({
  method: "GET",
  path: "/admin/status",
  verbs: { status: "Show how the venue stands: its last command, its time and the hash of its state." },
  fields: {},
  serve(backend) {
    const { seq, timeMs, stateHash, version, profile, uptimeMs } = backend.status();
    const { clock: virtual } = backend;
    return {
      seq,
      time_ms: timeMs,
      state_hash: stateHash,
      version,
      profile,
      uptime_ms: uptimeMs,
      cancel_only: backend.state.cancelOnly,
      clock: virtual === undefined ? { kind: "real" } : { kind: "virtual", ...rateOf(virtual) },
    };
  },
});

const audit = call({
  method: "GET",
  path: "/admin/audit",
  verbs: { "audit --live": "Hold the running venue's state against the invariants and add up what it holds." },
  fields: {},
  serve(backend) {
    const { ok, breaches, totals } = backend.audit();
    const { seq, stateHash } = backend.status();
    const byCcy = totals.map(({ ccy, custody, users, system }) => [ccy, { custody, users, system }] as const);
    return { seq, state_hash: stateHash, ok, breaches, totals: Object.fromEntries(byCcy) };
  },
});

const clock = call({
  method: "POST",
  path: "/admin/clock",
  verbs: { clock: "Freeze, move or speed up the clock of a venue started with --clock virtual." },
  fields: {
    freeze: optional(flag, "true stops the clock, false lets it run"),
    advance_ms: optional(whole("MS", 0, ADVANCE_MS_MAX), "moves it forward"),
    speed: optional(factor("N", SPEED_MAX), "venue time per real time while it runs"),
    hold_index: optional(flag, "true lets every index source repeat its last price on the way; false unless given"),
  },
  async serve(backend, { freeze, advance_ms, speed, hold_index }) {
    const { clock: virtual } = backend;
    if (virtual === undefined) {
      return invalidParameter("the clock can be moved only on a venue started with --clock virtual.");
    }
    if (advance_ms !== undefined && virtual.state.timeMs + advance_ms > CLOCK_MS_MAX) {
      return invalidParameter("advance_ms would move the clock beyond the year 9999.");
    }
    if (speed !== undefined) virtual.setSpeed(speed);
    if (freeze !== undefined) virtual.freeze(freeze);
    // The sources are heard of once before the way, up to its end, and once after it, where what was stale is fresh again.
    const hold = (untilMs: number) =>
      execute(backend, { kind: "hold_index", untilMs }, (_result, { state }) => ({
        time_ms: state.timeMs,
        ...rateOf(virtual),
      }));
    if (hold_index === true) {
      const held = await hold(virtual.state.timeMs + (advance_ms ?? 0));
      if (held instanceof Refused) return held;
    }
    if (advance_ms !== undefined) virtual.advance(advance_ms);
    // What moves the markets sees the new time before anybody else does, so that the same steps make the same world.
    backend.liveOn?.();
    if (hold_index === true) return hold(virtual.state.timeMs);
    // The tick carries the new time into the log; when it is applied, all that fell due has happened.
    return new Promise((resolve) => {
      const taken = backend.submit({ kind: "tick" }, (_outcome, { state }) => {
        // Blocks of simulated chains come with time, and bring deposits.
        const caughtUp = advance_ms === undefined ? undefined : backend.chains?.caughtUp();
        const answer = { time_ms: state.timeMs, ...rateOf(virtual) };
        void Promise.resolve(caughtUp).then(() => resolve(answer));
      });
      if (!taken) resolve(new Refused("stopping"));
    });
  },
});

function rateOf({ state }: AdminClock): { frozen: boolean; speed: number } {
  return { frozen: state.frozen, speed: state.speed };
}

const cancelOnly = call({
  method: "POST",
  path: "/admin/cancel-only",
  verbs: {
    "cancel-only": "Take only cancels, or lift that again; the venue does it to itself when an invariant breaks.",
  },
  fields: {
    cancel_only: required(flag, "true takes only cancels, false lifts it"),
    reason: required(text("TEXT", 1, 256), "why, for the log"),
  },
  serve: (backend, { cancel_only, reason }) =>
    execute(backend, { kind: "set_cancel_only", cancelOnly: cancel_only, reason }, () => ({ cancel_only })),
});

const fault = call({
  method: "POST",
  path: "/admin/faults",
  verbs: { fault: "Let the log of a dev venue fail at its next group, to see that the venue stops and loses nothing." },
  fields: { fault: required(oneOf(LOG_FAULTS), "the step that fails") },
  serve(backend, values) {
    if (backend.injectFault === undefined) {
      return invalidParameter("faults can be injected only in the dev profile with a data directory.");
    }
    backend.injectFault(values.fault);
    return { fault: values.fault };
  },
});

export const VENUE_CALLS: readonly AdminCall[] = [status, audit, clock, cancelOnly, fault];
