import { For, Show } from "solid-js";
import { mayDo, setOpenAct } from "./acts.ts";
import type { Act } from "./area.ts";

/** Buttons for the acts that can be done; none for what the operator's role does not allow. */
export function ActButtons(props: { acts: readonly Act[] }) {
  const allowed = () => props.acts.filter(mayDo);
  return (
    <Show when={allowed().length > 0}>
      <div class="form-row act-buttons">
        <For each={allowed()}>
          {(act) => (
            <button
              type="button"
              class="button small"
              classList={{ dangerous: act.isDangerous === true }}
              onClick={() => setOpenAct(act)}
            >
              {act.word}
            </button>
          )}
        </For>
      </div>
    </Show>
  );
}
