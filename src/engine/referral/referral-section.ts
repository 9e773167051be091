import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { type Agent, type ReferCode, type Referee, referralOf, type Traded } from "./referral-state.ts";

interface StoredTraded {
  readonly userId: number;
  readonly units: readonly (readonly [key: number, units: string])[];
  readonly firstDeal?: { readonly atMs: number; readonly assetId: number; readonly units: string };
}

interface StoredReferee extends Omit<Referee, "firstDepositValue" | "depositValue"> {
  readonly firstDepositValue: string;
  readonly depositValue: string;
}

interface ReferralWords {
  readonly day: number;
  readonly nextAt: number;
  readonly closingDay: number;
  readonly codes: readonly ReferCode[];
  readonly referees: readonly (readonly [userId: number, referee: StoredReferee])[];
  /** By ascending user id. */
  readonly agents: readonly (readonly [userId: number, agent: Agent])[];
  readonly today: readonly StoredTraded[];
  readonly closing: readonly StoredTraded[];
}

/**
 * Codes and invited users in the order in which they came, and what these have traded in the order in which they did.
 */
export const referralSection: Section = {
  name: "referral",
  version: 1,
  write: (state) => {
    const { day, nextAt, closingDay, codes, referees, agents, today, closing } = referralOf(state);
    const words: ReferralWords = {
      day,
      nextAt,
      closingDay,
      codes: [...codes.values()],
      referees: [...referees].map(([userId, one]) => [
        userId,
        { ...one, firstDepositValue: one.firstDepositValue.toString(), depositValue: one.depositValue.toString() },
      ]),
      agents: [...agents].sort(([one], [other]) => one - other),
      today: [...today].map(stored),
      closing: closing.map(stored),
    };
    return [jsonChunk(words)];
  },
  read: (state, [json]) => {
    const words = jsonOf(json) as ReferralWords;
    const own = referralOf(state);
    own.day = words.day;
    own.nextAt = words.nextAt;
    own.closingDay = words.closingDay;
    for (const code of words.codes) own.codes.set(code.code, code);
    for (const [userId, referee] of words.referees) {
      const { firstDepositValue, depositValue } = referee;
      own.bind(userId, {
        ...referee,
        firstDepositValue: BigInt(firstDepositValue),
        depositValue: BigInt(depositValue),
      });
    }
    for (const [userId, agent] of words.agents) own.agents.set(userId, agent);
    own.today = new Map(words.today.map(restored));
    own.closing = words.closing.map(restored);
  },
};

function stored([userId, { units, firstDeal }]: readonly [number, Traded]): StoredTraded {
  const row = { userId, units: [...units].map(([key, amount]) => [key, amount.toString()] as const) };
  return firstDeal === undefined ? row : { ...row, firstDeal: { ...firstDeal, units: firstDeal.units.toString() } };
}

function restored({ userId, units, firstDeal }: StoredTraded): [number, Traded] {
  return [
    userId,
    {
      units: new Map(units.map(([key, amount]) => [key, BigInt(amount)])),
      firstDeal: firstDeal === undefined ? undefined : { ...firstDeal, units: BigInt(firstDeal.units) },
    },
  ];
}
