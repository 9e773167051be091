import { OFF_GRID, type Side, TOO_LARGE } from "../../../src/engine/command.ts";
import type { Random } from "../random.ts";
import { pairAt } from "./markets.ts";
import type { Settings } from "./settings.ts";

/** What the actions of one step are drawn from; `progress` says how far the run is, from 0 to 1. */
export class Draw {
  readonly settings: Settings;
  readonly random: Random;
  readonly progress: number;

  constructor(settings: Settings, random: Random, progress: number) {
    this.settings = settings;
    this.random = random;
    this.progress = progress;
  }

  userId(): number {
    const { users, first } = this.settings;
    return this.random.chance(first) ? 1 : this.random.whole(1, users);
  }

  marketId(): number {
    return this.random.chance(60) ? 0 : this.random.whole(0, this.settings.markets - 1);
  }

  marketName(): string {
    const [base, quote] = pairAt(this.settings, this.marketId());
    return base + quote;
  }

  price(side?: Side): bigint {
    const { random, settings } = this;
    if (random.chance(settings.odd)) return this.oddNumber();
    // There and back again, so that prices rise and fall in every run.
    const swing = this.progress < 0.5 ? this.progress * 2 : 2 - this.progress * 2;
    const middle = settings.middle + Math.round(settings.wander * swing);
    const away = random.whole(-settings.reach, settings.reach);
    const isApart = side !== undefined && random.chance(settings.apart);
    const price = BigInt(middle + (isApart ? (side === "buy" ? -Math.abs(away) - 1 : Math.abs(away)) : away));
    return price > 0n ? price : 1n;
  }

  amount(): bigint {
    const { random, settings } = this;
    if (random.chance(settings.odd)) return this.oddNumber();
    const [from, to] = settings.amounts;
    return from + (((BigInt(random.next()) << 20n) + BigInt(random.whole(0, 2 ** 20 - 1))) % (to - from + 1n));
  }

  oddNumber(): bigint {
    const { minAmount, maxAmount, maxPrice } = this.settings;
    return this.random.pick([
      OFF_GRID,
      0n,
      1n,
      minAmount - 1n,
      maxAmount,
      maxAmount + 1n,
      maxPrice,
      maxPrice + 1n,
      TOO_LARGE,
    ]);
  }
}
