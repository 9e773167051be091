/**
 * Timers that a program of the user has started: when one runs out, open orders are cancelled. Anyone who looks at the
 * orders sees it coming.
 */
import { createEffect, createSignal, For, on, onCleanup } from "solid-js";
import { userId } from "../account/session.ts";
import { get, post, sentenceOf } from "../api/client.ts";
import type { CancelAfter, Product } from "../api/records.ts";
import { venueNow } from "../api/venue.ts";
import { clockTime, countdown, venueTime } from "../number/show.ts";
import { say } from "../ui/toasts.tsx";

const PATH = "/v2/ext/cancel-after";
/** A program starts its timer anew every few seconds. */
const BEAT_MS = 5_000;

const ORDERS_OF: Readonly<Record<CancelAfter["scope"], string>> = {
  SPOT: "Open spot orders",
  MARGIN: "Open margin orders",
  FUTURES: "Open futures orders",
  ALL: "All open orders",
};

export function CancelTimers(props: { product: Product }) {
  const [timers, setTimers] = createSignal<readonly CancelAfter[]>([]);
  const read = async () => setTimers(await get<CancelAfter[]>(PATH));
  createEffect(
    on(userId, (who) => {
      setTimers([]);
      if (who === undefined) return;
      // What could not be read is read with the next beat; the connection's dot says that the venue is not reached.
      const quietly = () => void read().catch(() => {});
      const beat = setInterval(quietly, BEAT_MS);
      quietly();
      onCleanup(() => clearInterval(beat));
    }),
  );
  const shown = () =>
    timers().filter(
      ({ scope, cancel_at }) =>
        (scope === "ALL" || (scope === "FUTURES") === (props.product === "futures")) && cancel_at > venueNow(),
    );
  const end = async ({ scope }: CancelAfter) => {
    try {
      await post(PATH, { scope, timeout_ms: 0 });
      await read();
    } catch (error) {
      say(sentenceOf(error), "bad");
    }
  };
  return (
    <For each={shown()}>
      {(timer) => (
        <p class="banner warning cancel-timer">
          <span title={venueTime(timer.cancel_at)}>
            {ORDERS_OF[timer.scope]} are cancelled at {clockTime(timer.cancel_at)}, in{" "}
            {countdown(timer.cancel_at - venueNow())}, unless the program that set this timer renews it.
          </span>{" "}
          <button type="button" class="text-button" onClick={() => void end(timer)}>
            End timer
          </button>
        </p>
      )}
    </For>
  );
}
