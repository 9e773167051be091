/**
 * Who a user is, by name where only the number is told: two operators must not have to look up whose money they let go.
 */
import { createSignal, Show } from "solid-js";
import { get } from "../api/client.ts";
import { addressOf, go } from "./place.ts";

type Name = () => string | undefined;

/** Beyond, the oldest are forgotten and asked for again. */
const NAMES_MAX = 2_000;
/** Names of users never change; a dev venue that goes back is read anew with the page. */
const names = new Map<number, Name>();

function nameOf(userId: number): Name {
  const known = names.get(userId);
  if (known !== undefined) return known;
  const [name, setName] = createSignal<string>();
  for (const [oldest] of names) if (names.size >= NAMES_MAX) names.delete(oldest);
  names.set(userId, name);
  get<{ name: string }>(`/admin/users/${userId}`).then(
    (user) => setName(user.name),
    () => names.delete(userId),
  );
  return name;
}

/** The name, with the number behind it; a click opens the user. */
export function UserName(props: { id: number }) {
  const place = () => ({ area: "users", params: { row: String(props.id), user_id: String(props.id) } });
  return (
    <a
      class="user-name"
      href={addressOf(place())}
      onClick={(event) => {
        event.stopPropagation();
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(place().area, place().params);
      }}
    >
      <Show when={nameOf(props.id)()}>{(name) => <>{name()} </>}</Show>
      <span class="quiet">{props.id}</span>
    </a>
  );
}
