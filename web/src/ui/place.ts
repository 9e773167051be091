/** Where in the terminal one is: the address bar, read and written. */
import { createSignal } from "solid-js";
import type { Product } from "../api/records.ts";

export const SECTIONS = [
  "portfolio",
  "balances",
  "transfer",
  "statement",
  "liabilities",
  "deposit",
  "withdraw",
  "loans",
  "pools",
  "sub-accounts",
  "keys",
  "security",
  "settings",
] as const;
export type Section = (typeof SECTIONS)[number];

export type Place =
  | { readonly kind: "trade"; readonly product: Product; readonly market: string | undefined }
  | { readonly kind: "account"; readonly section: Section };

const LAST_MARKET = "bourse.market";

const [place, setPlace] = createSignal<Place>(readAddress(), { equals: false });

export { place };

export function addressOf(to: Place): string {
  if (to.kind === "account") return `/my/${to.section}`;
  return to.market === undefined ? "/" : `/trade/${to.product}/${encodeURIComponent(to.market)}`;
}

/** Goes there; `isCorrection` takes the place of where one is, so that "back" does not come here again. */
export function go(to: Place, isCorrection = false): void {
  const address = addressOf(to);
  if (address !== location.pathname) history[isCorrection ? "replaceState" : "pushState"](null, "", address);
  if (to.kind === "trade" && to.market !== undefined) {
    localStorage.setItem(LAST_MARKET, `${to.product}/${to.market}`);
  }
  setPlace(to);
}

/** Back to the market that one came from. */
export function goTrading(): void {
  go(lastTrading());
}

addEventListener("popstate", () => setPlace(readAddress()));

function readAddress(): Place {
  const [kind, first, second] = location.pathname.split("/").filter((each) => each !== "");
  if (kind === "my") {
    return { kind: "account", section: SECTIONS.find((section) => section === first) ?? "balances" };
  }
  if (kind === "trade" && (first === "spot" || first === "futures") && second !== undefined) {
    return { kind: "trade", product: first, market: decodeURIComponent(second) };
  }
  return lastTrading();
}

function lastTrading(): Place {
  const [product, market] = (localStorage.getItem(LAST_MARKET) ?? "").split("/");
  return { kind: "trade", product: product === "futures" ? "futures" : "spot", market: market || undefined };
}
