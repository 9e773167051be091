/** Which parts of the trading page are shown, and where: kept in this browser. */
import { createSignal } from "solid-js";
import { keptSize } from "../ui/settings.ts";

export const PARTS = [
  ["chart", "Chart"],
  ["book", "Order book and deals"],
  ["entry", "Order entry"],
  ["lists", "Orders and balances"],
  ["summary", "Account summary"],
] as const;
export type Part = (typeof PARTS)[number][0];

/** Where the latest deals stand: in turns with the book, below it, or in a column of their own. */
export const DEALS_PLACES = [
  ["tab", "As a tab of the book"],
  ["below", "Below the book"],
  ["beside", "Beside the book"],
] as const;
export type DealsPlace = (typeof DEALS_PLACES)[number][0];

export interface Layout {
  readonly hidden: readonly Part[];
  readonly deals: DealsPlace;
}

export const PRESETS: ReadonlyArray<readonly [name: string, layout: Layout]> = [
  ["Classic", { hidden: [], deals: "tab" }],
  ["Compact", { hidden: ["summary"], deals: "below" }],
  ["Chart only", { hidden: ["book", "entry", "lists", "summary"], deals: "tab" }],
];

const KEY = "bourse.layout";
const CLASSIC = (PRESETS[0] as (typeof PRESETS)[number])[1];

const [layout, setLayout] = createSignal<Layout>(readLayout());

export { layout };

export function takeLayout(next: Layout): void {
  localStorage.setItem(KEY, JSON.stringify(next));
  setLayout(next);
}

export const isShown = (part: Part) => !layout().hidden.includes(part);

/** Shows a part or hides it; the last one that is shown stays. */
export function togglePart(part: Part): void {
  const { hidden } = layout();
  const next = hidden.includes(part) ? hidden.filter((each) => each !== part) : [...hidden, part];
  if (next.length < PARTS.length) takeLayout({ ...layout(), hidden: next });
}

export const isPreset = (of: Layout) =>
  layout().deals === of.deals &&
  layout().hidden.length === of.hidden.length &&
  of.hidden.every((part) => !isShown(part));

/** Below 320 px of chart there is nothing to see in it. */
const CHART_LEAST_PX = 320;

/** On the smallest desktops the chart and the lists need the room more. */
const BOOK_PX = innerWidth < 1_400 ? 250 : 280;

export const [listsPx, setListsPx] = keptSize("lists", 260, 120, () => innerHeight - CHART_LEAST_PX);
export const [bookPx, setBookPx] = keptSize("book", BOOK_PX, 220, () => 640);
export const [entryPx, setEntryPx] = keptSize("entry", 300, 260, () => 480);

export function resetSizes(): void {
  setListsPx(260);
  setBookPx(BOOK_PX);
  setEntryPx(300);
}

/** Returns the layout that was kept, as far as it is one that this page knows. */
function readLayout(): Layout {
  try {
    const { hidden, deals } = JSON.parse(localStorage.getItem(KEY) ?? "") as Layout;
    const known = PARTS.map(([part]) => part).filter((part) => hidden.includes(part));
    const place = DEALS_PLACES.find(([each]) => each === deals)?.[0];
    return place === undefined || known.length === PARTS.length ? CLASSIC : { hidden: known, deals: place };
  } catch {
    return CLASSIC;
  }
}
