/** What accounts are worth at the fair prices, whatever the venue believes. Exact: in 10^-14 of a USDT. */
import { positionsOf } from "../../../src/engine/futures/positions/account-sums.ts";
import type { FuturesSpec } from "../../../src/engine/futures/positions/contract.ts";
import type { Stage } from "./stage.ts";
import { PRICE_PRECISION } from "./terms.ts";

/** One unit of money, 10^-8 of a USDT, in the unit of worth. */
export const USDT_UNIT = 1_000_000n;
const WORTH_PRECISION = 6;
const OF_TICK = {
  BTC: 10n ** BigInt(WORTH_PRECISION - PRICE_PRECISION.spot),
  DSC: 10n ** BigInt(WORTH_PRECISION - PRICE_PRECISION.coin),
  ETH: 10n ** BigInt(WORTH_PRECISION - PRICE_PRECISION.fresh),
};

/** Units of an asset at the fair prices. */
export function worthOf(stage: Stage, assetId: number, units: bigint): bigint {
  if (units === 0n) return 0n;
  const ccy = stage.state.assets[assetId]?.ccy;
  if (ccy === "BTC") return units * stage.fair("spot") * OF_TICK.BTC;
  if (ccy === "ETH") return units * stage.fair("fresh") * OF_TICK.ETH;
  if (ccy === "DSC") return units * stage.fair("coin") * OF_TICK.DSC;
  return units * USDT_UNIT;
}

/** All that a user owns: balances, cash, margins, and open positions at the fair prices. */
export function equityOf(stage: Stage, userId: number): bigint {
  const { state } = stage;
  const { ledger } = state;
  let worth = 0n;
  for (const { id } of state.assets) {
    const cell = ledger.findSpotCell(userId, id);
    if (cell >= 0) worth += worthOf(stage, id, ledger.available(cell) + ledger.frozen(cell));
    worth += futuresEquity(stage, userId, id);
  }
  return worth;
}

/** Of what a user, or with 0 the venue, has in futures of a currency. */
function futuresEquity(stage: Stage, userId: number, assetId: number): bigint {
  const { state } = stage;
  const { accounts, positions } = state.futures;
  const account = accounts.find(userId, assetId);
  if (account < 0) return 0n;
  let units = state.ledger.available(accounts.cell(account));
  for (const slot of positionsOf(state, account)) {
    const margin = positions.marginCell(slot);
    if (margin >= 0) units += state.ledger.available(margin);
    units += profitOf(stage, slot);
  }
  return worthOf(stage, assetId, units);
}

/** By asset, what the open positions of a user, or with 0 of the venue, gain at the fair prices, in units. */
export function profitsOf(stage: Stage, userId: number): bigint[] {
  const { state } = stage;
  return state.assets.map(({ id }) => {
    const account = state.futures.accounts.find(userId, id);
    if (account < 0) return 0n;
    return [...positionsOf(state, account)].reduce((sum, slot) => sum + profitOf(stage, slot), 0n);
  });
}

/** Profit of a position at the fair price, in units. */
function profitOf(stage: Stage, slot: number): bigint {
  const { state } = stage;
  const { positions } = state.futures;
  const marketId = positions.marketId(slot);
  const terms = state.markets[marketId]?.futures as FuturesSpec;
  const value = valueAt(terms, stage.fair(stage.keyOf(marketId)), positions.amount(slot));
  return gains(terms, positions.isShort(slot)) * (value - positions.settleCost(slot));
}

/** Value of lots of a contract at a price, in units, downwards. */
export function valueAt(terms: FuturesSpec, ticks: bigint, lots: bigint): bigint {
  return terms.contractType === "linear" ? ticks * lots * terms.unit : (lots * terms.unit) / ticks;
}

/** 1 where the position gains when the value of its lots rises. */
export function gains(terms: FuturesSpec, isShort: boolean): bigint {
  return (terms.contractType === "linear") === isShort ? -1n : 1n;
}

/**
 * How far a mark may lie from the index, 10^-8: half a percent, or half of the least maintenance rate. Source: domain
 * 4.11.
 */
export function markBandE8({ levels }: FuturesSpec): bigint {
  const half = BigInt(levels[0]?.maintenanceRateE8 ?? 0) / 2n;
  return half < 500_000n ? half : 500_000n;
}

/** Whether a user's own margin exceeds what it must keep at any mark that may belong to the fair prices. */
export function isSafe(stage: Stage, userId: number): boolean {
  const { state } = stage;
  const { accounts, positions } = state.futures;
  for (const { id } of state.assets) {
    const account = accounts.find(userId, id);
    if (account < 0) continue;
    let cross = state.ledger.available(accounts.cell(account)) - accounts.frozen(account);
    let hasCross = false;
    for (const slot of positionsOf(state, account)) {
      const terms = state.markets[positions.marketId(slot)]?.futures as FuturesSpec;
      const fair = stage.fair(stage.keyOf(positions.marketId(slot)));
      const away = (fair * markBandE8(terms)) / 100_000_000n + 1n;
      const lots = positions.amount(slot);
      const value = valueAt(terms, positions.isShort(slot) ? fair + away : fair - away, lots);
      const rate = terms.levels.find(({ amount }) => lots <= amount)?.maintenanceRateE8 ?? 0;
      const kept = (value * BigInt(rate)) / 100_000_000n + 1n;
      const profit = gains(terms, positions.isShort(slot)) * (value - positions.settleCost(slot));
      const margin = positions.marginCell(slot);
      if (margin >= 0) {
        if (state.ledger.available(margin) + profit <= kept) return false;
      } else {
        hasCross = true;
        cross += profit - kept;
      }
    }
    if (hasCross && cross <= 0n) return false;
  }
  return true;
}

/** Units of a decimal text; with a scale of 0 of a whole number. */
export function unitsOf(text: string, scale: number): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole) * 10n ** BigInt(scale) + BigInt(fraction.padEnd(scale, "0") || "0");
}
