/** Password, second factors and sessions. */
import { createSignal, For, Show } from "solid-js";
import { post, remove } from "../api/client.ts";
import { FaultText } from "../entry/number-field.tsx";
import { Time } from "../panels/row-parts.tsx";
import { deviceOf } from "../ui/device.ts";
import { Copyable } from "../ui/figure.tsx";
import { NoRows } from "../ui/read-state.tsx";
import { createReading } from "../ui/reading.ts";
import { SectionHead } from "../ui/section.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { createAct } from "./act.ts";
import { addPasskey } from "./passkeys.ts";
import { Qr } from "./qr.tsx";
import { SecretDialog } from "./secret.tsx";
import { readSession, user } from "./session.ts";
import { TextField } from "./text-field.tsx";

export function SecuritySection() {
  return (
    <>
      <SectionHead title="Security">How you prove that it is you, and where you are signed in.</SectionHead>
      <Show
        when={user()?.email}
        fallback={<p class="card padded note">A sample account is entered by one click and has no password.</p>}
      >
        <div class="cards">
          <Password />
          <Authenticator />
          <Passkeys />
        </div>
      </Show>
      <h2>Sessions</h2>
      <Sessions />
    </>
  );
}

function Password() {
  const [before, setBefore] = createSignal("");
  const [next, setNext] = createSignal("");
  const act = createAct();
  const change = async () => {
    const body = { password: before(), new_password: next() };
    if (await act.run(() => post("/web/password", body), "The password is changed; other sessions have ended.")) {
      setBefore("");
      setNext("");
    }
  };
  return (
    <form
      class="card padded form"
      onSubmit={(event) => {
        event.preventDefault();
        void change();
      }}
    >
      <h2>Password</h2>
      <TextField name="Password now" type="password" autocomplete="current-password" value={before()} set={setBefore} />
      <TextField name="New password" type="password" autocomplete="new-password" value={next()} set={setNext} />
      <FaultText fault={act.fault()} />
      <button type="submit" class="button" disabled={act.isBusy()}>
        Change password
      </button>
    </form>
  );
}

interface Begun {
  readonly secret: string;
  readonly uri: string;
  readonly ticket: string;
}

function Authenticator() {
  const [begun, setBegun] = createSignal<Begun>();
  const [code, setCode] = createSignal("");
  const [codes, setCodes] = createSignal<readonly string[]>();
  const act = createAct();
  const begin = () => act.run(async () => setBegun(await post<Begun>("/web/totp")));
  const confirm = async () => {
    const body = { ticket: begun()?.ticket, totp: code().trim() };
    await act.run(async () => {
      setCodes((await post<{ recovery_codes: string[] }>("/web/totp/confirm", body)).recovery_codes);
      setBegun(undefined);
      await readSession();
    });
  };
  const drop = () =>
    act.run(async () => {
      await remove("/web/totp");
      await readSession();
    }, "The authenticator is taken off.");
  const renew = () =>
    act.run(async () =>
      setCodes((await post<{ recovery_codes: string[] }>("/web/totp/recovery-codes")).recovery_codes),
    );
  return (
    <section class="card padded form" aria-label="Authenticator">
      <h2>Authenticator</h2>
      <Show
        when={!user()?.totp}
        fallback={
          <>
            <p class="note">Codes are asked for at sign-in. {user()?.recovery_codes} recovery codes are left.</p>
            <div class="form-row">
              <button type="button" class="button" onClick={() => void renew()}>
                New recovery codes
              </button>
              <button type="button" class="button" onClick={() => void drop()}>
                Remove
              </button>
            </div>
          </>
        }
      >
        <Show
          when={begun()}
          fallback={
            <>
              <p class="note">A code of an app on your phone, besides the password.</p>
              <button type="button" class="button" disabled={act.isBusy()} onClick={() => void begin()}>
                Set up
              </button>
            </>
          }
        >
          {(now) => (
            <form
              class="form"
              onSubmit={(event) => {
                event.preventDefault();
                if (!act.isBusy()) void confirm();
              }}
            >
              <Qr text={now().uri} label="The secret as a QR code for the app" />
              <p class="note">
                Or type it in: <Copyable value={now().secret} label="the secret" />
              </p>
              <TextField name="Code that the app shows" autocomplete="one-time-code" value={code()} set={setCode} />
              <button type="submit" class="button primary" disabled={act.isBusy()}>
                Confirm
              </button>
            </form>
          )}
        </Show>
      </Show>
      <FaultText fault={act.fault()} />
      <Show when={codes()}>
        {(now) => (
          <SecretDialog
            title="Recovery codes"
            note="Each lets you in once when the authenticator is gone. They are shown this once."
            rows={now().map((each, at) => [`Code ${at + 1}`, each] as const)}
            onClose={() => setCodes(undefined)}
          />
        )}
      </Show>
    </section>
  );
}

