import type { Command } from "../../../../src/engine/command.ts";
import { assetOf, KIND, kindOf, referralOf, type Traded } from "../../../../src/engine/referral/referral-state.ts";
import type { Draw } from "../draw.ts";
import { ASSETS } from "../markets.ts";
import type { SpotPart } from "../part.ts";
import type { Settings } from "../settings.ts";
import type { Step } from "../step.ts";
import { bind, countDeals, createCode, kept, payRebates, setAgent } from "./rebates.ts";

const DAY_MS = 86_400_000;
const KINDS = [
  ["value", KIND.spotValue],
  ["fee", KIND.spotFee],
  ["due", KIND.spotDue],
] as const;
/** Together at most a half in every order of two, but for the last. */
const SHARES = ["0", "0.00000001", "0.1", "0.2", "0.16666667", "0.25", "0.33333333"];

/** Invitations and the rebates that they bring at midnight. Domain 6.7. */
export const referral: SpotPart = {
  name: "referral",
  setup,
  actions: { referral: { often: { usual: [0, 0, 2] }, make: action } },
  ofVenue: { create_refer_code: createCode, bind_referee: bind, set_agent: setAgent },
  due: (venue) => {
    const { guests, day } = kept(venue);
    if (guests.length === 0) return [];
    return [{ at: (day + 1) * DAY_MS, rank: 36, id: -1, run: () => payRebates(venue) }];
  },
  after: countDeals,
  compare: (state, venue, differ) => {
    const ours = referralOf(state);
    const own = kept(venue);
    differ("codes", [...ours.codes.keys()].join(), own.codes.map(({ code }) => code).join());
    differ("agents", ours.agents.size, own.agents.size);
    differ("invited users", [...ours.referees.keys()].join(), own.guests.map(({ userId }) => userId).join());
    for (const guest of own.guests) {
      const { userId, code, boundAt, firstDealAt, firstDepositAt, firstDeposit, deposits } = guest;
      const referee = ours.referees.get(userId);
      differ(`who invited user ${userId}`, ours.codeOf(userId)?.userId, code.userId);
      differ(`when user ${userId} was invited`, referee?.boundAt, boundAt);
      differ(`first deal of user ${userId}`, referee?.firstDealAt, firstDealAt);
      differ(`first deposit of user ${userId}`, referee?.firstDepositAt, firstDepositAt);
      differ(`value of the first deposit of user ${userId}`, referee?.firstDepositValue, firstDeposit);
      differ(`value of all deposits of user ${userId}`, referee?.depositValue, deposits);
    }
    differ("who traded today", [...ours.today.keys()].join(), own.today.map(({ userId }) => userId).join());
    for (const day of own.today) {
      const traded = ours.today.get(day.userId);
      for (const [name, kind] of KINDS) {
        for (const { id, ccy } of venue.assets) {
          differ(`${name} of user ${day.userId} today in ${ccy}`, countedOf(traded, kind, id), day[name][id] ?? 0n);
        }
      }
    }
  },
  faults: [
    {
      name: "a rebate is rounded in the user's favour",
      file: "referral/rebates.ts",
      code: "return (fees * BigInt(rateE8)) / ONE_E8;",
      instead: "return (fees * BigInt(rateE8) + ONE_E8 - 1n) / ONE_E8;",
    },
    {
      name: "what of a fee went to providers bears a rebate",
      file: "referral/trades.ts",
      code: "pool === undefined ? fee : fee - providersPart(pool, fee)",
      instead: "fee",
    },
    {
      name: "only takers bring rebates",
      file: "referral/trades.ts",
      code: "for (const party of [deal.taker, deal.maker])",
      instead: "for (const party of [deal.taker])",
    },
    {
      name: "an agent keeps the share of whose agent he is",
      file: "referral/rebates.ts",
      code: "[agent?.ofUserId ?? 0, upline],",
      instead: "[code.userId, upline],",
    },
    {
      name: "a rebate that the fees do not suffice for is forgotten",
      file: "referral/rebates.ts",
      code: "later.set(key, (later.get(key) ?? 0n) + fees);",
      instead: "",
    },
    {
      name: "friends invite each other in a circle",
      file: "referral/commands.ts",
      code: "above = own.codeOf(above)?.userId;",
      instead: "above = undefined;",
    },
    {
      name: "a second deposit counts as the first",
      from: 26,
      file: "referral/deposits.ts",
      code: "if (referee.firstDepositAt === 0) {",
      instead: "if (referee.firstDepositAt <= state.timeMs) {",
    },
    {
      name: "a snapshot forgets what invited users have traded today",
      file: "referral/referral-section.ts",
      code: "own.today = new Map(words.today.map(restored));",
      instead: "own.today = new Map();",
    },
  ],
};

/**
 * The first two users invite all after them in turns, and the first the second, who cannot invite him back; some venues
 * begin without anybody.
 */
function setup({ seed, users }: Settings): Command[] {
  if (seed % 5 === 0 || users < 3) return [];
  const code = (userId: number, at: number): Command => ({
    kind: "create_refer_code",
    userId,
    code: `CODE${userId}`,
    referrerRate: SHARES[(seed + at) % SHARES.length] as string,
    refereeRate: SHARES[(seed >>> 3) % 5] as string,
  });
  const commands = [code(1, 0), code(2, 1)];
  for (let userId = 2; userId <= users; userId++) {
    commands.push({ kind: "bind_referee", userId, code: userId % 2 === 0 ? "CODE1" : "CODE2" });
  }
  commands.push({ kind: "bind_referee", userId: 1, code: "CODE2" });
  if (seed % 3 === 0) {
    commands.push({ kind: "set_agent", userId: 1, ofUserId: 3, rate: "0.03333333", remark: "" });
  }
  return commands;
}

/** What operators do about it; now and then they also take fees away, so that these do not suffice. */
function action(draw: Draw): Omit<Step, "waitMs"> {
  const { random } = draw;
  const code = random.pick(["CODE1", "CODE2", "CODE3", "NONE", "?"]);
  const share = () => random.pick([...SHARES, ...SHARES, "0.5", "1", "x"]);
  if (random.chance(50)) {
    const ccy = random.pick(ASSETS);
    const cell = "sys:fee";
    return {
      command: { kind: "adjust_balance", userId: draw.userId(), cell, ccy, amount: "1", note: "taken" },
      all: true,
    };
  }
  return {
    command: random.pick<Command>([
      { kind: "bind_referee", userId: draw.userId(), code },
      { kind: "bind_referee", userId: random.whole(1, 10), code },
      { kind: "create_refer_code", userId: draw.userId(), code, referrerRate: share(), refereeRate: share() },
      {
        kind: "create_user",
        name: `guest ${random.whole(1, 9)}`,
        mainUserId: random.pick([undefined, 1, 2]),
        referredBy: code,
      },
      {
        kind: "set_agent",
        userId: draw.userId(),
        ofUserId: draw.userId(),
        rate: random.pick([null, share(), share()]),
        remark: "",
      },
    ]),
  };
}

function countedOf(traded: Traded | undefined, kind: number, assetId: number): bigint {
  for (const [key, units] of traded?.units ?? []) if (kindOf(key) === kind && assetOf(key) === assetId) return units;
  return 0n;
}
