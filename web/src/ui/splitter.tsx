/** A line between two parts that can be dragged, or moved with the arrow keys. */
import type { Accessor, Setter } from "solid-js";

const STEP_PX = 16;

interface SplitterProps {
  readonly class: string;
  readonly label: string;
  /** Along which the line moves; what it sizes lies to the right of it, or below. */
  readonly axis: "x" | "y";
  readonly size: Accessor<number>;
  readonly set: Setter<number>;
}

export function Splitter(props: SplitterProps) {
  const positionOf = (event: PointerEvent) => (props.axis === "x" ? event.clientX : event.clientY);
  const onPointerDown = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const line = event.currentTarget;
    line.setPointerCapture(event.pointerId);
    const [from, before] = [positionOf(event), props.size()];
    line.onpointermove = (moved) => props.set(before + from - positionOf(moved));
    line.onpointerup = () => {
      line.onpointermove = null;
    };
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const step = { ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1 }[key];
    if (step !== undefined) props.set((before) => before + step * STEP_PX);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved is no <hr>
    <div
      class={`splitter ${props.class} ${props.axis}`}
      role="separator"
      aria-label={props.label}
      aria-orientation={props.axis === "x" ? "vertical" : "horizontal"}
      aria-valuenow={props.size()}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
