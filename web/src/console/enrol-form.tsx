/** An operator takes his place: his name and the codes or links that he was given, for a token that is his alone. */
import { createSignal, Show } from "solid-js";
import { createAct } from "../account/act.ts";
import { TextField } from "../account/text-field.tsx";
import { FaultText } from "../entry/number-field.tsx";
import { Copyable } from "../ui/figure.tsx";
import { type Enrolment, enrolmentIn } from "./enrol-link.ts";
import { enrol, signIn } from "./session.ts";

/** Makes a field show the code that a link holds, also when that is the code which is there already. */
const ALWAYS = { equals: false } as const;

/** `opened`: by the link by which the page was opened. */
export function EnrolForm(props: { opened: Enrolment | undefined; back: () => void }) {
  const [name, setName] = createSignal(props.opened?.name ?? "");
  const [first, setFirst] = createSignal(props.opened?.code ?? "", ALWAYS);
  const [second, setSecond] = createSignal("", ALWAYS);
  const [token, setToken] = createSignal("");
  const doing = createAct();
  /** A link may stand in the place of a code. */
  const read = (text: string) => {
    const link = enrolmentIn(text);
    if (link === undefined) return text;
    if (name() === "") setName(link.name);
    return link.code;
  };
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
            <TextField
              name="Code"
              type="password"
              autocomplete="off"
              value={first()}
              set={(text) => setFirst(read(text))}
            />
            <TextField
              name="Second code"
              type="password"
              autocomplete="off"
              isOptional
              value={second()}
              set={(text) => setSecond(read(text))}
            />
            <p class="note">Where two people let you in, each of them gives you a code or a link. Each serves once.</p>
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
