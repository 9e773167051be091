/** The figures of all limits: those of the current contract, or what an operator sets instead. Source: domain 9. */
import { boundOf } from "../request/rules.ts";

/** Periods of the long cycle by their names on the wire, in hours. Each divides a day, so all windows end with one. */
export const LONG_PERIODS = { "1H": 1, "4H": 4, "8H": 8, "24H": 24 } as const;
export type LongPeriod = keyof typeof LONG_PERIODS;

/** A group of endpoints as a contract lists it. */
export interface RateGroup {
  readonly name: string;
  readonly rate_per_second: number;
  /** Part in the long cycle: `slowed` groups count there and are slowed down by it, `counted` ones only count. */
  readonly long_cycle?: "slowed" | "counted";
}

/** The part of a contract that is about limits. */
interface RateContract {
  readonly rateGroups: readonly RateGroup[];
  readonly limits: ReadonlyMap<string, number>;
}

export interface LongFigures {
  /** Requests per window, shortest period first; a period that is missing is not limited. */
  readonly limits: ReadonlyMap<LongPeriod, number>;
  /** Orders are of poor quality below this share of effective ones, in 10^-4, */
  readonly effectiveMinE4: number;
  /** and below this mean life. */
  readonly lifespanMinMs: number;
}

export interface RateFigures {
  readonly ipPerSecond: number;
  /** By the contract's names of groups, all of them. */
  readonly groupsPerSecond: ReadonlyMap<string, number>;
  readonly long: LongFigures;
}

/** Settings of an operator that replace the contract's figures; undefined keeps them. */
export interface RateSettings {
  readonly ipPerSecond?: number | undefined;
  /** By names of groups; those that are missing keep the contract's figure. */
  readonly groupsPerSecond?: ReadonlyMap<string, number> | undefined;
  readonly longLimits?: ReadonlyMap<LongPeriod, number> | undefined;
  readonly longEffectiveMinE4?: number | undefined;
  readonly longLifespanMinMs?: number | undefined;
}

export function rateFigures(contract: RateContract, settings: RateSettings = {}): RateFigures {
  const limit = (name: string) => boundOf(contract, name) as number;
  const periods = Object.keys(LONG_PERIODS) as LongPeriod[];
  const { groupsPerSecond, longLimits } = settings;
  const requests = (period: LongPeriod) =>
    longLimits === undefined ? limit(`long_cycle_${period.toLowerCase()}_requests`) : longLimits.get(period);
  return {
    ipPerSecond: settings.ipPerSecond ?? limit("ip_requests_per_second"),
    groupsPerSecond: new Map(
      contract.rateGroups.map(({ name, rate_per_second }) => [name, groupsPerSecond?.get(name) ?? rate_per_second]),
    ),
    long: {
      limits: new Map(
        periods.flatMap((period) => {
          const most = requests(period);
          return most === undefined ? [] : [[period, most] as const];
        }),
      ),
      effectiveMinE4: settings.longEffectiveMinE4 ?? limit("long_cycle_effective_min_e4"),
      lifespanMinMs: settings.longLifespanMinMs ?? limit("long_cycle_lifespan_min_ms"),
    },
  };
}
