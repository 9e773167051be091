/** Open orders and waiting stop orders, changed where they stand. */
import { createSignal, type JSX, Show } from "solid-js";
import { sentenceOf } from "../api/client.ts";
import { compare, type Decimal, over } from "../number/decimal.ts";
import { percent } from "../number/show.ts";
import type { ReadState } from "../ui/read-state.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { say } from "../ui/toasts.tsx";
import { cancelOrder, cancelStop, changeOrder, changeStop, type OpenOrder, type StopOrder } from "./orders-store.ts";
import { amountText, MarketLink, marketAt, priceText, SideWord, Time, typeWord } from "./row-parts.tsx";

type Values = Readonly<Record<string, Decimal>>;

/** The row that is being changed, and what stands in its fields. */
const [editing, setEditing] = createSignal<string>();
const [draft, setDraft] = createSignal<Values>({});
/** Rows whose act is on its way. */
const [pending, setPending] = createSignal<ReadonlySet<string>>(new Set());

async function act(key: string, action: () => Promise<void>, done: string): Promise<void> {
  setPending((before) => new Set(before).add(key));
  try {
    await action();
    say(done, "good");
    if (editing() === key) setEditing(undefined);
  } catch (error) {
    say(sentenceOf(error), "bad");
  }
  setPending((before) => new Set([...before].filter((each) => each !== key)));
}

/** A figure of a row, or the field that changes it. */
function Editable(props: {
  row: string;
  field: string;
  name: string;
  value: Decimal;
  shown: JSX.Element;
  save: () => void;
}) {
  return (
    <Show when={editing() === props.row && props.field in draft()} fallback={props.shown}>
      <input
        ref={(input) => {
          // The hand is at the row: the first field takes the focus.
          if (Object.keys(draft())[0] === props.field) queueMicrotask(() => input.select());
        }}
        class="cell-input"
        type="text"
        inputmode="decimal"
        aria-label={`New ${props.name}`}
        value={draft()[props.field]}
        onInput={({ currentTarget }) =>
          setDraft((before) => ({ ...before, [props.field]: currentTarget.value.replace(",", ".").trim() }))
        }
        onKeyDown={(event) => {
          if (event.key === "Enter") props.save();
          if (event.key === "Escape") setEditing(undefined);
          event.stopPropagation();
        }}
      />
    </Show>
  );
}

/** Edit and Cancel, or Save and Leave while the row is being changed. */
function Acts(props: {
  row: string;
  what: string;
  onEdit?: (() => void) | undefined;
  onSave: () => void;
  onCancel: () => void;
}) {
  const isBusy = () => pending().has(props.row);
  return (
    <Show
      when={editing() === props.row}
      fallback={
        <>
          <Show when={props.onEdit}>
            {(onEdit) => (
              <button
                type="button"
                class="text-button"
                disabled={isBusy()}
                title={`Edit ${props.what}`}
                onClick={() => onEdit()()}
              >
                Edit
              </button>
            )}
          </Show>
          <button
            type="button"
            class="text-button"
            disabled={isBusy()}
            title={`Cancel ${props.what}`}
            onClick={() => props.onCancel()}
          >
            {isBusy() ? "…" : "Cancel"}
          </button>
        </>
      }
    >
      <button type="button" class="text-button" disabled={isBusy()} onClick={() => props.onSave()}>
        Save
      </button>
      <button type="button" class="text-button" onClick={() => setEditing(undefined)}>
        Leave
      </button>
    </Show>
  );
}

/** Returns the fields in which the draft differs from the row. */
function changed<Field extends string>(
  row: Readonly<Record<Field, Decimal>>,
  fields: readonly Field[],
): Partial<Record<Field, Decimal>> {
  const entries = fields.flatMap((field) => {
    const text = draft()[field];
    return text === undefined || text === row[field] ? [] : [[field, text] as const];
  });
  return Object.fromEntries(entries) as Partial<Record<Field, Decimal>>;
}

function edit(key: string, values: Values): void {
  setDraft(values);
  setEditing(key);
}

