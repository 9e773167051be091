/** Secrets that are shown once: a key with its secret, or recovery codes. */
import { For } from "solid-js";
import { Dialog } from "../ui/dialog.tsx";
import { Copyable } from "../ui/figure.tsx";

interface SecretDialogProps {
  readonly title: string;
  readonly note: string;
  readonly rows: ReadonlyArray<readonly [name: string, value: string]>;
  readonly onClose: () => void;
}

export function SecretDialog(props: SecretDialogProps) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p class="note">{props.note}</p>
      <dl class="secrets">
        <For each={props.rows}>
          {([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>
                <Copyable value={value} label={name.toLowerCase()} />
              </dd>
            </>
          )}
        </For>
      </dl>
      <button type="button" class="button primary wide" onClick={() => props.onClose()}>
        I have kept it
      </button>
    </Dialog>
  );
}
