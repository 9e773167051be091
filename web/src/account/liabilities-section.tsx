/** The account's part of what the venue owes its users, checked in this browser. */
import { createEffect, createSignal, on, Show } from "solid-js";
import { sentenceOf } from "../api/client.ts";
import type { LiabilityProof } from "../api/records.ts";
import { grouped } from "../number/show.ts";
import { Time } from "../panels/row-parts.tsx";
import { saveFile } from "../ui/csv.ts";
import { WhenRead } from "../ui/read-state.tsx";
import { createReading } from "../ui/reading.ts";
import { SectionHead } from "../ui/section.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { userId } from "./session.ts";
import { type Owed, verifiedOwed } from "./verify-proof.ts";

const COLUMNS: readonly Column<Owed>[] = [
  { name: "Currency", isLead: true, cell: (row) => <b>{row.ccy}</b> },
  { name: "Owed to you", isNumber: true, cell: (row) => grouped(row.amount) },
  { name: "Owed to everybody", isNumber: true, cell: (row) => grouped(row.total) },
];

export function LiabilitiesSection() {
  const proof = createReading<LiabilityProof>(() =>
    userId() === undefined ? undefined : { path: "/v2/ext/liability-proof" },
  );
  return (
    <>
      <SectionHead title="Proof of liabilities">
        The venue counts what it owes its users and publishes the totals. This page checks that what it owes you is part
        of them.
      </SectionHead>
      <div class="card padded">
        <WhenRead reading={proof}>{(read) => <Checked proof={read()} again={proof.again} />}</WhenRead>
      </div>
    </>
  );
}

function Checked(props: { proof: LiabilityProof; again: () => void }) {
  const [owed, setOwed] = createSignal<readonly Owed[]>();
  const [fault, setFault] = createSignal("");
  createEffect(
    on(
      () => props.proof,
      (proof) => {
        setOwed(undefined);
        setFault("");
        verifiedOwed(proof, userId() ?? 0).then(setOwed, (error: unknown) => setFault(sentenceOf(error)));
      },
    ),
  );
  return (
    <>
      <dl class="facts">
        <div>
          <dt>Counted</dt>
          <dd>
            <Time at={props.proof.counted_at} />
          </dd>
        </div>
        <div>
          <dt>Head</dt>
          <dd>
            <code>{props.proof.head}</code>
          </dd>
        </div>
      </dl>
      <p role="status">
        <Show when={fault() === ""} fallback={<span class="bad">The proof does not hold. {fault()}</span>}>
          <Show when={owed()} fallback={<span class="quiet">Checking…</span>}>
            <b>Verified in this browser.</b>
          </Show>
        </Show>
      </p>
      <Table
        label="What the venue owes you"
        isCards="lines"
        columns={COLUMNS}
        rows={owed() ?? []}
        state={{ isRead: () => owed() !== undefined, fault: () => "", again: props.again }}
        empty="When this was counted, the venue owed you nothing."
      />
      <p class="note">
        Compare the head with other users and with where the operator publishes it: who is shown another head is shown
        other totals. Compare the amounts with what you had at that time.
      </p>
      <button
        type="button"
        class="button"
        onClick={() => saveFile("liability-proof.json", JSON.stringify(props.proof, null, 2), "application/json")}
      >
        Save the proof
      </button>
    </>
  );
}
