import { Slot } from "../slot.ts";

/** Shares of an insurance fund, 10^-8; 0 = it pays nothing. */
export interface BudgetShares {
  /** Per market and rolling hour. */
  readonly hourShareE8: number;
  /** Per currency and day (UTC). */
  readonly dayShareE8: number;
}

/** The shares that hold until an operator sets others. */
export const STANDARD_SHARES: BudgetShares = { hourShareE8: 2_000_000, dayShareE8: 10_000_000 };

/** A loss within one minute or one day, units of the fund's asset; `atMs` is its start. */
export interface Loss {
  readonly atMs: number;
  units: bigint;
}

/** An insurance fund as one market sees it: the cell that pays, its asset, and the market that it pays for. */
export interface Fund {
  readonly cellKind: number;
  readonly assetId: number;
  readonly marketId: number;
}

/** Assets and markets lie below 2^20, kinds of cells below 2^5. */
const PLACES = 2 ** 20;

/**
 * Losses of all insurance funds of the venue. Bounded by markets × 2 assets × 62 minutes, and by assets × kinds of
 * funds.
 */
export class Insurance {
  shares: BudgetShares = STANDARD_SHARES;
  /** By market and asset: the losses of the last hour, one entry a minute, oldest first. */
  private readonly hours = new Map<number, Loss[]>();
  /** By kind of fund and asset: the loss of the last day that had one. */
  private readonly days = new Map<number, Loss>();

  /** Losses of the last hour, oldest first. */
  hoursOf({ marketId, assetId }: Fund): readonly Loss[] {
    return this.hours.get(marketId * PLACES + assetId) ?? [];
  }

  /** As `hoursOf`; the list is the caller's to change. */
  openHours({ marketId, assetId }: Fund): Loss[] {
    const key = marketId * PLACES + assetId;
    let losses = this.hours.get(key);
    if (losses === undefined) {
      losses = [];
      this.hours.set(key, losses);
    }
    return losses;
  }

  dayOf({ cellKind, assetId }: Pick<Fund, "cellKind" | "assetId">): Loss | undefined {
    return this.days.get(cellKind * PLACES + assetId);
  }

  setDay({ cellKind, assetId }: Pick<Fund, "cellKind" | "assetId">, loss: Loss): void {
    this.days.set(cellKind * PLACES + assetId, loss);
  }

  /** Rows for a snapshot in ascending keys, those without a loss left out. */
  rows(): InsuranceRows {
    const hours = [...this.hours].filter(([, losses]) => losses.length > 0).sort(byKey);
    return {
      shares: this.shares,
      hours: hours.map(([key, losses]) => [
        Math.floor(key / PLACES),
        key % PLACES,
        losses.map(({ atMs, units }) => [atMs, units.toString()] as const),
      ]),
      days: [...this.days]
        .sort(byKey)
        .map(([key, { atMs, units }]) => [Math.floor(key / PLACES), key % PLACES, atMs, units.toString()]),
    };
  }
}

/** Losses as JSON can carry them. */
export interface InsuranceRows {
  readonly shares: BudgetShares;
  readonly hours: readonly (readonly [marketId: number, assetId: number, losses: readonly LossRow[]])[];
  readonly days: readonly (readonly [cellKind: number, assetId: number, atMs: number, units: string])[];
}

export type LossRow = readonly [atMs: number, units: string];

export function lossOfRow([atMs, units]: LossRow): Loss {
  return { atMs, units: BigInt(units) };
}

function byKey([one]: readonly [number, unknown], [other]: readonly [number, unknown]): number {
  return one - other;
}

export const insuranceOf = new Slot(() => new Insurance());
