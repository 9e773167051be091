/** The currencies of the venue, and how they come in and go out. */
import { createEffect, createRoot, on } from "solid-js";
import type { AssetConfig } from "../api/records.ts";
import type { ReadState } from "../ui/read-state.tsx";
import { createReading } from "../ui/reading.ts";

/** Currencies that could not be read are read again after this: forms without currencies are of no use. */
const RETRY_MS = 3_000;

const configs = createRoot(() => {
  const reading = createReading<readonly AssetConfig[]>(() => ({ path: "/v2/assets/all-deposit-withdraw-config" }));
  createEffect(on(reading.isReading, (is) => !is && reading.fault() !== "" && setTimeout(reading.again, RETRY_MS)));
  return reading;
});

/** How far the currencies have been read: what is worked out of them is unknown until then. */
export const currenciesRead: ReadState = configs;
export const assetConfigs = () => configs.data() ?? [];
export const ccys = () => assetConfigs().map(({ asset }) => asset.ccy);
export const chainsOf = (ccy: string) => assetConfigs().find(({ asset }) => asset.ccy === ccy)?.chains ?? [];
