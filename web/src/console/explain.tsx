/** Why an order, a position or a request came out as it did; what is asked about stands in the address. */
import { createSignal, For, Show } from "solid-js";
import type { Row } from "./area.ts";
import { place, setParams } from "./place.ts";
import { createReading } from "./reading.ts";
import { Record } from "./record.tsx";

const KINDS = [
  ["order", "Order", "its number"],
  ["position", "Position", "its number"],
  ["stop", "Stop order", "its number"],
  ["request", "Request", "the X-Request-Id of its answer"],
] as const;

export function Explain() {
  const kind = () => KINDS.find(([each]) => each === place().params["what"]) ?? KINDS[0];
  const id = () => place().params["id"] ?? "";
  const [typed, setTyped] = createSignal(id());
  const reading = createReading<Row>(() =>
    id() === "" ? undefined : { path: `/admin/explain/${kind()[0]}/${encodeURIComponent(id())}` },
  );
  return (
    <>
      <form
        class="list-bar"
        onSubmit={(event) => {
          event.preventDefault();
          setParams({ what: kind()[0], id: typed().trim() });
        }}
      >
        <select
          aria-label="What is to be explained"
          value={kind()[0]}
          onChange={({ currentTarget }) => setParams({ what: currentTarget.value, id: "" })}
        >
          <For each={KINDS}>
            {([value, word]) => (
              <option value={value} selected={value === kind()[0]}>
                {word}
              </option>
            )}
          </For>
        </select>
        <input
          class="input"
          type="search"
          aria-label={`Which one, by ${kind()[2]}`}
          placeholder={kind()[2]}
          value={typed()}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="button">
          Explain
        </button>
      </form>
      <Show when={reading.fault()}>
        <p class="fault" role="alert">
          {reading.fault()}
        </p>
      </Show>
      <Show when={reading.data()}>
        {(told) => (
          <div class="card padded">
            <Record of={told()} />
          </div>
        )}
      </Show>
    </>
  );
}
