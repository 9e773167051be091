/** The currencies of the venue, and how they come in and go out. */
import { createResource, createRoot } from "solid-js";
import { get } from "../api/client.ts";
import type { AssetConfig } from "../api/records.ts";

const [configs] = createRoot(() =>
  createResource(() => get<AssetConfig[]>("/v2/assets/all-deposit-withdraw-config").catch(() => [])),
);

export const assetConfigs = () => configs.latest ?? [];
export const ccys = () => assetConfigs().map(({ asset }) => asset.ccy);
export const chainsOf = (ccy: string) => assetConfigs().find(({ asset }) => asset.ccy === ccy)?.chains ?? [];
