/** An operator takes his place: his name and the codes that he was given, for a token that is his alone. */
import { createSignal, Show } from "solid-js";
import { createAct } from "../account/act.ts";
import { TextField } from "../account/text-field.tsx";
import { FaultText } from "../entry/number-field.tsx";
import { Copyable } from "../ui/figure.tsx";
import { enrol, signIn } from "./session.ts";

export function EnrolForm(props: { back: () => void }) {
  const [name, setName] = createSignal("");
  const [first, setFirst] = createSignal("");
  const [second, setSecond] = createSignal("");
  const [token, setToken] = createSignal("");
  const doing = createAct();
  const send = () =>
    doing.run(async () => {
      const codes = [first().trim(), second().trim()].filter((code) => code !== "");
      setToken(await enrol(name().trim(), codes));
    });
  return (
    <form
      class="card padded form"
      onSubmit={(event) => {
        event.preventDefault();
        void (token() === "" ? send() : doing.run(() => signIn({ token: token() })));
      }}
    >
      <h1 class="gate-head">Enrol as an operator</h1>
      <Show
        when={token() !== ""}
        fallback={
          <>
            <TextField name="Name" autocomplete="off" value={name()} set={setName} />
            <TextField name="Code" type="password" autocomplete="off" value={first()} set={setFirst} />
            <TextField
              name="Second code"
              type="password"
              autocomplete="off"
              isOptional
              value={second()}
              set={setSecond}
            />
            <p class="note">Where two people let you in, each of them gives you a code. Codes serve once.</p>
          </>
        }
      >
        <p>Your token is shown this once, and nobody else knows it: keep it now.</p>
        <Copyable value={token()} label="Token" />
      </Show>
      <FaultText fault={doing.fault()} />
      <button type="submit" class="button primary wide" disabled={doing.isBusy()}>
        {token() === "" ? "Enrol" : "I have kept it: sign in"}
      </button>
      <button type="button" class="button wide" onClick={() => props.back()}>
        Back
      </button>
    </form>
  );
}
