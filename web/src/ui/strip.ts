/** Strips that may be longer than their place: a rail of pages, a row of tabs. */
import { type Accessor, createEffect, onCleanup, onMount } from "solid-js";

/** Keeps the chosen one of a strip in sight, whatever is chosen and however the page is sized; moves nothing else. */
export function keepChosenInSight(strip: () => HTMLElement, chosen: Accessor<unknown>): void {
  const show = () => {
    const shown = strip();
    const one = shown.querySelector("[aria-current], [aria-selected=true]");
    if (one === null) return;
    const [place, its] = [shown.getBoundingClientRect(), one.getBoundingClientRect()];
    if (its.left < place.left || its.right > place.right)
      shown.scrollLeft += its.left + its.width / 2 - (place.left + place.width / 2);
    if (its.top < place.top || its.bottom > place.bottom)
      shown.scrollTop += its.top + its.height / 2 - (place.top + place.height / 2);
  };
  createEffect(() => {
    chosen();
    queueMicrotask(show);
  });
  onMount(() => {
    const sized = new ResizeObserver(show);
    sized.observe(strip());
    onCleanup(() => sized.disconnect());
  });
}
