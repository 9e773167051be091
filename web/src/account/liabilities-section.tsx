/** The account's part of what the venue owes its users, checked in this browser. */
import { createSignal, Show, untrack } from "solid-js";
import { ProofUnsound, type VerifiedAmount, verifyProof } from "../../../client/liability-proof.ts";
import { sentenceOf } from "../api/client.ts";
import type { LiabilityProof } from "../api/records.ts";
import { grouped } from "../number/show.ts";
import { Time } from "../panels/row-parts.tsx";
import { saveFile } from "../ui/csv.ts";
import { NoRows, READ } from "../ui/read-state.tsx";
import { createReading, type Reading } from "../ui/reading.ts";
import { SectionHead } from "../ui/section.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { userId } from "./session.ts";

const COLUMNS: readonly Column<VerifiedAmount>[] = [
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
        <Show when={proof.data()} keyed fallback={<NotProved proof={proof} />}>
          {(read) => <Checked proof={read} />}
        </Show>
      </div>
    </>
  );
}

/** No proof yet: before the first count that is nobody's fault. */
function NotProved(props: { proof: Reading<LiabilityProof> }) {
  return (
    <Show when={props.proof.refusal() !== 0} fallback={<NoRows state={props.proof} empty="" />}>
      {props.proof.fault()}{" "}
      <button type="button" class="text-button" onClick={() => props.proof.again()}>
        Retry
      </button>
    </Show>
  );
}

/** One proof and what its check came to. Another proof is another one of these, so that no check tells of it. */
function Checked(props: { proof: LiabilityProof }) {
  const [owed, setOwed] = createSignal<readonly VerifiedAmount[]>();
  const [fault, setFault] = createSignal("");
  owedBy(untrack(() => props.proof)).then(setOwed, (error: unknown) => setFault(faultOf(error)));
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
        <Show when={fault() === ""} fallback={<span class="bad">{fault()}</span>}>
          <Show when={owed()} fallback={<span class="quiet">Checking…</span>}>
            <b>Verified in this browser.</b>
          </Show>
        </Show>
      </p>
      <Show when={owed()}>
        {(rows) => (
          <Table
            label="What the venue owes you"
            isCards="lines"
            columns={COLUMNS}
            rows={rows()}
            state={READ}
            empty="When this was counted, the venue owed you nothing."
          />
        )}
      </Show>
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

/** Amounts of a proof that holds and is of this account. */
async function owedBy(proof: LiabilityProof): Promise<readonly VerifiedAmount[]> {
  const account = String(untrack(userId));
  const { accountId, owed } = await verifyProof(proof);
  if (accountId !== account) throw new ProofUnsound(`The proof is of account ${accountId}, and not of yours.`);
  return owed;
}

/** A browser that cannot check a proof says nothing of the proof. */
function faultOf(error: unknown): string {
  const outcome = error instanceof ProofUnsound ? "The proof does not hold." : "The proof could not be checked.";
  return `${outcome} ${sentenceOf(error)}`;
}
