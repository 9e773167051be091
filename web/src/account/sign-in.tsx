/** The dialog by which one signs in or up, or gets a forgotten password replaced. */
import { createSignal, For, Match, Show, Switch } from "solid-js";
import { post, Refusal, sentenceOf } from "../api/client.ts";
import { Dialog } from "../ui/dialog.tsx";
import { say } from "../ui/toasts.tsx";
import { signInByPasskey } from "./passkeys.ts";
import { continueAs, type Session, session, takeSession } from "./session.ts";
import { TextField } from "./text-field.tsx";

type Step = "sign-in" | "sign-up" | "forgotten" | "new-password";

/** Tokens of links in mails stand behind the `#`, which never goes to a server. */
const fromMail = /^#(sign-up|reset)=([\w.-]+)$/.exec(location.hash);
if (fromMail !== null) history.replaceState(null, "", location.pathname);

const [step, setStep] = createSignal<Step | undefined>(fromMail?.[1] === "reset" ? "new-password" : undefined);
/** The values that the form begins with. */
const [begins, setBegins] = createSignal({ email: "", told: "" });
export const openSignIn = (at: Step = "sign-in") => {
  setBegins({ email: "", told: "" });
  setStep(at);
};

if (fromMail?.[1] === "sign-up") {
  post<Session & { readonly email: string }>("/web/sign-up/confirm", { token: fromMail[2] }).then(
    ({ email, ...now }) => {
      takeSession(now);
      if (now.user?.email === email) say("Your account is made, and you are signed in.", "good");
      else if (now.user !== null) say(`The account of ${email} is made. Sign out here to sign in to it.`, "good");
      else {
        // Only the browser that asked for the link is signed in by it.
        setBegins({ email, told: "Your account is made. Sign in with the password that you chose." });
        setStep("sign-in");
      }
    },
    (error: unknown) => say(sentenceOf(error), "bad"),
  );
}

const TITLES: Readonly<Record<Step, string>> = {
  "sign-in": "Sign in",
  "sign-up": "Create an account",
  forgotten: "Forgotten password",
  "new-password": "Choose a new password",
};

const SECOND_FACTOR_MISSING = 4008;

export function SignIn() {
  return (
    <Show when={step()}>
      {(now) => (
        <Dialog title={TITLES[now()]} class="sign-in" onClose={() => setStep(undefined)}>
          <Steps step={now()} />
        </Dialog>
      )}
    </Show>
  );
}

function Steps(props: { step: Step }) {
  const [email, setEmail] = createSignal(begins().email);
  const [password, setPassword] = createSignal("");
  const [code, setCode] = createSignal("");
  const [needsCode, setNeedsCode] = createSignal(false);
  const [fault, setFault] = createSignal("");
  const [told, setTold] = createSignal(begins().told);
  const [isBusy, setIsBusy] = createSignal(false);

  const attempt = async (act: () => Promise<void>) => {
    setFault("");
    setTold("");
    setIsBusy(true);
    try {
      await act();
    } catch (error) {
      if (error instanceof Refusal && error.code === SECOND_FACTOR_MISSING) setNeedsCode(true);
      else setFault(sentenceOf(error));
    }
    setIsBusy(false);
  };
  const begin = (begun: Session) => {
    takeSession(begun);
    setStep(undefined);
  };
  const secondFactor = () => {
    const text = code().replaceAll(/\s/g, "");
    if (text === "") return {};
    return /^\d{6}$/.test(text) ? { totp: text } : { recovery_code: text };
  };
  const acts: Readonly<Record<Step, () => Promise<void>>> = {
    "sign-in": async () =>
      begin(await post<Session>("/web/sign-in", { email: email(), password: password(), ...secondFactor() })),
    "sign-up": async () => {
      const { dev_token } = await post<{ dev_token?: string | null }>("/web/sign-up", {
        email: email(),
        password: password(),
      });
      if (dev_token) begin(await post<Session>("/web/sign-up/confirm", { token: dev_token }));
      else setTold("A mail is on its way. Its link makes the account.");
    },
    forgotten: async () => {
      await post("/web/password/reset", { email: email() });
      setTold("If there is an account with this address, a mail with a link is on its way.");
    },
    "new-password": async () => {
      await post("/web/password/reset/confirm", { token: fromMail?.[2] ?? "", new_password: password() });
      setStep("sign-in");
      setTold("The new password holds. Sign in with it.");
    },
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(acts[props.step]);
      }}
    >
      <Show when={props.step === "sign-in" && (session()?.demo_accounts.length ?? 0) > 0}>
        <div class="form-row">
          <For each={session()?.demo_accounts}>
            {(account) => (
              <button
                type="button"
                class="button primary grow"
                disabled={isBusy()}
                onClick={() =>
                  void attempt(async () => {
                    await continueAs(account);
                    setStep(undefined);
                  })
                }
              >
                Continue as {account}
              </button>
            )}
          </For>
        </div>
        <p class="divider">or with an account of your own</p>
      </Show>
      <Show when={props.step !== "new-password"}>
        <TextField name="E-mail" type="email" autocomplete="username" value={email()} set={setEmail} />
      </Show>
      <Show when={props.step !== "forgotten"}>
        <TextField
          name={props.step === "sign-in" ? "Password" : "New password"}
          type="password"
          autocomplete={props.step === "sign-in" ? "current-password" : "new-password"}
          value={password()}
          set={setPassword}
        />
      </Show>
      <Show when={needsCode()}>
        <TextField
          name="Code of the authenticator, or a recovery code"
          type="text"
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
      <Show when={told()}>
        <p class="note" role="status">
          {told()}
        </p>
      </Show>
      <button type="submit" class="button primary wide" disabled={isBusy()}>
        <Switch fallback="Send">
          <Match when={props.step === "sign-in"}>Sign in</Match>
          <Match when={props.step === "sign-up"}>Create the account</Match>
          <Match when={props.step === "new-password"}>Set the password</Match>
        </Switch>
      </button>
      <div class="form-row spread">
        <Show
          when={props.step === "sign-in"}
          fallback={
            <button type="button" class="text-button" onClick={() => setStep("sign-in")}>
              Sign in instead
            </button>
          }
        >
          <button
            type="button"
            class="text-button"
            onClick={() => void attempt(async () => begin(await signInByPasskey()))}
          >
            Use a passkey
          </button>
          <Show when={session()?.sign_up}>
            <button type="button" class="text-button" onClick={() => setStep("sign-up")}>
              Create an account
            </button>
          </Show>
          <button type="button" class="text-button" onClick={() => setStep("forgotten")}>
            Forgotten password
          </button>
        </Show>
      </div>
    </form>
  );
}
