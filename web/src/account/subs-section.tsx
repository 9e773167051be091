/** Sub-accounts: making and freezing them, moving money to and from them, their keys. */
import { createSignal, For, Show } from "solid-js";
import { post } from "../api/client.ts";
import type { SubAccount } from "../api/records.ts";
import { FaultText, NumberField } from "../entry/number-field.tsx";
import { isDecimal } from "../number/decimal.ts";
import { grouped, shown } from "../number/show.ts";
import { spotAvailable } from "../panels/balances-store.ts";
import { Dialog } from "../ui/dialog.tsx";
import { createPages } from "../ui/pages.ts";
import { Labelled, SectionHead } from "../ui/section.tsx";
import { type Column, MoreButton, Table } from "../ui/table.tsx";
import { createAct } from "./act.ts";
import { Available } from "./available.tsx";
import { CcySelect } from "./parts.tsx";
import { SecretDialog } from "./secret.tsx";
import { user } from "./session.ts";
import { TextField } from "./text-field.tsx";

const PERMISSIONS = [
  ["FUTURES", "Futures"],
  ["MARGIN", "Margin"],
  ["AMM", "Pools"],
  ["API", "API keys"],
] as const;

export function SubAccountsSection() {
  const subs = createPages<SubAccount>(() =>
    user() === undefined || user()?.is_sub ? undefined : { path: "/v2/account/subs", query: {} },
  );
  const [name, setName] = createSignal("");
  const [permissions, setPermissions] = createSignal<readonly string[]>(["FUTURES", "API"]);
  const [moving, setMoving] = createSignal<string>();
  const [secret, setSecret] = createSignal<{ access_id: string; secret_key: string }>();
  const act = createAct();
  const make = async () => {
    const body = {
      sub_user_name: name(),
      permissions: permissions(),
    };
    if (await act.run(() => post("/v2/account/subs", body), `${name()} is made.`)) {
      setName("");
      subs.again();
    }
  };
  const freeze = async (row: SubAccount) => {
    const action = row.is_frozen ? "unfrozen" : "frozen";
    await act.run(
      () => post(`/v2/account/subs/${action}`, { sub_user_name: row.sub_user_name }),
      `${row.sub_user_name} is ${action}.`,
    );
    subs.again();
  };
  const makeKey = (row: SubAccount) =>
    act.run(async () => {
      const body = { sub_user_name: row.sub_user_name, ip_whitelist: [], trade_enabled: true };
      setSecret(await post<{ access_id: string; secret_key: string }>("/v2/account/subs/api", body));
    });
  const columns: readonly Column<SubAccount>[] = [
    { name: "Name", isLead: true, cell: (row) => <b>{row.sub_user_name}</b> },
    { name: "Permissions", isMinor: true, cell: (row) => [row.permissions].flat().join(", ").toLowerCase() || "spot" },
    { name: "Worth", isNumber: true, cell: (row) => `${shown(row.balance_usd, 2)} USD` },
    { name: "Status", cell: (row) => (row.is_frozen ? <span class="warning">frozen</span> : "active") },
    {
      name: "",
      cell: (row) => (
        <>
          <button type="button" class="text-button" onClick={() => setMoving(row.sub_user_name)}>
            Transfer
          </button>
          <button type="button" class="text-button" disabled={act.isBusy()} onClick={() => void makeKey(row)}>
            New key
          </button>
          <button type="button" class="text-button" disabled={act.isBusy()} onClick={() => void freeze(row)}>
            {row.is_frozen ? "Unfreeze" : "Freeze"}
          </button>
        </>
      ),
    },
  ];
  return (
    <>
      <SectionHead title="Sub-accounts">
        Accounts below yours with money, positions and keys of their own: one for each program, or each idea.
      </SectionHead>
      <Show when={!user()?.is_sub} fallback={<p class="empty">This is a sub-account; it has none below it.</p>}>
        <form
          class="form narrow card padded"
          onSubmit={(event) => {
            event.preventDefault();
            void make();
          }}
        >
          <TextField name="Name" value={name()} set={setName} placeholder="3 to 26 letters, digits and -" />
          <fieldset class="choice">
            <legend>What it may, besides spot</legend>
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
          <FaultText fault={act.fault()} />
          <button type="submit" class="button primary wide" disabled={act.isBusy() || name() === ""}>
            Make a sub-account
          </button>
        </form>
        <h2>Your sub-accounts</h2>
        <div class="card scroll">
          <Table
            isCards="lines"
            label="Sub-accounts"
            columns={columns}
            rows={subs.rows()}
            state={subs}
            empty="No sub-accounts yet."
          />
          <MoreButton hasNext={subs.hasNext()} isReading={subs.isReading()} onMore={subs.more} />
        </div>
      </Show>
      <Show when={moving()}>
        {(to) => (
          <SubTransfer
            name={to()}
            onClose={() => {
              setMoving(undefined);
              subs.again();
            }}
          />
        )}
      </Show>
      <Show when={secret()}>
        {(key) => (
          <SecretDialog
            title="A key of the sub-account"
            note="The secret is shown this once. The key trades for the sub-account alone."
            rows={[
              ["Access id", key().access_id],
              ["Secret key", key().secret_key],
            ]}
            onClose={() => setSecret(undefined)}
          />
        )}
      </Show>
    </>
  );
}

function SubTransfer(props: { name: string; onClose: () => void }) {
  const [ccy, setCcy] = createSignal("USDT");
  const [amount, setAmount] = createSignal("");
  const [isBack, setIsBack] = createSignal(false);
  const act = createAct();
  const send = async () => {
    const body = {
      from_account_type: "SPOT",
      to_account_type: "SPOT",
      [isBack() ? "from_user_name" : "to_user_name"]: props.name,
      ccy: ccy(),
      amount: amount(),
    };
    if (await act.run(() => post("/v2/account/subs/transfer", body), `${grouped(amount())} ${ccy()} transferred.`))
      props.onClose();
  };
  return (
    <Dialog title={`Transfer: you and ${props.name}`} onClose={props.onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Labelled name="Which way">
          <select
            value={isBack() ? "back" : "there"}
            onChange={({ currentTarget }) => setIsBack(currentTarget.value === "back")}
          >
            <option value="there">From you to {props.name}</option>
            <option value="back">From {props.name} to you</option>
          </select>
        </Labelled>
        <NumberField
          name="Amount"
          value={amount()}
          set={setAmount}
          step="1"
          unit={<CcySelect label="Currency" value={ccy()} set={setCcy} />}
        />
        <Show when={!isBack()}>
          <Available amount={spotAvailable(ccy())} ccy={ccy()} />
        </Show>
        <FaultText fault={act.fault()} />
        <button type="submit" class="button primary wide" disabled={act.isBusy() || !isDecimal(amount())}>
          Transfer
        </button>
      </form>
    </Dialog>
  );
}
