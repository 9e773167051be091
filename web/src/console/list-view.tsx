/** A list of an area: filters and page stand in the address; a row opens its panel. */
import { createMemo, createSignal, For, Show, untrack } from "solid-js";
import { READ, ReadFault } from "../ui/read-state.tsx";
import { Table } from "../ui/table.tsx";
import { ActButtons } from "./act-buttons.tsx";
import type { Act, Filter, List, Row } from "./area.ts";
import { ExportButton } from "./export-button.tsx";
import { go, place, setParams } from "./place.ts";
import { createReading } from "./reading.ts";
import { Record } from "./record.tsx";
import { Scrolling } from "./scrolling.tsx";
import { SidePanel } from "./side-panel.tsx";
import { valueWords } from "./words.ts";

const LIMIT = 50;

/** `acts`: what can be done besides, beside the filters. */
export function ListView(props: { list: List; acts?: readonly Act[] }) {
  const params = () => place().params;
  const page = () => Math.max(1, Math.floor(Number(params()["page"])) || 1);
  const lacks = () => (props.list.needs ?? []).some((name) => (params()[name] ?? "") === "");
  const filtersNow = () =>
    Object.fromEntries(
      (props.list.filters ?? []).map(({ name, standard }) => [name, params()[name] || standard || ""]),
    );
  const source = () => {
    if (lacks()) return undefined;
    const paging = props.list.isPaged === true ? { page: page(), limit: LIMIT } : {};
    return { path: props.list.path, query: { ...props.list.query, ...filtersNow(), ...paging } };
  };
  const reading = createReading<Row>(
    source,
    untrack(() => props.list.beatMs),
  );
  const rows = () => (reading.data()?.[props.list.rows] as readonly Row[] | undefined) ?? [];
  const chosen = createMemo(() => {
    const key = params()["row"];
    return key === undefined ? undefined : rows().find((row) => props.list.key(row) === key);
  });
  const open = (row: Row) => setParams({ row: props.list.key(row) });
  return (
    <>
      <div class="list-bar">
        <ActButtons acts={props.acts ?? []} />
        <For each={props.list.filters}>{(filter) => <FilterInput filter={filter} />}</For>
        <button type="button" class="button small refresh" onClick={reading.again} disabled={reading.isReading()}>
          {reading.isReading() ? "Refreshing" : "Refresh"}
        </button>
        <Show when={!lacks()}>
          <ExportButton list={props.list} query={{ ...props.list.query, ...filtersNow() }} />
        </Show>
      </div>
      <Scrolling class="card" name={props.list.name}>
        <Table
          label={props.list.name}
          columns={props.list.columns}
          isCards="lines"
          rows={rows()}
          state={lacks() ? READ : reading}
          empty={lacks() ? (props.list.asks ?? props.list.empty) : props.list.empty}
          onKey={(key, row) => key === "Enter" && open(row)}
          onOpen={open}
          isOpen={(row) => props.list.key(row) === params()["row"]}
        />
      </Scrolling>
      <Show when={props.list.isPaged === true && (page() > 1 || reading.data()?.["has_next"] === true)}>
        <nav class="form-row pager" aria-label="Pages">
          <button
            type="button"
            class="button small"
            disabled={page() === 1}
            onClick={() => setParams({ page: page() === 2 ? "" : `${page() - 1}`, row: "" })}
          >
            ← Before
          </button>
          <span class="quiet">Page {page()}</span>
          <button
            type="button"
            class="button small"
            disabled={reading.data()?.["has_next"] !== true}
            onClick={() => setParams({ page: `${page() + 1}`, row: "" })}
          >
            Next →
          </button>
        </nav>
      </Show>
      <Show when={chosen()}>
        {(row) => (
          <SidePanel title={props.list.title(row())} onClose={() => setParams({ row: "" })}>
            <ActButtons acts={props.list.acts?.(row()) ?? []} />
            <Show when={props.list.page?.(row())}>
              {(page) => (
                <button type="button" class="text-button" onClick={() => go(page().area, page().params)}>
                  Open the page
                </button>
              )}
            </Show>
            <Show when={props.list.explains}>
              {(what) => (
                <button
                  type="button"
                  class="text-button"
                  onClick={() => go("explain", { what: what(), id: props.list.key(row()) })}
                >
                  How did it come to this?
                </button>
              )}
            </Show>
            <Show when={props.list.one} fallback={<Record of={row()} />}>
              {(one) => <Details path={one()(row())} row={row()} />}
            </Show>
          </SidePanel>
        )}
      </Show>
    </>
  );
}

/** Shows what the venue says of one row only; until that has come, what the list says. */
function Details(props: { path: string; row: Row }) {
  const reading = createReading<Row>(() => ({ path: props.path }));
  return (
    <>
      <Show when={reading.fault() !== ""}>
        <p class="fault">
          <ReadFault state={reading} />
        </p>
      </Show>
      <Record of={reading.data() ?? props.row} without={["has_next"]} />
    </>
  );
}

/** A text filters when it is complete: each letter would be a question to the venue. */
function FilterInput(props: { filter: Filter }) {
  const value = () => place().params[props.filter.name] || props.filter.standard || "";
  const set = (text: string) => setParams({ [props.filter.name]: text.trim(), page: "", row: "" });
  return (
    <Show
      when={props.filter.choices}
      fallback={
        <Show
          when={props.filter.isTime !== true}
          fallback={<TimeInput word={props.filter.word} value={value()} set={set} />}
        >
          <input
            class="input"
            type="search"
            aria-label={props.filter.word}
            placeholder={props.filter.word}
            value={value()}
            onChange={({ currentTarget }) => set(currentTarget.value)}
          />
        </Show>
      }
    >
      {(choices) => (
        <select
          aria-label={props.filter.word}
          value={value()}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          <Show when={props.filter.standard === undefined}>
            <option value="">{props.filter.word}: all</option>
          </Show>
          <For each={choices()}>
            {(each) => (
              <option value={each} selected={each === value()}>
                {WORDS[each] ?? valueWords(props.filter.name, each).replaceAll("_", " ")}
              </option>
            )}
          </For>
        </select>
      )}
    </Show>
  );
}

const WORDS: Readonly<Record<string, string>> = { true: "yes", false: "no" };

/**
 * A time in the address is one for everybody; the field shows it by the clock of this browser. Half a time filters
 * nothing and says so.
 */
function TimeInput(props: { word: string; value: string; set: (text: string) => void }) {
  const [isHalf, setIsHalf] = createSignal(false);
  const read = ({ value, validity }: HTMLInputElement) => {
    setIsHalf(validity.badInput);
    if (validity.badInput) return;
    const ms = Date.parse(value);
    props.set(Number.isNaN(ms) ? "" : new Date(ms).toISOString());
  };
  return (
    <label class="filter-time">
      <span>{props.word}</span>
      <input
        class="input"
        type="datetime-local"
        max="9999-12-31T23:59"
        aria-invalid={isHalf() ? "true" : undefined}
        value={localTime(props.value)}
        onChange={({ currentTarget }) => read(currentTarget)}
        onBlur={({ currentTarget }) => setIsHalf(currentTarget.validity.badInput)}
      />
      <Show when={isHalf()}>
        <span class="fault" role="alert">
          Give a day with its year, an hour and a minute.
        </span>
      </Show>
    </label>
  );
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT/;

/** As the field wants it; empty for what is no time. */
function localTime(text: string): string {
  const ms = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) return "";
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
