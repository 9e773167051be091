/** Open orders and waiting stop orders, changed where they stand. */
import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { sentenceOf } from "../api/client.ts";
import { compare, type Decimal, isZero, over } from "../number/decimal.ts";
import { percent, plainPercent, UNKNOWN } from "../number/show.ts";
import type { ReadState } from "../ui/read-state.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { say } from "../ui/toasts.tsx";
import { cancelGroup, conditionOf, groupOf, isTrail } from "./conditions-store.ts";
import { displayOf } from "./icebergs-store.ts";
import {
  cancelOrder,
  cancelStop,
  changeOrder,
  changeStop,
  type OpenOrder,
  orders,
  productOf,
  type StopOrder,
} from "./orders-store.ts";
import { amountText, MarketLink, marketAt, priceText, SideWord, Time, triggerWord, typeWord } from "./row-parts.tsx";

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
  /** For an order of a group. */
  onCancelGroup?: (() => void) | undefined;
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
          <Show when={props.onCancelGroup}>
            {(onCancelGroup) => (
              <button
                type="button"
                class="text-button"
                disabled={isBusy()}
                title={`Cancel ${props.what} and the others of its group`}
                onClick={() => onCancelGroup()()}
              >
                Cancel group
              </button>
            )}
          </Show>
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

/** The function that cancels the group of a row; undefined where it belongs to none. */
function groupCancelling(key: string, marketType: OpenOrder["marketType"], group: number | undefined) {
  if (group === undefined || group === 0) return undefined;
  return () => void act(key, () => cancelGroup(productOf(marketType), group), "Group cancelled.");
}

/** The column that says how much of an iceberg the book shows, shown where there is one. */
const DISPLAY_COLUMN: Column<OpenOrder> = {
  name: "Shown",
  isNumber: true,
  title: "As much of an iceberg as the book shows at a time",
  cell: (row) => {
    const display = displayOf(row);
    return display === undefined ? "all" : amountText(display, marketAt(row.market, row.marketType));
  },
};

/** The column that says which orders belong together, shown where some do. */
function groupColumn<Row>(of: (row: Row) => number | undefined): Column<Row> {
  return {
    name: "Group",
    isNumber: true,
    title: "Orders with one number are a pair or a bracket: what becomes of one decides over the others",
    cell: (row) => of(row) || "–",
  };
}

export function OpenOrders(props: { rows: readonly OpenOrder[]; state: ReadState }) {
  const keyOf = (row: OpenOrder) => `order ${row.order_id}`;
  const cancel = (row: OpenOrder) => void act(keyOf(row), () => cancelOrder(row), "Order cancelled.");
  const save = (row: OpenOrder) => {
    const to = changed(row, ["price", "amount"]);
    if (Object.keys(to).length === 0) setEditing(undefined);
    else void act(keyOf(row), () => changeOrder(row, to), "Order changed.");
  };
  const isGrouped = createMemo(() => props.rows.some((row) => groupOf(row) !== undefined));
  const hasIcebergs = createMemo(() => props.rows.some((row) => displayOf(row) !== undefined));
  const columns = (): readonly Column<OpenOrder>[] => [
    { name: "Time", isMinor: true, cell: (row) => <Time at={row.created_at} /> },
    { name: "Market", isLead: true, cell: (row) => <MarketLink market={row.market} marketType={row.marketType} /> },
    { name: "Side", cell: (row) => <SideWord side={row.side} /> },
    { name: "Type", isMinor: true, cell: (row) => typeWord(row.type) },
    ...(isGrouped() ? [groupColumn<OpenOrder>(groupOf)] : []),
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
    ...(hasIcebergs() ? [DISPLAY_COLUMN] : []),
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
          onCancelGroup={groupCancelling(keyOf(row), row.marketType, groupOf(row))}
        />
      ),
    },
  ];
  return (
    <Table
      label="Open orders"
      isCards
      columns={columns()}
      state={props.state}
      rows={props.rows}
      empty="No open orders. What you order and does not fill at once waits here."
      onKey={(key, row) => {
        if (key === "x") cancel(row);
      }}
    />
  );
}

/** The type that a stop order has by its trail, or of the order that it becomes. */
function stopTypeText(row: StopOrder): string {
  const condition = conditionOf(row);
  if (condition === undefined || !isTrail(condition)) return typeWord(row.type);
  const distance = isZero(condition.trail_rate)
    ? priceText(condition.trail, marketAt(row.market, row.marketType))
    : plainPercent(condition.trail_rate);
  return `Trailing ${distance}`;
}

