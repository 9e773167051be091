/** How somebody likes to see things; kept in this browser. */
import { createEffect, createRoot, createSignal, type Signal } from "solid-js";

export const THEMES = ["system", "light", "dark"] as const;
export const COLOURS = ["green-up", "red-up", "blue-orange"] as const;
export const DENSITIES = ["comfortable", "compact"] as const;

/** Which orders are asked about before they are sent; those that look like a slip of the hand always are. */
export const CONFIRMATIONS = ["slips", "market", "all"] as const;

export type Theme = (typeof THEMES)[number];
export type Colours = (typeof COLOURS)[number];
export type Density = (typeof DENSITIES)[number];
export type Confirmation = (typeof CONFIRMATIONS)[number];

export const [theme, setTheme] = kept<Theme>("theme", THEMES);
export const [colours, setColours] = kept<Colours>("colours", COLOURS);
export const [density, setDensity] = kept<Density>("density", DENSITIES);
export const [confirmation, setConfirmation] = kept<Confirmation>("confirmation", CONFIRMATIONS);
export const [amounts, setAmounts] = kept("amounts", ["shown", "hidden"] as const);

const dark = matchMedia("(prefers-color-scheme: dark)");
const [prefersDark, setPrefersDark] = createSignal(dark.matches);
dark.addEventListener("change", ({ matches }) => setPrefersDark(matches));

export const isDark = () => (theme() === "system" ? prefersDark() : theme() === "dark");

/** Whatever is drawn by hand has to be drawn again when this changes. */
export const looks = () => `${isDark()} ${colours()}`;

createRoot(() => {
  createEffect(() => {
    const { dataset } = document.documentElement;
    dataset["theme"] = isDark() ? "dark" : "light";
    dataset["colours"] = colours();
    dataset["density"] = density();
    dataset["amounts"] = amounts();
  });
});

/** A signal whose value stays over visits; the first of `values` unless another one was kept. */
export function kept<T extends string>(name: string, values: readonly T[]): Signal<T> {
  const key = `bourse.${name}`;
  const before = localStorage.getItem(key);
  const [value, setValue] = createSignal<T>(values.find((each) => each === before) ?? (values[0] as T));
  createRoot(() => createEffect(() => localStorage.setItem(key, value())));
  return [value, setValue];
}

/** A size in px that was dragged, kept like the rest and held within its bounds. */
export function keptSize(name: string, usual: number, least: number, most: () => number): Signal<number> {
  const key = `bourse.size.${name}`;
  const before = Number(localStorage.getItem(key));
  const within = (size: number) => Math.round(Math.max(least, Math.min(size, most())));
  const [size, setSize] = createSignal(before > 0 ? before : usual);
  const set = (next: number | ((size: number) => number)) => {
    const wanted = within(typeof next === "number" ? next : next(size()));
    localStorage.setItem(key, `${wanted}`);
    return setSize(wanted);
  };
  return [() => within(size()), set as Signal<number>[1]];
}
