/** The sources of every index with their health. */
import { For, Show } from "solid-js";
import { changeRate, grouped, percent } from "../number/show.ts";
import { NoRows, READ } from "../ui/read-state.tsx";
import { Table } from "../ui/table.tsx";
import { ActButtons } from "./act-buttons.tsx";
import type { Row } from "./area.ts";
import { createReading } from "./reading.ts";

const BEAT_MS = 3_000;
/** A source that was silent for longer is worth a look. */
const QUIET_MS = 10_000;

export function IndexSources() {
  const markets = createReading<Row>(() => ({ path: "/admin/markets" }), BEAT_MS);
  const withSources = () =>
    ((markets.data()?.["markets"] ?? []) as Row[]).filter((row) => (row["index_sources"] ?? []).length > 0);
  /** By the venue's clock, which may be a virtual one: the newest word that any source has given. */
  const nowMs = () =>
    Math.max(
      0,
      ...withSources().flatMap((row) => (row["index_sources"] as Row[]).map((one) => one["updated_at"] ?? 0)),
    );
  return (
    <Show
      when={withSources().length > 0}
      fallback={
        <p class="card empty">
          <NoRows state={markets} empty="No market has sources of an index." />
        </p>
      }
    >
      <For each={withSources()}>
        {(row) => (
          <section class="card index-card" aria-label={`Index of ${row["market"]}, ${row["market_type"]}`}>
            <header>
              <h2>
                {row["market"]} <span class="tag">{String(row["market_type"]).toLowerCase()}</span>
                <Show when={row["index_stale"] === true}>
                  <span class="tag warning">stale</span>
                </Show>
              </h2>
              <p class="index-price figure">{row["index_price"] == null ? "no price" : grouped(row["index_price"])}</p>
              <ActButtons
                acts={[
                  {
                    word: "Set index price",
                    call: "POST /admin/index-prices",
                    fixed: { market: row["market"], market_type: row["market_type"] },
                  },
                  {
                    word: "Change sources",
                    call: "POST /admin/markets",
                    fixed: { market: row["market"], market_type: row["market_type"] },
                    ask: ["index_sources"],
                  },
                ]}
              />
            </header>
            <Table<Row>
              state={READ}
              label={`Sources of ${row["market"]}, ${row["market_type"]}`}
              rows={row["index_sources"]}
              empty=""
              columns={[
                { name: "Source", cell: (one) => one["exchange"] },
                { name: "Weight", isNumber: true, cell: (one) => percent(one["weight"], 0) },
                {
                  name: "Counts for",
                  isNumber: true,
                  isMinor: true,
                  cell: (one) => (one["share"] == null ? "–" : percent(one["share"], 1)),
                },
                { name: "Price", isNumber: true, cell: (one) => (one["price"] == null ? "–" : grouped(one["price"])) },
                {
                  name: "From the index",
                  isNumber: true,
                  isMinor: true,
                  cell: (one) =>
                    one["price"] == null || row["index_price"] == null
                      ? "–"
                      : percent(changeRate(row["index_price"], one["price"]), 3),
                },
                {
                  name: "Silent for",
                  isNumber: true,
                  cell: (one) => <Silence ms={one["updated_at"] == null ? undefined : nowMs() - one["updated_at"]} />,
                },
              ]}
            />
          </section>
        )}
      </For>
    </Show>
  );
}

function Silence(props: { ms: number | undefined }) {
  const words = () => (props.ms === undefined ? "always" : `${(props.ms / 1_000).toFixed(0)} s`);
  const isQuiet = () => props.ms === undefined || props.ms > QUIET_MS;
  return <span class={`state ${isQuiet() ? "warning" : "up"}`}>{words()}</span>;
}
