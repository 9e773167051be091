/**
 * Leverage and margin mode of a market. The API says them of open positions alone; for a market without one the last choice made in this
 * browser stands, or what holds for whoever never chose: cross margin at 10x (domain 4.9).
 */
import { createSignal } from "solid-js";
import { user } from "../account/session.ts";
import { get, post } from "../api/client.ts";
import type { PositionLevels } from "../api/records.ts";
import type { Market } from "../market/markets.ts";
import { compare, type Decimal } from "../number/decimal.ts";
import { positionsIn } from "../panels/positions-store.ts";

export interface Leverage {
  readonly mode: "cross" | "isolated";
  readonly leverage: number;
}

const USUAL: Leverage = { mode: "cross", leverage: 10 };

const [choices, setChoices] = createSignal(0);

function keyOf(market: Market): string {
  return `bourse.leverage.${user()?.user_id}.${market.market}`;
}

export function leverageIn(market: Market): Leverage {
  choices();
  const position = positionsIn(market.market)[0];
  if (position !== undefined) return { mode: position.margin_mode, leverage: Number(position.leverage) };
  const [mode, leverage] = (localStorage.getItem(keyOf(market)) ?? "").split(" ");
  if (mode === "cross" || mode === "isolated") return { mode, leverage: Number(leverage) };
  const offered = market.leverages.filter((each) => each <= USUAL.leverage).at(-1) ?? market.leverages[0];
  return { ...USUAL, leverage: offered ?? 1 };
}

export async function setLeverage(market: Market, { mode, leverage }: Leverage): Promise<void> {
  const body = { market: market.market, market_type: "FUTURES", margin_mode: mode, leverage };
  await post("/v2/futures/adjust-position-leverage", body);
  localStorage.setItem(keyOf(market), `${mode} ${leverage}`);
  setChoices((count) => count + 1);
}

let levels: Promise<readonly PositionLevels[]> | undefined;

/** The maintenance margin rate that holds for so large a position; undefined where the market has no level for it. */
export async function maintenanceRate(market: Market, amount: Decimal): Promise<Decimal | undefined> {
  levels ??= get<PositionLevels[]>("/v2/futures/position-level");
  const read = await levels.catch(() => {
    levels = undefined;
    return [];
  });
  const own = read.find((each) => each.market === market.market)?.level ?? [];
  return own.find((level) => compare(amount, level.amount) <= 0)?.maintenance_margin_rate;
}
