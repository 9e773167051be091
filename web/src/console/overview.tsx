/** How the venue stands, at a glance. */
import { createMemo, For, type JSX, Show } from "solid-js";
import { grouped, short } from "../number/show.ts";
import { Copyable } from "../ui/figure.tsx";
import { NoRows, READ, type ReadState } from "../ui/read-state.tsx";
import { Table } from "../ui/table.tsx";
import { ActButtons } from "./act-buttons.tsx";
import type { Row } from "./area.ts";
import { duration } from "./duration.ts";
import { figure, readFigures } from "./figures.ts";
import { go, place, setParams } from "./place.ts";
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
      <Alerts />
      <h2>Figures</h2>
      <Charts />
      <h2>What the venue holds</h2>
      <Totals audit={audit.data()} state={audit} />
    </>
  );
}

/**
 * The whole state held against the invariants: it costs a moment of the venue's time, so it is done when somebody asks.
 */
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
  const cancelOnly = () => figure("bourse_cancel_only") > 0;
  const seq = () => Math.max(figure("bourse_seq"), props.audit?.["seq"] ?? 0);
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
                word: "Lift cancel-only",
                call: "POST /admin/cancel-only",
                says: "Lifts cancel-only: orders are taken again.",
                fixed: { cancel_only: false },
              }
            : {
                word: "Set cancel-only",
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

const SPANS = [
  ["hour", "Hour"],
  ["day", "Day"],
  ["week", "Week"],
] as const;

interface Curve {
  readonly name: string;
  readonly words: string;
  readonly unit: string;
  readonly values: readonly (number | null)[];
}

interface Refusals {
  readonly code: string;
  readonly values: readonly (number | null)[];
}

/** The venue's own figures, which it keeps whether or not somebody looks. */
function Charts() {
  const span = () => SPANS.find(([id]) => id === place().params["span"])?.[0] ?? "hour";
  const reading = createReading<Row>(() => ({ path: "/admin/series", query: { span: span() } }), 10_000);
  const curves = () => (reading.data()?.["series"] ?? []) as readonly Curve[];
  return (
    <>
      <fieldset class="segments" aria-label="How far back">
        <For each={SPANS}>
          {([id, word]) => (
            <button
              type="button"
              class="button small"
              aria-pressed={span() === id}
              onClick={() => setParams({ span: id === "hour" ? "" : id })}
            >
              {word}
            </button>
          )}
        </For>
      </fieldset>
      <Show
        when={reading.isRead()}
        fallback={
          <p class="note">
            <NoRows state={reading} empty="" />
          </p>
        }
      >
        <div class="tiles">
          <For each={curves()}>
            {(curve) => (
              <SmallChart
                name={`${curve.words}${UNIT_WORDS[curve.unit] ?? ""}`}
                title={`Averages over the last ${span()}, and the latest of them`}
                value={figureOf(curve)}
                line={curve.values}
              />
            )}
          </For>
        </div>
        <h2>Refused requests</h2>
        <RefusalsByCode
          refusals={(reading.data()?.["refusals"] ?? []) as readonly Refusals[]}
          stepMs={Number(reading.data()?.["step_ms"])}
          span={span()}
        />
      </Show>
    </>
  );
}

const UNIT_WORDS: Readonly<Record<string, string>> = { "per second": " a second", "USD per hour": " an hour" };

function figureOf({ unit, values }: Curve): string {
  const last = values.findLast((value) => value !== null);
  if (last === undefined || last === null) return "–";
  if (unit === "bytes") return bytes(last);
  if (unit === "ms") return `${last < 10 ? last.toFixed(2) : last.toFixed(0)} ms`;
  if (unit === "%") return `${last.toFixed(1)} %`;
  if (unit === "per second") return last.toFixed(last < 10 ? 1 : 0);
  if (unit.startsWith("USD")) return `${short(last.toFixed(2))} USD`;
  return short(`${Math.round(last)}`);
}

/** How many in the span, by code; a row leads to the latest of them with their reasons. */
function RefusalsByCode(props: { refusals: readonly Refusals[]; stepMs: number; span: string }) {
  const rows = createMemo(() =>
    props.refusals
      .map(({ code, values }) => ({
        code,
        count: Math.round(values.reduce<number>((sum, rate) => sum + (rate ?? 0) * (props.stepMs / 1_000), 0)),
      }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count),
  );
  const open = ({ code }: { code: string }) => go("refusals", { code });
  return (
    <Scrolling class="card" name="Refused requests by code">
      <Table
        label="Refused requests by code"
        state={READ}
        rows={rows()}
        empty={`No request was refused in the last ${props.span}.`}
        onOpen={open}
        onKey={(key, row) => key === "Enter" && open(row)}
        columns={[
          { name: "Code", cell: ({ code }) => <b>{code}</b> },
          { name: `In the last ${props.span}, about`, isNumber: true, cell: ({ count }) => grouped(`${count}`) },
        ]}
      />
    </Scrolling>
  );
}

/** Alerts that are firing; the page of the alerts says what to do. */
function Alerts() {
  const reading = createReading<Row>(() => ({ path: "/admin/alerts", query: { firing: true, limit: 10 } }), 10_000);
  const alerts = () => (reading.data()?.["alerts"] ?? []) as readonly Row[];
  return (
    <Show when={alerts().length > 0}>
      <div class="card books bad" role="status">
        <div>
          <For each={alerts()}>
            {(alert) => (
              <p>
                {alert["summary"]}
                <Show when={alert["acknowledged_by"]}>
                  {(name) => <span class="quiet"> {name()} looks after it.</span>}
                </Show>
              </p>
            )}
          </For>
        </div>
        <button type="button" class="button small" onClick={() => go("alerts")}>
          Open alerts
        </button>
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
        isCards="lines"
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
