/** The events of a user, from all lists together, the newest first. */
import { For, Show } from "solid-js";
import { allRead, NoRows } from "../ui/read-state.tsx";
import type { Row } from "./area.ts";
import { createReading, type Reading } from "./reading.ts";
import { Time } from "./record.tsx";

/** Of each list. */
const ROWS = 20;

interface Source {
  readonly path: string;
  readonly rows: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly at: (row: Row) => number;
  readonly kind: string;
  readonly says: (row: Row) => string;
}

const SOURCES: readonly Source[] = [
  {
    path: "/admin/finished-orders",
    rows: "orders",
    at: (row) => row["updated_at"],
    kind: "order",
    says: (row) =>
      `${row["side"]} ${row["amount"]} in ${row["market"]}, ${word(row["status"])}, order ${row["order_id"]}`,
  },
  {
    path: "/admin/finished-orders",
    rows: "orders",
    query: { account: "futures" },
    at: (row) => row["updated_at"],
    kind: "order",
    says: (row) =>
      `${row["side"]} ${row["amount"]} in ${row["market"]} futures, ${word(row["status"])}, order ${row["order_id"]}`,
  },
  {
    path: "/admin/deposits",
    rows: "deposits",
    query: { status: "finished" },
    at: (row) => row["created_at"],
    kind: "deposit",
    says: (row) => `${row["amount"]} ${row["ccy"]} over ${row["chain"]}`,
  },
  {
    path: "/admin/withdrawals",
    rows: "withdrawals",
    at: (row) => row["created_at"],
    kind: "withdrawal",
    says: (row) => `${row["amount"]} ${row["ccy"]} to ${row["to_address"]}, ${word(row["status"])}`,
  },
  {
    path: "/admin/refusals",
    rows: "refusals",
    at: (row) => row["time"],
    kind: "refused",
    says: (row) => `${row["method"]} ${row["path"]}: ${row["because"]}`,
  },
  {
    path: "/admin/audit-trail",
    rows: "audit_trail",
    at: (row) => row["time"],
    kind: "operator",
    says: (row) =>
      row["action"] === "note"
        ? `${row["actor"]} notes: ${row["details"]?.["text"]}`
        : `${row["actor"]}: ${word(row["action"])}, ${word(row["outcome"])}`,
  },
];

interface Entry {
  readonly at: number;
  readonly kind: string;
  readonly says: string;
}

export function UserTimeline(props: { userId: string }) {
  const readings = SOURCES.map((source) => ({
    source,
    reading: createReading<Row>(() => ({
      path: source.path,
      query: { ...source.query, user_id: props.userId, limit: ROWS },
    })),
  }));
  const state = allRead(readings.map(({ reading }) => reading));
  const entries = () => (state.isRead() ? merged(readings) : []);
  return (
    <div class="card padded">
      <Show
        when={entries().length > 0}
        fallback={<NoRows state={state} empty="Nothing has happened to this user yet." />}
      >
        <ol class="timeline" aria-label="Timeline">
          <For each={entries()}>
            {({ at, kind, says }) => (
              <li>
                <Time at={at} />
                <span class="tag">{kind}</span>
                <span>{says}</span>
              </li>
            )}
          </For>
        </ol>
      </Show>
    </div>
  );
}

/** As far back as the list goes that reaches back least: nothing is missing between the rows. */
function merged(readings: readonly { readonly source: Source; readonly reading: Reading<Row> }[]): readonly Entry[] {
  const lists = readings.map(({ source, reading }) => {
    const rows = (reading.data()?.[source.rows] ?? []) as readonly Row[];
    const entries = rows.map(
      (row): Entry => ({ at: timeOf(source.at(row)), kind: source.kind, says: source.says(row) }),
    );
    return { entries, from: rows.length < ROWS ? Number.NEGATIVE_INFINITY : Math.min(...entries.map(({ at }) => at)) };
  });
  const from = Math.max(...lists.map((list) => list.from));
  return lists
    .flatMap(({ entries }) => entries)
    .filter(({ at }) => at >= from)
    .sort((one, other) => other.at - one.at);
}

function timeOf(value: number | string): number {
  return typeof value === "string" ? Date.parse(value) : value;
}

function word(value: unknown): string {
  return String(value).replaceAll("_", " ");
}
