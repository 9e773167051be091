/** How the venue stands, at a glance. */
import { createMemo, For, type JSX, Show } from "solid-js";
import { grouped, short } from "../number/show.ts";
import { Copyable } from "../ui/figure.tsx";
import type { ReadState } from "../ui/read-state.tsx";
import { Table } from "../ui/table.tsx";
import { ActButtons } from "./act-buttons.tsx";
import type { Row } from "./area.ts";
import { duration } from "./duration.ts";
import { figures, readFigures } from "./figures.ts";
import { createReading } from "./reading.ts";
import { Time } from "./record.tsx";
import { Scrolling } from "./scrolling.tsx";
import type { ConsoleSession } from "./session.ts";
import { SmallChart } from "./small-chart.tsx";

export function Overview() {
  readFigures();
  const audit = createReading<Row>(() => ({ path: "/admin/audit" }));
  const standing = createReading<ConsoleSession>(() => ({ path: "/admin/session" }), 10_000);
  return (
    <>
      <Books audit={audit.data()} fault={audit.fault()} isReading={audit.isReading()} again={audit.again} />
      <Show when={standing.data()}>{(now) => <Standing of={now()} audit={audit.data()} />}</Show>
      <h2>Now, and in the last minutes</h2>
      <Charts />
      <Sources />
      <h2>What the venue holds</h2>
      <Totals audit={audit.data()} state={audit} />
    </>
  );
}

/** The whole state held against the invariants: it costs a moment of the venue's time, so it is done when somebody asks. */
function Books(props: { audit: Row | undefined; fault: string; isReading: boolean; again: () => void }) {
  const words = () => {
    if (props.fault !== "") return { tone: "bad", head: "The books could not be checked.", more: props.fault };
    if (props.audit === undefined) return { tone: "", head: "Checking the books.", more: "" };
    if (props.audit["ok"] === true) {
      const seq = grouped(`${props.audit["seq"]}`);
      return {
        tone: "good",
        head: "The books balance.",
        more: `Every invariant holds after command ${seq}: what came in from outside is what users and venue have.`,
      };
    }
    return { tone: "bad", head: "The books do not balance.", more: (props.audit["breaches"] as string[]).join(" ") };
  };
  return (
    <div class={`card books ${words().tone}`} role="status">
      <div>
        <p class="books-head">{words().head}</p>
        <p class="note">{words().more}</p>
      </div>
      <button type="button" class="button small" disabled={props.isReading} onClick={() => props.again()}>
        {props.isReading ? "Checking" : "Check again"}
      </button>
    </div>
  );
}

function Standing(props: { of: ConsoleSession; audit: Row | undefined }) {
  const clockWords = () => {
    const { clock } = props.of;
    if (clock === null) return "the machine's";
    return clock.frozen ? "virtual, frozen" : clock.speed === 1 ? "virtual" : `virtual, ${clock.speed} times as fast`;
  };
  const cancelOnly = () => figures.last("bourse_cancel_only") > 0;
  const seq = () => Math.max(figures.last("bourse_seq") || 0, props.audit?.["seq"] ?? 0);
  return (
    <div class="card padded standing">
      <dl class="facts">
        <Fact name="Log position">{grouped(`${seq()}`)}</Fact>
        <Fact name="Venue's time">
          <Time at={props.of.time_ms ?? 0} />
        </Fact>
        <Fact name="Clock">{clockWords()}</Fact>
        <Fact name="Up for">{duration(props.of.uptime_ms ?? 0)}</Fact>
        <Fact name="Version">{props.of.version}</Fact>
        <Fact name="Takes">{cancelOnly() ? <span class="bad">cancels only</span> : "orders"}</Fact>
        <Show when={props.audit}>
          {(audit) => (
            <Fact name={`State hash at ${grouped(`${audit()["seq"]}`)}`}>
              <code>
                <Copyable value={audit()["state_hash"]} label="the state hash" />
              </code>
            </Fact>
          )}
        </Show>
      </dl>
      <ActButtons
        acts={[
          cancelOnly()
            ? {
                word: "Take orders again",
                call: "POST /admin/cancel-only",
                says: "Lifts cancel-only: orders are taken again.",
                fixed: { cancel_only: false },
              }
            : {
                word: "Take only cancels",
                call: "POST /admin/cancel-only",
                says: "No market takes orders any more, only cancels, until somebody lifts it.",
                fixed: { cancel_only: true },
                isDangerous: true,
              },
        ]}
      />
    </div>
  );
}

