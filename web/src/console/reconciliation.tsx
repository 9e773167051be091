/**
 * Compares the custody in the ledger with what chains say is there. Chains are asked, so it is done when somebody wants
 * it.
 */
import { createSignal, Show } from "solid-js";
import { grouped } from "../number/show.ts";
import { READ } from "../ui/read-state.tsx";
import { Table } from "../ui/table.tsx";
import type { Row } from "./area.ts";
import { createReading } from "./reading.ts";
import { Scrolling } from "./scrolling.tsx";

export function Reconciliation() {
  const [isWanted, setIsWanted] = createSignal(false);
  const reading = createReading<Row>(() => (isWanted() ? { path: "/admin/audit/chains" } : undefined));
  const column = (name: string, field: string) => ({
    name,
    isNumber: true,
    cell: (row: Row) => grouped(row[field]),
  });
  return (
    <>
      <div
        class={`card books ${reading.data() === undefined ? "" : reading.data()?.["ok"] === true ? "good" : "bad"}`}
        role="status"
      >
        <div>
          <p class="books-head">{verdictOn(reading.data())}</p>
          <p class="note">{reading.fault() || (reading.data()?.["troubles"] as string[] | undefined)?.join(" ")}</p>
        </div>
        <button
          type="button"
          class="button small"
          disabled={reading.isReading()}
          onClick={() => (isWanted() ? reading.again() : setIsWanted(true))}
        >
          {reading.isReading() ? "Reconciling" : "Reconcile"}
        </button>
      </div>
      <Show when={reading.data()}>
        {(now) => (
          <Scrolling class="card" name="Reconciliation">
            <Table<Row>
              state={READ}
              label="Reconciliation"
              isCards="lines"
              rows={now()["currencies"]}
              empty=""
              columns={[
                { name: "Currency", cell: (row) => <b>{row["ccy"]}</b> },
                column("Ledger", "ledger"),
                column("Hot", "hot"),
                column("To be swept", "unswept"),
                column("Cold", "cold"),
                column("Elsewhere", "elsewhere"),
                {
                  name: "Missing",
                  isNumber: true,
                  cell: (row) => (
                    <span class={/^[0.]*$/.test(row["missing"]) ? "quiet" : "bad"}>{grouped(row["missing"])}</span>
                  ),
                },
              ]}
            />
          </Scrolling>
        )}
      </Show>
    </>
  );
}

function verdictOn(read: Row | undefined): string {
  if (read === undefined) return "Do the chains hold what the ledger says?";
  return read["ok"] === true ? "The chains hold what the ledger says." : "The ledger says more than is there.";
}
