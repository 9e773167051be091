/** What the insurance fund may lose to what the venue has taken over. Source: domain 4.14. */
import { down, e8, least, most, ratio, times } from "./rational.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Loss {
  readonly minute: number;
  readonly marketId: number;
  readonly asset: number;
  readonly units: bigint;
}

export class PlainBudget {
  /** Shares of the fund, 10^-8: per market and hour, per currency and day. */
  hourE8 = 2_000_000;
  dayE8 = 10_000_000;
  private readonly losses: Loss[] = [];

  /** What may still be lost in a market, with so much in the fund. */
  left(marketId: number, asset: number, fund: bigint, timeMs: number): bigint {
    const minute = Math.floor(timeMs / MINUTE_MS);
    const sum = (counts: (loss: Loss) => boolean) =>
      this.losses.reduce((all, loss) => (counts(loss) ? all + loss.units : all), 0n);
    const inHour = sum((loss) => loss.marketId === marketId && minute - loss.minute <= 60);
    const today = sum(
      (loss) => loss.asset === asset && Math.floor((loss.minute * MINUTE_MS) / DAY_MS) === Math.floor(timeMs / DAY_MS),
    );
    const of = (share: number, lost: bigint) => down(times(ratio(fund + lost), e8(share))) - lost;
    return most(0n, least(of(this.hourE8, inHour), of(this.dayE8, today)));
  }

  lose(marketId: number, asset: number, units: bigint, timeMs: number): void {
    if (units > 0n) this.losses.push({ minute: Math.floor(timeMs / MINUTE_MS), marketId, asset, units });
  }
}
