/** A table of records: the columns say what each shows. */
import { For, type JSX, Show } from "solid-js";
import { NoRows, ReadFault, type ReadState } from "./read-state.tsx";

export interface Column<Row> {
  readonly name: string;
  readonly isNumber?: boolean;
  /** Sentences, which go on in the next line where there is no room. */
  readonly isText?: boolean;
  /** Left out on phones. */
  readonly isMinor?: boolean;
  /** Begins the card that a row is on phones. */
  readonly isLead?: boolean;
  readonly title?: string;
  readonly cell: (row: Row) => JSX.Element;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** How far the rows have been read. */
  readonly state: ReadState;
  /** The text where there are none: what would be here and how to get it. */
  readonly empty: JSX.Element;
  /** Pressed on a row that has the focus. */
  readonly onKey?: (key: string, row: Row) => void;
  /** Rows are pressed to see more of them; */
  readonly onOpen?: (row: Row) => void;
  /**
   * On phones each row is a card with all of its columns: in pairs, or each on a line of its own where amounts are
   * long.
   */
  readonly isCards?: boolean | "lines";
  /** and this is the one of which more is seen. */
  readonly isOpen?: (row: Row) => boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  /** A card of lines begins with its first column, unless another one was chosen. */
  const leads = ({ isLead }: Column<Row>, at: number) =>
    isLead === true || (props.isCards === "lines" && at === 0 && !props.columns.some((each) => each.isLead));
  return (
    <table
      class="table"
      classList={{
        hoverable: props.onOpen !== undefined,
        "row-cards": props.isCards !== undefined,
        "card-lines": props.isCards === "lines",
      }}
      aria-label={props.label}
    >
      <thead>
        <tr>
          <For each={props.columns}>
            {(column, at) => (
              <th scope="col" class={classOf(column, leads(column, at()))} data-name={column.name} title={column.title}>
                {column.name === "" ? <span class="visually-hidden">Acts</span> : column.name}
              </th>
            )}
          </For>
        </tr>
      </thead>
      <tbody>
        <For
          each={props.rows}
          fallback={
            <tr>
              <td class="empty" colSpan={props.columns.length}>
                <NoRows state={props.state} empty={props.empty} />
              </td>
            </tr>
          }
        >
          {(row) => (
            <tr
              tabIndex={props.onKey === undefined ? undefined : 0}
              aria-current={props.isOpen?.(row) === true ? "true" : undefined}
              onClick={(event) => {
                // What can be pressed in a row does its own.
                if (!(event.target as Element).closest("button, a, input")) props.onOpen?.(row);
              }}
              onKeyDown={(event) => {
                if (event.target === event.currentTarget) props.onKey?.(event.key, row);
              }}
            >
              <For each={props.columns}>
                {(column, at) => (
                  <td class={classOf(column, leads(column, at()))} data-name={column.name}>
                    {column.cell(row)}
                  </td>
                )}
              </For>
            </tr>
          )}
        </For>
        <Show when={props.rows.length > 0 && props.state.fault() !== ""}>
          <tr>
            <td class="empty" colSpan={props.columns.length}>
              These rows may be old. <ReadFault state={props.state} />
            </td>
          </tr>
        </Show>
      </tbody>
    </table>
  );
}

type Shape = Pick<Column<never>, "name" | "isNumber" | "isText" | "isMinor">;

function classOf({ name, isNumber, isText, isMinor }: Shape, leads: boolean): string {
  return [isNumber && "number", isText && "sentences", isMinor && "wide-only", leads && "lead", name === "" && "acts"]
    .filter(Boolean)
    .join(" ");
}

/** A table whose records come in pages. */
export function MoreButton(props: { hasNext: boolean; isReading: boolean; onMore: () => void }) {
  return (
    <Show when={props.hasNext}>
      <button type="button" class="text-button more" disabled={props.isReading} onClick={() => props.onMore()}>
        {props.isReading ? "Reading" : "Show more"}
      </button>
    </Show>
  );
}
