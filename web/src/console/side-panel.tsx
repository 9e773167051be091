/** Everything that is known of one row and can be done with it, beside the list that it is in. */
import { type JSX, onCleanup, onMount } from "solid-js";

export function SidePanel(props: { title: string; onClose: () => void; children: JSX.Element }) {
  let panel!: HTMLElement;
  const before = document.activeElement;
  onMount(() => panel.focus());
  onCleanup(() => before instanceof HTMLElement && before.isConnected && before.focus());
  return (
    <aside
      ref={panel}
      class="side-panel"
      tabIndex={-1}
      aria-label={props.title}
      onKeyDown={(event) => event.key === "Escape" && props.onClose()}
    >
      <header class="dialog-head">
        <h2>{props.title}</h2>
        <button type="button" class="icon-button" aria-label="Close panel" onClick={() => props.onClose()}>
          ✕
        </button>
      </header>
      {props.children}
    </aside>
  );
}
