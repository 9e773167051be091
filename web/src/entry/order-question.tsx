/** Asks once more before an order is sent: what it is, and what looks wrong with it. */
import { For, onMount, Show } from "solid-js";
import { Dialog } from "../ui/dialog.tsx";

export interface OrderQuestion {
  readonly title: string;
  /** The order in lines: what, and how much of it. */
  readonly lines: ReadonlyArray<readonly [name: string, value: string]>;
  readonly warnings: readonly string[];
  readonly side: "buy" | "sell";
  readonly send: () => void;
}

export function OrderQuestionDialog(props: { question: OrderQuestion; onClose: () => void }) {
  let send!: HTMLButtonElement;
  // The dialog opens after its inside is there, and takes the focus to its first button.
  onMount(() => queueMicrotask(() => send.focus()));
  return (
    <Dialog title={props.question.title} class="order-question" onClose={props.onClose}>
      <dl class="sums">
        <For each={props.question.lines}>
          {([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          )}
        </For>
      </dl>
      <Show when={props.question.warnings.length > 0}>
        <ul class="warnings" role="alert">
          <For each={props.question.warnings}>{(each) => <li>{each}</li>}</For>
        </ul>
      </Show>
      <div class="form-row">
        <button
          ref={send}
          type="button"
          class={`button grow ${props.question.side}`}
          onClick={() => {
            const { send: sendIt } = props.question;
            props.onClose();
            sendIt();
          }}
        >
          {props.question.warnings.length > 0 ? "Send anyway" : "Send"}
        </button>
        <button type="button" class="button grow" onClick={() => props.onClose()}>
          Back
        </button>
      </div>
    </Dialog>
  );
}