function Fact(props: { name: string; children: JSX.Element }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Charts() {
  const count = (value: number) => (Number.isNaN(value) ? "–" : short(`${Math.round(value)}`));
  const each = (value: number | undefined) => (value === undefined ? "–" : value.toFixed(value < 10 ? 1 : 0));
  // Where nothing is written, nothing takes time.
  const ms = (value: number | undefined) =>
    value === undefined || value === 0 ? "–" : `${(value * 1_000).toFixed(2)} ms`;
  const commands = createMemo(() => figures.rate("bourse_seq"));
  const deals = createMemo(() => figures.rate("bourse_deals_total"));
  const answers = createMemo(() => figures.rate("bourse_http_answers_total"));
  const commits = createMemo(() => figures.mean("bourse_commit_seconds"));
  return (
    <div class="tiles">
      <SmallChart name="Commands a second" value={each(commands().at(-1))} line={commands()} />
      <SmallChart name="Deals a second" value={each(deals().at(-1))} line={deals()} />
      <SmallChart name="HTTP answers a second" value={each(answers().at(-1))} line={answers()} />
      <SmallChart
        name="Commit of a group"
        title="From a group of commands to its being durable and applied, on average"
        value={ms(commits().at(-1))}
        line={commits()}
      />
      <SmallChart
        name="Open orders"
        value={count(figures.last("bourse_open_orders"))}
        line={figures.line("bourse_open_orders")}
      />
      <SmallChart name="Sockets" value={count(figures.last("bourse_sockets"))} line={figures.line("bourse_sockets")} />
      <SmallChart name="Users" value={count(figures.last("bourse_users"))} line={figures.line("bourse_users")} />
      <SmallChart
        name="Log and history"
        title="Bytes of all files of the venue"
        value={bytes(figures.last("bourse_file_bytes"))}
        line={figures.line("bourse_file_bytes")}
      />
    </div>
  );
}

/** What is silent, or short. */
function Sources() {
  const stale = () => figures.labelled("bourse_index_stale").filter(([, value]) => value > 0);
  const troubled = () => figures.labelled("bourse_chain_trouble").filter(([, value]) => value > 0);
  return (
    <Show when={stale().length + troubled().length > 0}>
      <div class="card books bad" role="status">
        <div>
          <For each={stale()}>
            {([labels]) => (
              <p>
                The index of {labels["market"]} ({labels["market_type"]?.toLowerCase()}) is stale: its sources are
                silent.
              </p>
            )}
          </For>
          <For each={troubled()}>{([labels]) => <p>The chain {labels["chain"]} is in trouble; see Chains.</p>}</For>
        </div>
      </div>
    </Show>
  );
}

interface Total {
  readonly ccy: string;
  readonly custody: string;
  readonly users: string;
  readonly system: string;
}

function Totals(props: { audit: Row | undefined; state: ReadState }) {
  const rows = () =>
    Object.entries((props.audit?.["totals"] ?? {}) as Record<string, Total>).map(([ccy, total]) => ({ ...total, ccy }));
  return (
    <Scrolling class="card" name="Totals">
      <Table<Total>
        label="Totals"
        state={props.state}
        rows={rows()}
        empty="Nothing is held yet. List assets, and credit somebody."
        columns={[
          { name: "Currency", cell: ({ ccy }) => <b>{ccy}</b> },
          {
            name: "In custody",
            title: "What came in from outside",
            isNumber: true,
            cell: ({ custody }) => grouped(custody),
          },
          { name: "Of users", isNumber: true, cell: ({ users }) => grouped(users) },
          { name: "Of the venue", isNumber: true, cell: ({ system }) => grouped(system) },
        ]}
      />
    </Scrolling>
  );
}

function bytes(value: number): string {
  if (Number.isNaN(value)) return "–";
  if (value === 0) return "in memory";
  const [size, unit] = [[2 ** 30, "GiB"] as const, [2 ** 20, "MiB"] as const, [2 ** 10, "KiB"] as const].find(
    ([least]) => value >= least,
  ) ?? [1, "B"];
  return `${(value / size).toFixed(1)} ${unit}`;
}