/** What a trail follows, for who looks closer. */
function trailTitle(row: StopOrder): string | undefined {
  const condition = conditionOf(row);
  if (condition === undefined || !isTrail(condition)) return undefined;
  const price = (text: Decimal) => priceText(text, marketAt(row.market, row.marketType));
  if (!isZero(condition.extreme_price))
    return `${row.side === "sell" ? "Highest" : "Lowest"} price since it began: ${price(condition.extreme_price)}`;
  return isZero(condition.activation_price)
    ? "It has not begun yet"
    : `It begins when the price comes to ${price(condition.activation_price)}`;
}

/** The trigger as it is now: that of a trail follows the price. */
function triggerText(row: StopOrder): string {
  const trigger = conditionOf(row)?.trigger_price ?? row.trigger_price;
  // A trail that begins with the next price has none yet.
  if (isZero(trigger)) return UNKNOWN;
  // The wire says on which side the price was: "lower" fires when it rises.
  const sign = row.trigger_direction === "lower" ? "≥" : "≤";
  return `${triggerWord(row.trigger_price_type)} ${sign} ${priceText(trigger, marketAt(row.market, row.marketType))}`;
}

/** The fields of a stop order that may be changed: of a trail the amount alone, of an exit that grows all but that. */
function changeableOf(row: StopOrder): Values {
  const condition = conditionOf(row);
  if (condition !== undefined && isTrail(condition)) return { amount: row.amount };
  return {
    trigger_price: row.trigger_price,
    ...(followsFills(row) ? {} : { amount: row.amount }),
    ...(row.type === "market" ? {} : { price: row.price }),
  };
}

/** Whether the stop order is an exit of a bracket whose entry can still be filled: its amount follows that. */
function followsFills(row: StopOrder): boolean {
  if (isZero(row.amount)) return true;
  const entry = conditionOf(row)?.order_id;
  const order = orders[productOf(row.marketType)].rows().find(({ order_id }) => order_id === entry);
  return order !== undefined && order.side !== row.side;
}

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
  const isGrouped = createMemo(() => props.rows.some((row) => (conditionOf(row)?.group_id ?? 0) !== 0));
  const columns = (): readonly Column<StopOrder>[] => [
    { name: "Time", isMinor: true, cell: (row) => <Time at={row.created_at} /> },
    { name: "Market", isLead: true, cell: (row) => <MarketLink market={row.market} marketType={row.marketType} /> },
    { name: "Side", cell: (row) => <SideWord side={row.side} /> },
    { name: "Type", cell: (row) => <span title={trailTitle(row)}>{stopTypeText(row)}</span> },
    ...(isGrouped() ? [groupColumn<StopOrder>((row) => conditionOf(row)?.group_id)] : []),
    {
      name: "Trigger",
      isNumber: true,
      cell: (row) => field(row, "trigger_price", "trigger", triggerText(row)),
    },
    {
      name: "Price",
      isNumber: true,
      cell: (row) => field(row, "price", "price", priceText(row.price, marketAt(row.market, row.marketType))),
    },
    {
      name: "Amount",
      isNumber: true,
      cell: (row) => (
        <span title={followsFills(row) ? "Follows what is filled of the entry" : undefined}>
          {field(
            row,
            "amount",
            "amount",
            isZero(row.amount) ? "as filled" : amountText(row.amount, marketAt(row.market, row.marketType)),
          )}
        </span>
      ),
    },
    {
      name: "",
      cell: (row) => (
        <Acts
          row={keyOf(row)}
          what={`the stop order ${row.stop_id}`}
          onEdit={() => edit(keyOf(row), changeableOf(row))}
          onSave={() => save(row)}
          onCancel={() => cancel(row)}
          onCancelGroup={groupCancelling(keyOf(row), row.marketType, conditionOf(row)?.group_id)}
        />
      ),
    },
  ];
  return (
    <Table
      label="Stop orders"
      isCards
      columns={columns()}
      state={props.state}
      rows={props.rows}
      empty="No stop orders. Tick “Stop” in the form: the order is placed when the price reaches your trigger."
      onKey={(key, row) => {
        if (key === "x") cancel(row);
      }}
    />
  );
}
