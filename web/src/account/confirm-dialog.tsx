/** The dialog that asks for the password, a code or a passkey again before something weighty. */
import { createSignal, Show } from "solid-js";
import { post, sentenceOf } from "../api/client.ts";
import { Dialog } from "../ui/dialog.tsx";
import { asked } from "./confirm.ts";
import { confirmByPasskey } from "./passkeys.ts";
import { type Session, takeSession, user } from "./session.ts";
import { TextField } from "./text-field.tsx";

export function ConfirmDialog() {
  return (
    <Show when={asked()}>
      {(answer) => (
        <Dialog title="Confirm that it is you" class="sign-in" onClose={() => answer()(false)}>
          <ConfirmForm onDone={() => answer()(true)} />
        </Dialog>
      )}
    </Show>
  );
}

function ConfirmForm(props: { onDone: () => void }) {
  const [password, setPassword] = createSignal("");
  const [code, setCode] = createSignal("");
  const [fault, setFault] = createSignal("");
  const attempt = async (confirm: () => Promise<Session>) => {
    setFault("");
    try {
      takeSession(await confirm());
      props.onDone();
    } catch (error) {
      setFault(sentenceOf(error));
    }
  };
  const byPassword = () => {
    const text = code().replaceAll(/\s/g, "");
    const second = text === "" ? {} : /^\d{6}$/.test(text) ? { totp: text } : { recovery_code: text };
    return post<Session>("/web/confirm", { password: password(), ...second });
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(byPassword);
      }}
    >
      <p class="note">
        What you are about to do is weighty: the venue asks again, and then not for a quarter of an hour.
      </p>
      <TextField name="Password" type="password" autocomplete="current-password" value={password()} set={setPassword} />
      <Show when={user()?.totp}>
        <TextField
          name="Code of the authenticator, or a recovery code"
          autocomplete="one-time-code"
          value={code()}
          set={setCode}
        />
      </Show>
      <Show when={fault()}>
        <p class="fault" role="alert">
          {fault()}
        </p>
      </Show>
      <button type="submit" class="button primary wide">
        Confirm
      </button>
      <Show when={(user()?.passkeys ?? 0) > 0}>
        <button type="button" class="button wide" onClick={() => void attempt(confirmByPasskey)}>
          Use a passkey
        </button>
      </Show>
    </form>
  );
}
