/** An operator's own passkeys: those that there are, and one more of this device. */
import { createSignal, For } from "solid-js";
import { createAct } from "../account/act.ts";
import { addPasskey } from "../account/passkeys.ts";
import { TextField } from "../account/text-field.tsx";
import { remove } from "../api/client.ts";
import { FaultText } from "../entry/number-field.tsx";
import { dayAndTime } from "../number/show.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Moment } from "../ui/figure.tsx";
import { NoRows } from "../ui/read-state.tsx";
import { createReading } from "../ui/reading.ts";
import { PASSKEYS, watched } from "./session.ts";

interface Passkey {
  readonly passkey_id: number;
  readonly name: string;
  readonly created_at: number;
}

export function PasskeysDialog(props: { onClose: () => void }) {
  const reading = createReading<{ passkeys: Passkey[] }>(() => ({ path: PASSKEYS }));
  const [name, setName] = createSignal("");
  const doing = createAct();
  const add = async () => {
    await doing.run(() => watched(addPasskey(name().trim() || "passkey", PASSKEYS)), "The passkey is added.");
    setName("");
    reading.again();
  };
  const drop = async (id: number) => {
    await doing.run(() => watched(remove(`${PASSKEYS}/${id}`)), "The passkey is taken off.");
    reading.again();
  };
  return (
    <Dialog title="Passkeys" onClose={() => props.onClose()}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!doing.isBusy()) void add();
        }}
      >
        <p class="note">
          A passkey signs you in here by this device, without the token. All of them end when your token is replaced.
        </p>
        <ul class="plain-list">
          <For
            each={reading.data()?.passkeys ?? []}
            fallback={
              <li class="note">
                <NoRows state={reading} empty="None yet." />
              </li>
            }
          >
            {(each) => (
              <li>
                <span>
                  {each.name}, since <Moment at={each.created_at} shown={dayAndTime(each.created_at)} />
                </span>
                <button type="button" class="text-button bad" onClick={() => void drop(each.passkey_id)}>
                  Delete
                </button>
              </li>
            )}
          </For>
        </ul>
        <TextField name="Name of a new one" value={name()} set={setName} placeholder="such as: laptop" isOptional />
        <FaultText fault={doing.fault()} />
        <button type="submit" class="button primary" disabled={doing.isBusy()}>
          Add a passkey
        </button>
      </form>
    </Dialog>
  );
}
