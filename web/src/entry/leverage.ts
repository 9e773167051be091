/**
 * Margin mode and leverage of the account in the market that is shown, as the venue has them. Until the venue has
 * answered they are unknown.
 */
import { createEffect, createMemo, createRoot, createSignal, on, onCleanup } from "solid-js";
import { user, userId } from "../account/session.ts";
import { get, post } from "../api/client.ts";
import type { PositionLevels } from "../api/records.ts";
import { type Market, market } from "../market/markets.ts";
import { compare, type Decimal } from "../number/decimal.ts";
import { notePositionMode, type PositionMode } from "./position-mode.ts";

export interface Leverage {
  readonly mode: "cross" | "isolated";
  readonly leverage: number;
}

/** The answer of `GET /web/futures-settings/{market}`. */
interface FuturesSettings {
  readonly market: string;
  readonly margin_mode: Leverage["mode"];
  readonly leverage: number;
  readonly position_mode: PositionMode;
}

/**
 * No push tells that another page or program has changed the settings, so the page asks; it shows a change within a
 * second.
 */
const BEAT_MS = 1_000;

/** An answer that says the same as the one before wakes nothing. */
const [settings, setSettings] = createSignal<FuturesSettings | undefined>(undefined, { equals: isSame });

function isSame(one: FuturesSettings | undefined, other: FuturesSettings | undefined): boolean {
  return one?.market === other?.market && one?.margin_mode === other?.margin_mode && one?.leverage === other?.leverage;
}

/** Undefined until the venue has said it, and while the venue cannot be reached. */
export function leverageIn({ product, market: name }: Market): Leverage | undefined {
  const now = settings();
  if (product !== "futures" || now?.market !== name || user() === undefined) return undefined;
  return { mode: now.margin_mode, leverage: now.leverage };
}

export async function setLeverage({ market: name }: Market, { mode, leverage }: Leverage): Promise<void> {
  const body = { market: name, market_type: "FUTURES", margin_mode: mode, leverage };
  await post("/v2/futures/adjust-position-leverage", body);
  await read(name);
}

let reading = 0;

async function read(name: string): Promise<void> {
  const turn = ++reading;
  const answer = await get<FuturesSettings>(`/web/futures-settings/${encodeURIComponent(name)}`).catch(() => undefined);
  // Only the answer to the latest question counts: the market, the user or the leverage may be another one by now.
  if (turn !== reading) return;
  setSettings(answer);
  if (answer !== undefined) notePositionMode(answer.position_mode);
}

createRoot(() => {
  /** The market to ask about; undefined while there is nothing to ask. */
  const asked = createMemo(() => (market()?.product === "futures" ? market()?.market : undefined));
  createEffect(
    on([asked, userId], ([name, who]) => {
      reading++;
      setSettings(undefined);
      if (name === undefined || who === undefined) return;
      void read(name);
      const beat = setInterval(() => {
        if (!document.hidden) void read(name);
      }, BEAT_MS);
      onCleanup(() => clearInterval(beat));
    }),
  );
});

const LEVELS_RETRY_MS = 2_000;

let areLevelsAsked = false;

const [levels, setLevels] = createSignal<ReadonlyMap<string, PositionLevels["level"]>>();

function readLevels(): void {
  get<PositionLevels[]>("/v2/futures/position-level").then(
    (read) => setLevels(new Map(read.map(({ market: name, level }) => [name, level]))),
    () => setTimeout(readLevels, LEVELS_RETRY_MS),
  );
}

createRoot(() => {
  createEffect(() => {
    // Read once, with the first futures market that is shown.
    if (market()?.product === "futures" && !areLevelsAsked) {
      areLevelsAsked = true;
      readLevels();
    }
  });
});

/**
 * The maintenance margin rate of a position of this amount; undefined until the levels are read, and where the market
 * has none for it.
 */
export function maintenanceRate({ market: name }: Market, amount: Decimal): Decimal | undefined {
  return levels()
    ?.get(name)
    ?.find((level) => compare(amount, level.amount) <= 0)?.maintenance_margin_rate;
}
