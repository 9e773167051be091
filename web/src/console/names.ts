/** Names of currencies and markets, to complete by. */
import { createSignal } from "solid-js";
import { get } from "../api/client.ts";

const [currencyNames, setCurrencyNames] = createSignal<readonly string[]>([]);
const [marketNames, setMarketNames] = createSignal<readonly string[]>([]);

export { currencyNames, marketNames };

/** Many enough to choose from; anyone who lists more types the rest. */
const ASSETS_MAX = 1_000;

export async function readNames(): Promise<void> {
  const [{ assets }, { markets }] = await Promise.all([
    get<{ assets: { ccy: string }[] }>("/admin/assets", { limit: ASSETS_MAX }),
    get<{ markets: { market: string }[] }>("/admin/markets"),
  ]);
  setCurrencyNames(assets.map(({ ccy }) => ccy));
  setMarketNames([...new Set(markets.map(({ market }) => market))]);
}
