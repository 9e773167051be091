/** Every call that the operator may make, whether or not a page has a button for it. */
import { createSignal, For, Show } from "solid-js";
import { setOpenAct } from "./acts.ts";
import { calls } from "./calls.ts";

export function AllCalls() {
  const [wanted, setWanted] = createSignal("");
  const all = () =>
    calls().flatMap((call) => call.verbs.map(({ verb, says }) => ({ call: call.id, word: verb, says })));
  const fitting = () =>
    all().filter(({ word, says }) => `${word} ${says}`.toLowerCase().includes(wanted().toLowerCase()));
  return (
    <Show
      when={all().length > 0}
      fallback={<p class="empty card">Your role lets you look at everything and change nothing.</p>}
    >
      <div class="list-bar">
        <input
          class="input"
          type="search"
          aria-label="Search actions"
          placeholder="Search actions"
          value={wanted()}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      </div>
      <ul class="card plain-list calls">
        <For each={fitting()} fallback={<li class="quiet">Nothing of what you may do is called so.</li>}>
          {(act) => (
            <li>
              <span>
                <b>{act.word}</b>
                <br />
                <span class="quiet">{act.says}</span>
              </span>
              <button
                type="button"
                class="button small"
                aria-label={`Open ${act.word}`}
                onClick={() => setOpenAct({ ...act, word: act.word, says: act.says })}
              >
                Open
              </button>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
