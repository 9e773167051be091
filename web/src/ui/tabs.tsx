/** A row of tabs and the panel of the one that is chosen. */
import { type Accessor, createUniqueId, Index, type JSX, Show, untrack } from "solid-js";
import { keepChosenInSight } from "./strip.ts";

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly name: string;
  /** How many things are in it, where that is worth saying. */
  readonly count?: number | undefined;
  readonly panel: () => JSX.Element;
}

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Accessor<Id>;
  readonly choose: (id: Id) => void;
  readonly end?: JSX.Element;
}

export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const id = createUniqueId();
  let strip!: HTMLDivElement;
  keepChosenInSight(() => strip, props.chosen);
  const step = (by: number) => {
    const at = props.tabs.findIndex((tab) => tab.id === props.chosen());
    const next = props.tabs[(at + by + props.tabs.length) % props.tabs.length];
    if (next === undefined) return;
    props.choose(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <>
      <div ref={strip} class="tabs">
        <div role="tablist" aria-label={props.label}>
          <Index each={props.tabs}>
            {(tab) => (
              <button
                type="button"
                role="tab"
                id={`${id}-${tab().id}`}
                aria-selected={props.chosen() === tab().id}
                aria-controls={`${id}-panel`}
                tabIndex={props.chosen() === tab().id ? 0 : -1}
                onClick={() => props.choose(tab().id)}
                onKeyDown={({ key }) => {
                  if (key === "ArrowRight") step(1);
                  if (key === "ArrowLeft") step(-1);
                }}
              >
                {tab().name}
                <Show when={(tab().count ?? 0) > 0}>
                  <span class="count">{tab().count}</span>
                </Show>
              </button>
            )}
          </Index>
        </div>
        {props.end}
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${props.chosen()}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the panel scrolls, and keys must be able to scroll it
        tabIndex={0}
      >
        <Show when={props.chosen()} keyed>
          {(chosen) => untrack(() => props.tabs.find((tab) => tab.id === chosen)?.panel())}
        </Show>
      </div>
    </>
  );
}
