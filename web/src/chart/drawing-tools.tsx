/**
 * Drawing into the chart: a tool is chosen, one or two places are pressed, and what was drawn can be taken away again.
 */
import { createEffect, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { isDark } from "../ui/settings.ts";
import type { ChartView } from "./chart-view.ts";
import { type Anchor, DRAWINGS_MAX, type Drawing, needsTwo, type Point, TOOLS, type Tool, wordOf } from "./drawings.ts";

/** A press that moves on by so much draws at once, without a second press. */
const DRAG_PX = 6;

interface DrawingToolsProps {
  readonly view: ChartView;
  readonly drawings: readonly Drawing[];
  readonly set: (drawings: readonly Drawing[]) => void;
}

export function DrawingTools(props: DrawingToolsProps) {
  const [tool, setTool] = createSignal<Tool>();
  const [begun, setBegun] = createSignal<{ from: Anchor; at: Point }>();
  const [to, setTo] = createSignal<Anchor>();
  const [selected, setSelected] = createSignal<string>();
  const preview = (): readonly Drawing[] => {
    const [now, from, end] = [tool(), begun()?.from, to()];
    return now === undefined || from === undefined || end === undefined
      ? []
      : [{ id: "preview", tool: now, from, to: end }];
  };
  createEffect(() => {
    isDark();
    props.view.draw([...props.drawings, ...preview()], selected());
  });
  const stop = () => {
    setTool(undefined);
    setBegun(undefined);
    setTo(undefined);
    props.view.hold(false);
  };
  const choose = (next: Tool) => {
    const isSame = tool() === next;
    stop();
    setSelected(undefined);
    if (!isSame) {
      setTool(next);
      props.view.hold(true);
    }
  };
  const finish = (from: Anchor, end: Anchor) => {
    const drawn: Drawing = { id: crypto.randomUUID?.() ?? `${Date.now()}`, tool: tool() as Tool, from, to: end };
    props.set([...props.drawings, drawn].slice(-DRAWINGS_MAX));
    stop();
    setSelected(drawn.id);
  };
  const removeOne = (id: string) => {
    props.set(props.drawings.filter((each) => each.id !== id));
    if (selected() === id) setSelected(undefined);
  };

  onMount(() => {
    const { container } = props.view;
    const pointOf = (event: PointerEvent): Point => {
      const { left, top } = container.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    const onDown = (event: PointerEvent) => {
      const point = pointOf(event);
      const now = tool();
      if (now === undefined) {
        setSelected(props.view.drawingAt(point)?.id);
        return;
      }
      // Neither the chart nor a line below is taken hold of.
      event.stopImmediatePropagation();
      event.preventDefault();
      const anchor = props.view.anchorAt(point);
      if (anchor === undefined) return;
      const first = begun();
      if (!needsTwo(now)) finish(anchor, anchor);
      else if (first === undefined) {
        setBegun({ from: anchor, at: point });
        setTo(anchor);
      } else finish(first.from, anchor);
    };
    const onMove = (event: PointerEvent) => {
      if (begun() === undefined) return;
      const anchor = props.view.anchorAt(pointOf(event));
      if (anchor !== undefined) setTo(anchor);
    };
    const onUp = (event: PointerEvent) => {
      const first = begun();
      if (first === undefined) return;
      const point = pointOf(event);
      const anchor = props.view.anchorAt(point);
      if (anchor === undefined || Math.hypot(point.x - first.at.x, point.y - first.at.y) < DRAG_PX) return;
      finish(first.from, anchor);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.matches("input, select, textarea")) return;
      const chosen = selected();
      if (event.key === "Escape") stop();
      else if ((event.key === "Delete" || event.key === "Backspace") && chosen !== undefined) removeOne(chosen);
    };
    container.addEventListener("pointerdown", onDown, { capture: true });
    container.addEventListener("pointermove", onMove);
    addEventListener("pointerup", onUp);
    document.addEventListener("keydown", onKey);
    onCleanup(() => {
      container.removeEventListener("pointerdown", onDown, { capture: true });
      container.removeEventListener("pointermove", onMove);
      removeEventListener("pointerup", onUp);
      document.removeEventListener("keydown", onKey);
    });
  });

  return (
    <div class="drawing-tools" role="toolbar" aria-label="Drawing tools" aria-orientation="vertical">
      <For each={TOOLS}>
        {([value, word, path]) => (
          <button
            type="button"
            class="icon-button"
            aria-label={word}
            title={word}
            aria-pressed={tool() === value}
            onClick={() => choose(value)}
          >
            <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true">
              <path d={path} fill="none" stroke="currentColor" stroke-width="1.3" />
            </svg>
          </button>
        )}
      </For>
      <Show when={props.drawings.length > 0}>
        <button
          type="button"
          class="icon-button"
          popovertarget="drawings-menu"
          aria-label={`Drawings: ${props.drawings.length}`}
          title="What is drawn here"
        >
          {props.drawings.length}
        </button>
        <div id="drawings-menu" popover="auto" class="menu drawings-menu">
          <p class="menu-title">Drawings of this market</p>
          <ul>
            <For each={props.drawings}>
              {(each) => (
                <li>
                  <button type="button" class="text-button" onClick={() => setSelected(each.id)}>
                    {wordOf(each.tool)} {props.view.priceText(each.from.price)}
                    {needsTwo(each.tool) ? ` → ${props.view.priceText(each.to.price)}` : ""}
                  </button>
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={`Remove ${wordOf(each.tool)} ${props.view.priceText(each.from.price)}`}
                    onClick={() => removeOne(each.id)}
                  >
                    ✕
                  </button>
                </li>
              )}
            </For>
          </ul>
          <button type="button" class="menu-end" onClick={() => props.set([])}>
            Remove all
          </button>
        </div>
      </Show>
    </div>
  );
}
