/** A dialog over the page: the browser's own, which keeps the focus inside and gives it back. */
import { type JSX, onCleanup, onMount } from "solid-js";

export function Dialog(props: { title: string; onClose: () => void; children: JSX.Element; class?: string }) {
  let dialog!: HTMLDialogElement;
  onMount(() => dialog.showModal());
  onCleanup(() => dialog.close());
  return (
    <dialog
      ref={dialog}
      class={`dialog ${props.class ?? ""}`}
      aria-label={props.title}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onPointerDown={(event) => {
        // Only the veil is outside of everything in the dialog.
        if (event.target === dialog) props.onClose();
      }}
    >
      <div class="dialog-inside">
        <header class="dialog-head">
          <h2>{props.title}</h2>
          <button type="button" class="icon-button" aria-label="Close dialog" onClick={() => props.onClose()}>
            ✕
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}
