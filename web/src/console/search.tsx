/** The search of the console: a field in the header, and a page of what was found. */
import { For, Show } from "solid-js";
import { NoRows } from "../ui/read-state.tsx";
import type { Row } from "./area.ts";
import { addressOf, type ConsolePlace, go, place } from "./place.ts";
import { createReading } from "./reading.ts";
import { UserName } from "./user-name.tsx";

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly says: string;
  readonly user_id: number;
}

export function SearchField() {
  let field!: HTMLInputElement;
  return (
    <form
      class="console-search"
      onSubmit={(event) => {
        event.preventDefault();
        if (field.value.trim() !== "") go("search", { text: field.value.trim() });
      }}
    >
      <input
        ref={field}
        class="input"
        type="search"
        aria-label="Search the venue"
        placeholder="Name, e-mail, key, address, number"
        value={place().area === "search" ? (place().params["text"] ?? "") : ""}
      />
    </form>
  );
}

export function SearchPage() {
  const text = () => place().params["text"] ?? "";
  const reading = createReading<Row>(() =>
    text() === "" ? undefined : { path: "/admin/search", query: { text: text() } },
  );
  const found = () => (reading.data()?.["found"] ?? []) as readonly Found[];
  return (
    <Show when={text() !== ""} fallback={<p class="note">Type what identifies it into the field at the top.</p>}>
      <ul class="card found" aria-label={`Found for ${text()}`}>
        <For
          each={found()}
          fallback={
            <li class="empty">
              <NoRows
                state={reading}
                empty="Nothing has this name or number. A part of a name is enough, all else must be whole."
              />
            </li>
          }
        >
          {(one) => (
            <li>
              <span class="state plain">{one.kind}</span>
              <Link to={placeOf(one)}>
                {one.kind} {one.id}
              </Link>
              <span class="found-says">{one.says}</span>
              <Show when={one.user_id !== 0 && one.kind !== "user"}>
                <UserName id={one.user_id} />
              </Show>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}

function Link(props: { to: ConsolePlace; children: (string | number)[] | unknown }) {
  return (
    <a
      href={addressOf(props.to)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(props.to.area, props.to.params);
      }}
    >
      {props.children as string}
    </a>
  );
}

/** Where more is said of it. */
function placeOf({ kind, id, user_id }: Found): ConsolePlace {
  const explained = (what: string): ConsolePlace => ({ area: "explain", params: { what, id } });
  if (kind === "user") return { area: "user", params: { user_id: id } };
  if (kind === "key") return { area: "keys", params: { user_id: String(user_id), row: id } };
  if (kind === "order" || kind === "position" || kind === "request") return explained(kind);
  if (kind === "stop order") return explained("stop");
  if (kind === "withdrawal") return { area: "withdrawals", params: { withdraw_id: id, row: id } };
  if (kind === "deposit") return { area: "deposits", params: { user_id: String(user_id), tab: "chain" } };
  return { area: "past", params: { user_id: String(user_id), tab: "deals" } };
}