interface Passkey {
  readonly passkey_id: number | string;
  readonly name: string;
  readonly created_at: number;
  readonly used_at: number;
}

function Passkeys() {
  const reading = createReading<{ passkeys: Passkey[] }>(() =>
    user() === undefined ? undefined : { path: "/web/passkeys" },
  );
  const passkeys = () => reading.data()?.passkeys ?? [];
  const [name, setName] = createSignal("");
  const act = createAct();
  const add = async () => {
    await act.run(async () => {
      await addPasskey(name() || "passkey");
      // From now on a confirmation may be given by it.
      await readSession();
    }, "The passkey is added.");
    setName("");
    reading.again();
  };
  const drop = async (of: Passkey) => {
    await act.run(async () => {
      await remove(`/web/passkeys/${of.passkey_id}`);
      await readSession();
    }, "The passkey is taken off.");
    reading.again();
  };
  return (
    <section class="card padded form" aria-label="Passkeys">
      <h2>Passkeys</h2>
      <ul class="plain-list">
        <For
          each={passkeys()}
          fallback={
            <li class="note">
              <NoRows state={reading} empty="None yet. A passkey signs you in by this device, without a password." />
            </li>
          }
        >
          {(each) => (
            <li>
              <span>
                {each.name}, since <Time at={each.created_at} />
              </span>
              <button type="button" class="text-button bad" onClick={() => void drop(each)}>
                Delete
              </button>
            </li>
          )}
        </For>
      </ul>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!act.isBusy()) void add();
        }}
      >
        <TextField name="Name of a new one" value={name()} set={setName} placeholder="such as: laptop" isOptional />
        <FaultText fault={act.fault()} />
        <button type="submit" class="button" disabled={act.isBusy()}>
          Add a passkey
        </button>
      </form>
    </section>
  );
}

interface WebSession {
  readonly session_id: number;
  readonly is_current: boolean;
  readonly by: string;
  readonly created_at: number;
  readonly seen_at: number;
  readonly address: string;
  readonly agent: string;
}

function Sessions() {
  const reading = createReading<{ sessions: WebSession[] }>(() =>
    user() === undefined ? undefined : { path: "/web/sessions" },
  );
  const sessions = () => reading.data()?.sessions ?? [];
  const act = createAct();
  const end = async (path: string, done: string) => {
    await act.run(() => remove(path), done);
    reading.again();
  };
  const columns: readonly Column<WebSession>[] = [
    { name: "Begun", cell: (row) => <Time at={row.created_at} /> },
    { name: "Used", isMinor: true, cell: (row) => <Time at={row.seen_at} /> },
    { name: "From", cell: (row) => row.address },
    { name: "With", isLead: true, cell: (row) => <span title={row.agent}>{deviceOf(row.agent)}</span> },
    { name: "By", isMinor: true, cell: (row) => row.by.replaceAll("_", " ") },
    {
      name: "",
      cell: (row) => (
        <Show when={!row.is_current} fallback={<span class="tag">this one</span>}>
          <button
            type="button"
            class="text-button"
            onClick={() => void end(`/web/sessions/${row.session_id}`, "The session has ended.")}
          >
            End session
          </button>
        </Show>
      ),
    },
  ];
  return (
    <div class="card scroll">
      <Table
        isCards="lines"
        label="Sessions"
        state={reading}
        columns={columns}
        rows={sessions()}
        empty="No sessions are listed."
      />
      <FaultText fault={act.fault()} />
      <Show when={sessions().length > 1}>
        <button
          type="button"
          class="text-button more"
          onClick={() => void end("/web/sessions", "All other sessions have ended.")}
        >
          End all others
        </button>
      </Show>
    </div>
  );
}
