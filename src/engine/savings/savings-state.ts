/** The state of savings. Source: domain 6.6. */
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";
import { SavingsAccounts } from "./savings-accounts.ts";

export const DAY_MS = 86_400_000;

/** The savings of all users in one currency. */
export interface SavedAsset {
  /** Share of what lies there that a day earns, in 10^-8. */
  dailyRateE8: number;
  /** Units that lie in FINANCIAL, and units of interest that the venue owes, of all users together. */
  saved: bigint;
  owed: bigint;
}

/** A midnight of one currency. */
export interface InterestOfAsset {
  readonly assetId: number;
  readonly dailyRateE8: number;
  /** Whether interest is paid, what was owed before with it; else it is owed. */
  readonly isPaid: boolean;
  /** Units that are still put aside, and units that were paid. */
  left: bigint;
  paid: bigint;
}

/** A midnight that is being booked. */
export interface InterestRound {
  readonly day: number;
  /** By asset id. */
  readonly assets: Map<number, InterestOfAsset>;
  /** The next account to be booked, and the first that came after midnight. */
  nextRow: number;
  readonly endRow: number;
}

export class Savings {
  readonly accounts = new SavingsAccounts();
  /** By asset id; assets that nobody saves and that have no rate are not in it. */
  readonly assets = new Map<number, SavedAsset>();
  /** The last midnight that has begun to be booked, in days since the epoch; at first that before the first account. */
  day = 0;
  round: InterestRound | undefined;
  /** Before then nothing more is booked, ms: so much was just now. */
  nextAt = 0;
  /** Accounts that the command of this seq has booked; of no interest to any other. */
  bookedSeq = 0;
  bookedRows = 0;

  of(assetId: number): SavedAsset {
    const known = this.assets.get(assetId);
    if (known !== undefined) return known;
    const made: SavedAsset = { dailyRateE8: 0, saved: 0n, owed: 0n };
    this.assets.set(assetId, made);
    return made;
  }
}

export const savings = new Slot(() => new Savings());

/**
 * Whether a midnight has passed that has not begun to be booked, because many were missed: what lay there then must not
 * change.
 */
export function isBehind(state: State): boolean {
  const { accounts, day } = savings.of(state);
  return accounts.count > 0 && day < Math.floor(state.timeMs / DAY_MS);
}
