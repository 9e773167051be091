/** The area that is open. */
import { createEffect, createMemo, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { SectionHead } from "../ui/section.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { ActButtons } from "./act-buttons.tsx";
import type { Area, List } from "./area.ts";
import { AREAS } from "./areas.ts";
import { ListView } from "./list-view.tsx";
import { place, setParams } from "./place.ts";

export function AreaPage() {
  const id = createMemo(() => place().area);
  const area = createMemo(() => AREAS.find((each) => each.id === id()));
  createEffect(() => {
    document.title = `${area()?.name ?? "Nothing here"} · bourse console`;
  });
  return (
    <main class="section" id="area">
      <Show
        when={area()}
        keyed
        fallback={<SectionHead title="Nothing here">There is no page at this address.</SectionHead>}
      >
        {(now) => (
          <>
            <SectionHead title={now.name}>{now.says}</SectionHead>
            <Show when={now.lists?.length !== 1}>
              <ActButtons acts={now.acts ?? []} />
            </Show>
            <Show when={now.body}>{(body) => <Dynamic component={body()} />}</Show>
            <Lists area={now} />
          </>
        )}
      </Show>
    </main>
  );
}

/** One list as it is, several as tabs, whose choice stands in the address. */
function Lists(props: { area: Area }) {
  const lists = () => props.area.lists ?? [];
  const chosen = () => lists().find(({ id }) => id === place().params["tab"])?.id ?? lists()[0]?.id ?? "";
  /** Filters of one list mean nothing to another. */
  const choose = (tab: string) =>
    setParams({ ...Object.fromEntries(Object.keys(place().params).map((name) => [name, ""])), tab });
  return (
    <Show
      when={lists().length > 1}
      fallback={<Show when={lists()[0]}>{(list) => <ListView list={list()} acts={props.area.acts ?? []} />}</Show>}
    >
      <div class="list-tabs">
        <Tabs
          label={props.area.name}
          tabs={lists().map((list: List) => ({ id: list.id, name: list.name, panel: () => <ListView list={list} /> }))}
          chosen={chosen}
          choose={choose}
        />
      </div>
    </Show>
  );
}
