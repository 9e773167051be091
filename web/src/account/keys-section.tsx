/** API keys of one's own. The secret is shown once. */
import { createSignal, For, Show } from "solid-js";
import { patch, post, remove } from "../api/client.ts";
import { FaultText } from "../entry/number-field.tsx";
import { Time } from "../panels/row-parts.tsx";
import { Copyable } from "../ui/figure.tsx";
import { createReading } from "../ui/reading.ts";
import { SectionHead } from "../ui/section.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { createAct } from "./act.ts";
import { SecretDialog } from "./secret.tsx";
import { user } from "./session.ts";
import { TextField } from "./text-field.tsx";

interface Key {
  readonly api_id: number;
  readonly access_id: string;
  readonly permissions: readonly string[];
  readonly ip_whitelist: readonly string[];
  readonly remark: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly is_expired: boolean;
}

const PERMISSIONS = [
  ["trade", "Trade"],
  ["withdraw", "Withdraw"],
] as const;

export function KeysSection() {
  const reading = createReading<{ keys: Key[] }>(() => (user() === undefined ? undefined : { path: "/web/keys" }));
  const keys = () => reading.data()?.keys ?? [];
  const [permissions, setPermissions] = createSignal<readonly string[]>(["trade"]);
  const [addresses, setAddresses] = createSignal("");
  const [remark, setRemark] = createSignal("");
  const [made, setMade] = createSignal<{ access_id: string; secret_key: string }>();
  const [editing, setEditing] = createSignal<number>();
  const [newAddresses, setNewAddresses] = createSignal("");
  const act = createAct();
  const listed = (text: string) => text.split(/[\s,;]+/).filter((each) => each !== "");
  const make = async () => {
    const body = { permissions: ["read", ...permissions()], ip_whitelist: listed(addresses()), remark: remark() };
    await act.run(async () => setMade(await post<{ access_id: string; secret_key: string }>("/web/keys", body)));
    reading.again();
  };
  const drop = async (row: Key) => {
    await act.run(() => remove(`/web/keys/${row.api_id}`), "The key is deleted; nobody can use it any more.");
    reading.again();
  };
  const change = async (row: Key) => {
    if (
      await act.run(
        () => patch(`/web/keys/${row.api_id}`, { ip_whitelist: listed(newAddresses()) }),
        "The key is changed.",
      )
    )
      setEditing(undefined);
    reading.again();
  };
  const columns: readonly Column<Key>[] = [
    {
      name: "Access id",
      isLead: true,
      cell: (row) => <Copyable value={row.access_id} shown={`${row.access_id.slice(0, 12)}…`} label="the access id" />,
    },
    { name: "Remark", isMinor: true, cell: (row) => row.remark || "–" },
    { name: "Permissions", cell: (row) => row.permissions.join(", ") },
    {
      name: "From",
      cell: (row) => (
        <Show when={editing() === row.api_id} fallback={row.ip_whitelist.join(", ") || "anywhere"}>
          <input
            class="cell-input"
            aria-label="New addresses"
            value={newAddresses()}
            onInput={({ currentTarget }) => setNewAddresses(currentTarget.value)}
            onKeyDown={({ key }) => {
              if (key === "Enter") void change(row);
              if (key === "Escape") setEditing(undefined);
            }}
          />
        </Show>
      ),
    },
    {
      name: "Until",
      isMinor: true,
      cell: (row) => (row.is_expired ? "expired" : row.expires_at > 0 ? <Time at={row.expires_at} /> : "no end"),
    },
    {
      name: "",
      cell: (row) => (
        <Show
          when={editing() === row.api_id}
          fallback={
            <>
              <button
                type="button"
                class="text-button"
                onClick={() => {
                  setNewAddresses(row.ip_whitelist.join(", "));
                  setEditing(row.api_id);
                }}
              >
                Edit
              </button>
              <button type="button" class="text-button bad" disabled={act.isBusy()} onClick={() => void drop(row)}>
                Delete
              </button>
            </>
          }
        >
          <button type="button" class="text-button" disabled={act.isBusy()} onClick={() => void change(row)}>
            Save
          </button>
          <button type="button" class="text-button" onClick={() => setEditing(undefined)}>
            Leave
          </button>
        </Show>
      ),
    },
  ];
  return (
    <>
      <SectionHead title="API keys">
        For programs that trade for you. What a key may, whoever has its secret may: give it no more than its program
        needs. How to sign is in the <a href="/docs">documents</a>.
      </SectionHead>
      <form
        class="form narrow card padded"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <fieldset class="choice">
          <legend>What it may, besides reading</legend>
          <For each={PERMISSIONS}>
            {([value, word]) => (
              <label class="check">
                <input
                  type="checkbox"
                  checked={permissions().includes(value)}
                  onChange={({ currentTarget }) =>
                    setPermissions((before) =>
                      currentTarget.checked ? [...before, value] : before.filter((each) => each !== value),
                    )
                  }
                />
                {word}
              </label>
            )}
          </For>
        </fieldset>
        <TextField
          name="Addresses it may be used from, apart by commas"
          placeholder="anywhere, for 90 days"
          value={addresses()}
          set={setAddresses}
          isOptional
        />
        <TextField name="Remark" value={remark()} set={setRemark} isOptional />
        <FaultText fault={act.fault()} />
        <button type="submit" class="button primary wide" disabled={act.isBusy()}>
          Create API key
        </button>
      </form>
      <h2>Your keys</h2>
      <div class="card scroll">
        <Table isCards="lines" label="API keys" state={reading} columns={columns} rows={keys()} empty="No keys yet." />
      </div>
      <Show when={made()}>
        {(key) => (
          <SecretDialog
            title="Your new key"
            note="The secret is shown this once. Keep it where only your program finds it."
            rows={[
              ["Access id", key().access_id],
              ["Secret key", key().secret_key],
            ]}
            onClose={() => setMade(undefined)}
          />
        )}
      </Show>
    </>
  );
}
