/** A virtual clock in one's hand: what falls due on the way happens before the venue answers. */
import { For, Show } from "solid-js";
import { createAct } from "../account/act.ts";
import { post } from "../api/client.ts";
import { FaultText } from "../entry/number-field.tsx";
import { NoRows } from "../ui/read-state.tsx";
import { ActButtons } from "./act-buttons.tsx";
import { callOf } from "./calls.ts";
import { createReading, readAllAgain } from "./reading.ts";
import { Time } from "./record.tsx";
import { type ConsoleSession, watched } from "./session.ts";

const CALL = "POST /admin/clock";
const MINUTE_MS = 60_000;
const STEPS: readonly (readonly [word: string, ms: number])[] = [
  ["+ 1 minute", MINUTE_MS],
  ["+ 1 hour", 60 * MINUTE_MS],
  ["+ 8 hours", 480 * MINUTE_MS],
  ["+ 1 day", 1_440 * MINUTE_MS],
];
const SPEEDS = ["1", "10", "60", "600"];

export function VirtualClock() {
  const reading = createReading<ConsoleSession>(() => ({ path: "/admin/session" }), 2_000);
  const clock = () => reading.data()?.clock;
  const doing = createAct();
  const set = async (body: object, done: string) => {
    if (await doing.run(() => watched(post("/admin/clock", body)), done)) readAllAgain();
  };
  const isFrozen = () => clock()?.frozen === true;
  return (
    <Show
      when={reading.data()}
      fallback={
        <p class="card empty">
          <NoRows state={reading} empty="" />
        </p>
      }
    >
      <Show
        when={clock() !== null}
        fallback={
          <p class="card empty">
            This venue goes by the machine's clock. Start it with <code>--clock virtual</code> to have time in your
            hand.
          </p>
        }
      >
        <div class="card padded form">
          <p class="clock-face">
            <Time at={reading.data()?.time_ms ?? 0} />
          </p>
          <p class="note">
            {isFrozen()
              ? "Frozen: nothing falls due."
              : clock()?.speed === 1
                ? "It runs as the machine's does."
                : `It runs ${clock()?.speed} times as fast as the machine's.`}
          </p>
          <Show when={callOf(CALL)}>
            <div class="form-row">
              <button
                type="button"
                class="button"
                disabled={doing.isBusy()}
                onClick={() => void set({ freeze: !isFrozen() }, isFrozen() ? "The clock runs." : "The clock stands.")}
              >
                {isFrozen() ? "Let it run" : "Freeze"}
              </button>
              <For each={STEPS}>
                {([word, advance_ms]) => (
                  <button
                    type="button"
                    class="button"
                    disabled={doing.isBusy()}
                    onClick={() => void set({ advance_ms }, `The clock was moved: ${word}.`)}
                  >
                    {word}
                  </button>
                )}
              </For>
            </div>
            <fieldset class="segments">
              <legend class="visually-hidden">Speed</legend>
              <For each={SPEEDS}>
                {(speed) => (
                  <button
                    type="button"
                    aria-pressed={String(clock()?.speed) === speed}
                    disabled={doing.isBusy()}
                    onClick={() => void set({ speed }, `The clock runs ${speed} times as fast.`)}
                  >
                    {speed} ×
                  </button>
                )}
              </For>
            </fieldset>
          </Show>
          <FaultText fault={doing.fault()} />
          <ActButtons acts={[{ word: "Set the clock", call: CALL }]} />
        </div>
      </Show>
    </Show>
  );
}
