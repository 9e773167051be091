/** Short messages at the edge: what the venue said to an act, and what happened by itself. */
import { createSignal, For } from "solid-js";

export type Tone = "plain" | "good" | "bad";

interface Toast {
  readonly id: number;
  /** How often it was said while it stands. */
  readonly times: number;
  readonly text: string;
  readonly tone: Tone;
}

const SHOWN_MS: Readonly<Record<Tone, number>> = { plain: 3_000, good: 4_000, bad: 8_000 };
const KEPT = 4;

const [toasts, setToasts] = createSignal<readonly Toast[]>([]);
let nextId = 1;

/** Shows a message for a while; one that stands already is counted and stays longer. */
export function say(text: string, tone: Tone = "plain"): void {
  const id = nextId++;
  setToasts((before) => {
    const same = before.find((each) => each.text === text);
    const others = before.filter((each) => each !== same);
    return [...others, { id, text, tone, times: (same?.times ?? 0) + 1 }].slice(-KEPT);
  });
  setTimeout(() => drop(id), SHOWN_MS[tone]);
}

function drop(id: number): void {
  setToasts((before) => before.filter((each) => each.id !== id));
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      <For each={toasts()}>
        {({ id, text, tone, times }) => (
          <div class={`toast ${tone}`}>
            <span>{times === 1 ? text : `${text} (${times} times)`}</span>
            <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => drop(id)}>
              ✕
            </button>
          </div>
        )}
      </For>
    </div>
  );
}
