/**
 * Where in the console one is: an area, and by what its list is filtered; all of it in the address, so that a link
 * shows what one sees.
 */
import { createSignal } from "solid-js";

export interface ConsolePlace {
  readonly area: string;
  readonly params: Readonly<Record<string, string>>;
}

const [place, setPlace] = createSignal<ConsolePlace>(readAddress(), { equals: false });

export { place };

export function addressOf({ area, params }: ConsolePlace): string {
  const given = Object.entries(params).filter(([, value]) => value !== "");
  const query = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  return (area === "overview" ? "/" : `/console/${area}`) + query;
}

export function go(area: string, params: Readonly<Record<string, string>> = {}): void {
  const to = { area, params };
  history.pushState(null, "", addressOf(to));
  setPlace(to);
}

/** Changes what is shown of the area; empty texts leave the address. */
export function setParams(changes: Readonly<Record<string, string>>): void {
  const { area, params } = place();
  const to = { area, params: { ...params, ...changes } };
  history.replaceState(null, "", addressOf(to));
  setPlace(to);
}

addEventListener("popstate", () => setPlace(readAddress()));

function readAddress(): ConsolePlace {
  const [first, area] = location.pathname.split("/").filter((each) => each !== "");
  const params = Object.fromEntries(new URLSearchParams(location.search));
  return { area: first === "console" && area !== undefined ? area : "overview", params };
}
