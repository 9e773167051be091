/** Short messages at the edge: what the venue said to an act, and what happened by itself. */
import { createSignal, For } from "solid-js";

export type Tone = "plain" | "good" | "bad";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: Tone;
}

const SHOWN_MS: Readonly<Record<Tone, number>> = { plain: 3_000, good: 4_000, bad: 8_000 };
const KEPT = 4;

const [toasts, setToasts] = createSignal<readonly Toast[]>([]);
let nextId = 1;

export function say(text: string, tone: Tone = "plain"): void {
  const id = nextId++;
  setToasts((before) => [...before, { id, text, tone }].slice(-KEPT));
  setTimeout(() => drop(id), SHOWN_MS[tone]);
}

function drop(id: number): void {
  setToasts((before) => before.filter((each) => each.id !== id));
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      <For each={toasts()}>
        {({ id, text, tone }) => (
          <div class={`toast ${tone}`}>
            <span>{text}</span>
            <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => drop(id)}>
              ✕
            </button>
          </div>
        )}
      </For>
    </div>
  );
}
