/** The clock of a venue in the hand of who runs it: frozen, moved on, sped up. */
import type { AdminBackend, AdminClock, AdminVenue } from "../../admin/backend.ts";
import { call, execute } from "../../admin/call.ts";
import { factor, flag, optional, time, type Values, whole } from "../../admin/field.ts";
import { invalidParameter, Refused } from "../../refused.ts";

/** A hundred years at once; the venue's time must stay one that a date can be printed of. */
const ADVANCE_MS_MAX = 3_155_760_000_000;
/** End of the year 9999. */
const CLOCK_MS_MAX = 253_402_300_799_999;
const SPEED_MAX = 100_000;

export const CLOCK_FIELDS = {
  freeze: optional(flag, "true stops the clock, false lets it run"),
  advance_ms: optional(whole("MS", 0, ADVANCE_MS_MAX), "moves it forward"),
  set_ms: optional(time, "moves it forward to this time, instead of by advance_ms; it never goes back"),
  speed: optional(factor("N", SPEED_MAX), "venue time per real time while it runs"),
  hold_index: optional(flag, "true lets every index source repeat its last price on the way; false unless given"),
};

export const clockCall = call({
  method: "POST",
  path: "/admin/clock",
  verbs: { clock: "Freeze, move or speed up the clock of a venue started with --clock virtual." },
  fields: CLOCK_FIELDS,
  serve: moveClock,
});

/** Which clock a venue runs by, and how a virtual one runs. */
export function clockOf({ clock: virtual }: Pick<AdminVenue, "clock">): object {
  return virtual === undefined ? { kind: "real" } : { kind: "virtual", ...rateOf(virtual) };
}

/** Answers when all has happened that falls due on the way: the time, and how the clock runs from there. */
export async function moveClock(backend: AdminBackend, values: Values<typeof CLOCK_FIELDS>): Promise<object | Refused> {
  const letGo = await backend.chains?.hold();
  try {
    return await moved(backend, values);
  } finally {
    letGo?.();
  }
}

async function moved(
  backend: AdminBackend,
  { freeze, advance_ms, set_ms, speed, hold_index }: Values<typeof CLOCK_FIELDS>,
): Promise<object | Refused> {
  const { clock: virtual } = backend;
  if (virtual === undefined) {
    return invalidParameter("the clock can be moved only on a venue started with --clock virtual.");
  }
  if (advance_ms !== undefined && set_ms !== undefined) {
    return invalidParameter("advance_ms and set_ms both move the clock; give one of them.");
  }
  const nowMs = virtual.state.timeMs;
  if (set_ms !== undefined && set_ms < nowMs) {
    return invalidParameter(
      `set_ms lies before the venue's time, which is ${nowMs} (${new Date(nowMs).toISOString()}): the clock ` +
        "never goes back.",
    );
  }
  const isMoved = advance_ms !== undefined || set_ms !== undefined;
  // A clock that runs has gone on by the time at which it is moved.
  const step = () => (set_ms === undefined ? (advance_ms ?? 0) : Math.max(0, set_ms - virtual.state.timeMs));
  if (nowMs + step() > CLOCK_MS_MAX) {
    return invalidParameter(
      `${set_ms === undefined ? "advance_ms" : "set_ms"} would move the clock beyond the year 9999.`,
    );
  }
  const pace = () => {
    if (speed !== undefined) virtual.setSpeed(speed);
    if (freeze !== undefined) virtual.freeze(freeze);
  };
  const { passTime } = backend;
  if (hold_index !== true && passTime !== undefined) {
    const change = () => {
      pace();
      virtual.advance(step());
    };
    // Nobody waits for it once the venue stops.
    const hasPassed = await passTime(change).then(
      () => true,
      () => false,
    );
    if (!hasPassed) return new Refused("stopping");
    return ticked(backend, virtual, isMoved);
  }
  pace();
  // The sources are heard of once before the way, up to its end, and once after it, where what was stale is fresh
  // again.
  const hold = (untilMs: number) =>
    execute(backend, { kind: "hold_index", untilMs }, (_result, { state }) => ({
      time_ms: state.timeMs,
      ...rateOf(virtual),
    }));
  if (hold_index === true) {
    const held = await hold(virtual.state.timeMs + step());
    if (held instanceof Refused) return held;
  }
  if (isMoved) virtual.advance(step());
  // What moves the markets sees the new time before anybody else does, so that the same steps make the same world.
  backend.liveOn?.();
  // The tick is the first command of the new time: it finds what has rested on the way.
  const told = await ticked(backend, virtual, isMoved);
  return hold_index === true && !(told instanceof Refused) ? hold(virtual.state.timeMs) : told;
}

/** Carries the new time into the log by a tick; when that is applied, all that fell due has happened. */
function ticked(backend: AdminVenue, virtual: AdminClock, hasMoved: boolean): Promise<object | Refused> {
  return new Promise((resolve) => {
    const taken = backend.submit({ kind: "tick" }, (_outcome, { state }) => {
      // Blocks of simulated chains come with time, and bring deposits.
      const caughtUp = hasMoved ? backend.chains?.caughtUp() : undefined;
      const answer = { time_ms: state.timeMs, ...rateOf(virtual) };
      void Promise.resolve(caughtUp).then(() => resolve(answer));
    });
    if (!taken) resolve(new Refused("stopping"));
  });
}

function rateOf({ state }: AdminClock): { frozen: boolean; speed: number } {
  return { frozen: state.frozen, speed: state.speed };
}
