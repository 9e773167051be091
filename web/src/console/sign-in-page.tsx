/** The way in: a token, or in a world where everybody knows it a click. */
import { createSignal, Show, untrack } from "solid-js";
import { createAct } from "../account/act.ts";
import { TextField } from "../account/text-field.tsx";
import { FaultText } from "../entry/number-field.tsx";
import { Mark } from "../ui/mark.tsx";
import { EnrolForm } from "./enrol-form.tsx";
import { takeEnrolment } from "./enrol-link.ts";
import { hasEnded, session, signIn, signInByPasskey } from "./session.ts";

export function SignInPage() {
  const [token, setToken] = createSignal("");
  const opened = untrack(takeEnrolment);
  const [isEnrolling, setEnrolling] = createSignal(opened !== undefined);
  const doing = createAct();
  const enter = async (by: Parameters<typeof signIn>[0]) => {
    await doing.run(() => signIn(by));
    setToken("");
  };
  return (
    <main class="gate">
      <Show when={isEnrolling()}>
        <EnrolForm opened={opened} back={() => setEnrolling(false)} />
      </Show>
      <form
        hidden={isEnrolling()}
        class="card padded form"
        onSubmit={(event) => {
          event.preventDefault();
          void enter({ token: token().trim() });
        }}
      >
        <h1 class="gate-head">
          <Mark /> Operator's console
        </h1>
        <Show when={hasEnded()}>
          <p class="note" role="status">
            Your session has ended. Sign in again to go on where you were.
          </p>
        </Show>
        <Show when={session()?.one_click}>
          <button
            type="button"
            class="button primary wide"
            disabled={doing.isBusy()}
            onClick={() => void enter({ one_click: true })}
          >
            Continue as root
          </button>
          <p class="note">
            This venue has fixed accounts: whoever is on this machine knows its token, so nobody is asked for it.
          </p>
          <p class="divider">or as another operator</p>
        </Show>
        <TextField name="Token" type="password" autocomplete="off" value={token()} set={setToken} />
        <p class="note">
          That of root is the file <code>admin-token</code> in the data directory; that of another operator was shown
          when he enrolled. It is not kept in this browser.
        </p>
        <FaultText fault={doing.fault()} />
        <button
          type="submit"
          class="button wide"
          classList={{ primary: session()?.one_click === false }}
          disabled={doing.isBusy()}
        >
          Sign in
        </button>
        <button
          type="button"
          class="button wide"
          disabled={doing.isBusy()}
          onClick={() => void doing.run(() => signInByPasskey())}
        >
          Use a passkey
        </button>
        <button type="button" class="button wide" onClick={() => setEnrolling(true)}>
          Enrol with a code
        </button>
      </form>
    </main>
  );
}
