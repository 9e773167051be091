/** The keys and what they do. */
import { For, Show } from "solid-js";
import { isHelpOpen, KEYS, setIsHelpOpen } from "../entry/order-keys.ts";
import { Dialog } from "./dialog.tsx";

export function Help() {
  return (
    <Show when={isHelpOpen()}>
      <Dialog title="Keyboard" onClose={() => setIsHelpOpen(false)}>
        <dl class="keys">
          <For each={KEYS}>
            {([key, action]) => (
              <>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{action}</dd>
              </>
            )}
          </For>
        </dl>
        <p class="note">
          Orders in the chart can be dragged. Amounts are copied by a click. The API does all of this, too: see the{" "}
          <a href="/docs">documents</a>.
        </p>
      </Dialog>
    </Show>
  );
}
