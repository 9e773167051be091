/** A list that is being read, that could not be read, or that is empty: three states that must not look alike. */
import { type Accessor, type JSX, Match, Show, Switch } from "solid-js";

/** How far the reading of something has come. */
export interface ReadState {
  /** Whether it has been read at least once since it was asked for. */
  readonly isRead: Accessor<boolean>;
  /** Why the latest attempt failed, as a sentence; "" otherwise. */
  readonly fault: Accessor<string>;
  /** Reads it again. */
  readonly again: () => void;
}

/** For rows that are part of something that has been read. */
export const READ: ReadState = { isRead: () => true, fault: () => "", again: () => {} };

/** The state of several readings together. */
export function allRead(states: readonly ReadState[]): ReadState {
  return {
    isRead: () => states.every((each) => each.isRead()),
    fault: () => states.map((each) => each.fault()).find((text) => text !== "") ?? "",
    again: () => {
      for (const each of states) each.again();
    },
  };
}

/** Stands in the place of rows where there are none. */
export function NoRows(props: { state: ReadState; empty: JSX.Element }) {
  return (
    <Switch fallback={<span class="quiet">Loading…</span>}>
      <Match when={props.state.fault() !== ""}>
        <ReadFault state={props.state} />
      </Match>
      <Match when={props.state.isRead()}>{props.empty}</Match>
    </Switch>
  );
}

/** Shows what was read, or how far its reading has come. */
export function WhenRead<T>(props: {
  reading: ReadState & { readonly data: Accessor<T | undefined> };
  children: (data: Accessor<NonNullable<T>>) => JSX.Element;
}) {
  return (
    <Show when={props.reading.data()} fallback={<NoRows state={props.reading} empty="" />}>
      {props.children}
    </Show>
  );
}

export function ReadFault(props: { state: ReadState }) {
  return (
    <span class="bad" role="alert">
      {props.state.fault()}{" "}
      <button type="button" class="text-button" onClick={() => props.state.again()}>
        Retry
      </button>
    </span>
  );
}