export function OpenOrders(props: { rows: readonly OpenOrder[]; state: ReadState }) {
  const keyOf = (row: OpenOrder) => `order ${row.order_id}`;
  const cancel = (row: OpenOrder) => void act(keyOf(row), () => cancelOrder(row), "Order cancelled.");
  const save = (row: OpenOrder) => {
    const to = changed(row, ["price", "amount"]);
    if (Object.keys(to).length === 0) setEditing(undefined);
    else void act(keyOf(row), () => changeOrder(row, to), "Order changed.");
  };
  const columns: readonly Column<OpenOrder>[] = [
    { name: "Time", isMinor: true, cell: (row) => <Time at={row.created_at} /> },
    { name: "Market", isLead: true, cell: (row) => <MarketLink market={row.market} marketType={row.marketType} /> },
    { name: "Side", cell: (row) => <SideWord side={row.side} /> },
    { name: "Type", isMinor: true, cell: (row) => typeWord(row.type) },
    {
      name: "Price",
      isNumber: true,
      cell: (row) => (
        <Editable
          row={keyOf(row)}
          field="price"
          name="price"
          value={row.price}
          save={() => save(row)}
          shown={priceText(row.price, marketAt(row.market, row.marketType))}
        />
      ),
    },
    {
      name: "Amount",
      isNumber: true,
      cell: (row) => (
        <Editable
          row={keyOf(row)}
          field="amount"
          name="amount"
          value={row.amount}
          save={() => save(row)}
          shown={amountText(row.amount, marketAt(row.market, row.marketType))}
        />
      ),
    },
    {
      name: "Filled",
      isNumber: true,
      isMinor: true,
      cell: (row) => (compare(row.filled_amount, "0") > 0 ? percent(over(row.filled_amount, row.amount, 4), 1) : "–"),
    },
    {
      name: "",
      cell: (row) => (
        <Acts
          row={keyOf(row)}
          what={`the order ${row.order_id}`}
          onEdit={() => edit(keyOf(row), { price: row.price, amount: row.amount })}
          onSave={() => save(row)}
          onCancel={() => cancel(row)}
        />
      ),
    },
  ];
  return (
    <Table
      label="Open orders"
      isCards
      columns={columns}
      state={props.state}
      rows={props.rows}
      empty="No open orders. What you order and does not fill at once waits here."
      onKey={(key, row) => {
        if (key === "x") cancel(row);
      }}
    />
  );
}

const TRIGGER_WORDS: Readonly<Record<string, string>> = {
  latest_price: "Last",
  mark_price: "Mark",
  index_price: "Index",
};

export function StopOrders(props: { rows: readonly StopOrder[]; state: ReadState }) {
  const keyOf = (row: StopOrder) => `stop ${row.stop_id}`;
  const cancel = (row: StopOrder) => void act(keyOf(row), () => cancelStop(row), "Stop order cancelled.");
  const save = (row: StopOrder) => {
    const to = changed(row, ["price", "amount", "trigger_price"]);
    if (Object.keys(to).length === 0) setEditing(undefined);
    else void act(keyOf(row), () => changeStop(row, to), "Stop order changed.");
  };
  const field = (row: StopOrder, name: "price" | "amount" | "trigger_price", word: string, text: string) => (
    <Editable row={keyOf(row)} field={name} name={word} value={row[name]} save={() => save(row)} shown={text} />
  );
  const columns: readonly Column<StopOrder>[] = [
    { name: "Time", isMinor: true, cell: (row) => <Time at={row.created_at} /> },
    { name: "Market", isLead: true, cell: (row) => <MarketLink market={row.market} marketType={row.marketType} /> },
    { name: "Side", cell: (row) => <SideWord side={row.side} /> },
    { name: "Type", isMinor: true, cell: (row) => typeWord(row.type) },
    {
      name: "Trigger",
      isNumber: true,
      cell: (row) =>
        field(
          row,
          "trigger_price",
          "trigger",
          // The wire says on which side the price was: "lower" fires when it rises.
          `${TRIGGER_WORDS[row.trigger_price_type] ?? ""} ${row.trigger_direction === "lower" ? "≥" : "≤"} ${priceText(row.trigger_price, marketAt(row.market, row.marketType))}`,
        ),
    },
    {
      name: "Price",
      isNumber: true,
      cell: (row) => field(row, "price", "price", priceText(row.price, marketAt(row.market, row.marketType))),
    },
    {
      name: "Amount",
      isNumber: true,
      cell: (row) => field(row, "amount", "amount", amountText(row.amount, marketAt(row.market, row.marketType))),
    },
    {
      name: "",
      cell: (row) => (
        <Acts
          row={keyOf(row)}
          what={`the stop order ${row.stop_id}`}
          onEdit={() =>
            edit(keyOf(row), {
              trigger_price: row.trigger_price,
              amount: row.amount,
              ...(row.type === "market" ? {} : { price: row.price }),
            })
          }
          onSave={() => save(row)}
          onCancel={() => cancel(row)}
        />
      ),
    },
  ];
  return (
    <Table
      label="Stop orders"
      isCards
      columns={columns}
      state={props.state}
      rows={props.rows}
      empty="No stop orders. Tick “Stop” in the form: the order is placed when the market reaches your trigger."
      onKey={(key, row) => {
        if (key === "x") cancel(row);
      }}
    />
  );
}
