/**
 * Makes up a play: the venue, honest people, the path of the fair prices with what goes wrong, and strategies at once.
 */
import type { Command } from "../../../src/engine/command.ts";
import { PLAY_PARTS } from "../parts.ts";
import { Random } from "../random.ts";
import { holderName, honestActions, MAKER } from "./honest.ts";
import { listings } from "./listings.ts";
import type { Action, PlayStep } from "./step.ts";
import { type Hand, type Money, Script, type Strategy } from "./strategy.ts";
import { MARKETS, type Terms, termsOf, UNDERLYINGS } from "./terms.ts";

export const STRATEGIES: readonly Strategy[] = PLAY_PARTS.flatMap(({ strategies }) => strategies);

/** The steps of a seed; of one strategy alone if it is named. */
export function playSteps(seed: number, stepsMax: number, only?: string): PlayStep[] {
  const chosen =
    only === undefined ? someOf(STRATEGIES, new Random(seed ^ 0xc05e)) : STRATEGIES.filter(({ name }) => name === only);
  const terms = chosen.reduce((sofar, { terms: own }) => own?.(sofar) ?? sofar, termsOf(seed));
  const random = new Random(seed ^ 0x9a7);
  const script = new Script();
  const setup: Command[] = [...listings(terms), ...PLAY_PARTS.flatMap((part) => part.listings?.(terms) ?? [])];
  const fund = (userId: string, money: Money) => setup.push(...accountOf(userId, money));
  fund(MAKER, { futures: 1e9, futuresBtc: 1e4, usdt: 1e9, btc: 1e5, dsc: 1e9 });
  for (let at = 0; at < terms.holders; at++) fund(holderName(at), { futures: random.pick([500, 10_000, 200_000]) });
  for (let at = 0; at < terms.stops; at++) fund(`honest stopper-${at}`, { usdt: 50_000, btc: 5, dsc: 100_000 });
  honestActions(script, terms, random);
  fairPath(script, terms, random);
  for (const { strategies, forItsOwn } of PLAY_PARTS) {
    if (strategies.some((one) => chosen.includes(one))) setup.push(...(forItsOwn?.(script, terms) ?? []));
  }
  for (const strategy of chosen) strategy.play(new Dealer(strategy.name, terms, random, script, fund));
  return [...begin(setup, terms), ...inOrder(script).slice(0, stepsMax)];
}

/** One strategy mostly, now and then several at once. */
function someOf(strategies: readonly Strategy[], random: Random): Strategy[] {
  const count = random.pick([1, 1, 2, 3]);
  const chosen = new Set(Array.from({ length: count }, () => random.pick(strategies)));
  return [...chosen];
}

class Dealer implements Hand {
  readonly random: Random;
  readonly terms: Terms;
  private readonly name: string;
  private readonly script: Script;
  private readonly fund: (user: string, money: Money) => void;
  private accounts = 0;

  constructor(name: string, terms: Terms, random: Random, script: Script, fund: (user: string, money: Money) => void) {
    this.name = name;
    this.terms = terms;
    this.random = new Random(random.next());
    this.script = script;
    this.fund = fund;
  }

  account(money: Money): string {
    const user = `adversary ${this.name} ${++this.accounts}`;
    // Who has several accounts has them under one, or not.
    const isSub = this.accounts > 1 && this.random.chance(30);
    this.fund(user, isSub ? { ...money, under: `adversary ${this.name} 1` } : money);
    return user;
  }

  at(atMs: number, ...actions: Action[]): void {
    for (const action of actions) this.script.add(this.name, atMs, action);
  }
}

function begin(setup: readonly Command[], { startMs }: Terms): PlayStep[] {
  // The venue is set up an hour before, so that nothing of it falls into the play.
  const steps = setup.map((command, at) => ({
    waitMs: at === 0 ? startMs - 3_600_000 : 0,
    by: "venue",
    action: { do: "command", command } as const,
  }));
  const prices = {
    waitMs: 3_600_000 - 5_000,
    by: "feed",
    action: { do: "prices", ppm: { BTC: 0, ETH: 0, DSC: 0 } } as const,
  };
  return [...steps, prices, { ...prices, waitMs: 5_000 }];
}

function inOrder({ actions }: Script): PlayStep[] {
  const sorted = actions
    .map((action, at) => ({ ...action, at }))
    .sort((one, other) => one.atMs - other.atMs || one.at - other.at);
  let nowMs = 0;
  return sorted.map(({ by, atMs, action }) => {
    const waitMs = atMs - nowMs;
    nowMs = atMs;
    return { waitMs, by, action };
  });
}

/** The fair prices, told by sources unless they are silent, and at the end all is heard again and settles. */
function fairPath(script: Script, terms: Terms, random: Random): void {
  const ppm = { BTC: 0, ETH: 0, DSC: 0 };
  const { outage, maintenance, lastsMs, feedEveryMs } = terms;
  for (let atMs = feedEveryMs; atMs < lastsMs; atMs += feedEveryMs) {
    if (terms.path !== "still") {
      const drift = Math.round(terms.step * terms.trend);
      for (const name of UNDERLYINGS) ppm[name] += random.whole(-terms.step, terms.step) + drift;
      const jumps = terms.path === "jumps" && random.chance(4);
      if (jumps) ppm[random.pick(["BTC", "BTC", "ETH"] as const)] += random.pick([-1, 1]) * random.whole(0, terms.jump);
    }
    const isSilent = outage !== undefined && outage.fromMs <= atMs && atMs < outage.toMs;
    script.add("feed", atMs, { do: "prices", ppm: { ...ppm }, ...(isSilent ? { silent: outage.of } : {}) });
  }
  for (const atMs of terms.restartsAtMs) script.add("venue", atMs, { do: "restart" });
  if (maintenance !== undefined) {
    const { fromMs, toMs, protectsMs, protects } = maintenance;
    const startedAt = terms.startMs + fromMs;
    const endedAt = terms.startMs + toMs;
    const begins = protects === "after" ? endedAt : Math.max(terms.startMs, startedAt - protectsMs);
    const ends = protects === "before" ? startedAt : endedAt + protectsMs;
    const command = {
      kind: "plan_maintenance",
      scope: random.pick([["FUTURES"], ["FUTURES"], ["SPOT"], ["ALL_SITE"]] as const),
      startedAt,
      endedAt,
      protectDurationStart: protectsMs === 0 ? 0 : begins,
      protectDurationEnd: protectsMs === 0 ? 0 : ends,
      announceUrl: "",
      announceEnabled: false,
    } as const;
    script.add("venue", 1, { do: "command", command });
  }
  if (terms.delisting !== undefined) {
    const { name: market, isFutures } = MARKETS[terms.delisting.market];
    const { atMs, suspendedMs } = terms.delisting;
    const marketType = isFutures ? "FUTURES" : "SPOT";
    const change = { kind: "change_market", market, marketType } as const;
    script.add("venue", 1, { do: "command", command: { ...change, delistedAt: terms.startMs + atMs } });
    if (suspendedMs > 0) {
      const command = { ...change, suspended: true };
      script.add("venue", Math.max(1, atMs - suspendedMs), { do: "command", command });
    }
  }
  for (const after of [1_000, 6_500, 12_000, 40_000, 60_000, 80_000]) {
    script.add("feed", lastsMs + after, { do: "prices", ppm: { ...ppm } });
  }
}

function accountOf(name: string, { futures, futuresBtc, usdt, btc, dsc, deducts, hedge, under }: Money): Command[] {
  // Ids follow the order of creation: the runner puts the right one in.
  const userId = name as unknown as number;
  const main = under === undefined ? {} : { mainUserId: under as unknown as number };
  const commands: Command[] = [{ kind: "create_user", name, ...main }];
  const put = (ccy: string, amount: number | undefined, toFutures = false) => {
    if (amount === undefined) return;
    commands.push({ kind: "deposit", userId, ccy, amount: String(amount), note: "" });
    if (toFutures)
      commands.push({ kind: "transfer", userId, from: "SPOT", to: "FUTURES", ccy, amount: String(amount) } as Command);
  };
  put("USDT", futures, true);
  put("BTC", futuresBtc, true);
  put("USDT", usdt);
  put("BTC", btc);
  put("DSC", dsc);
  if (deducts) commands.push({ kind: "change_user", userId, feeDeduction: true });
  if (hedge) commands.push({ kind: "change_futures_settings", userId, positionMode: "hedge" });
  return commands;
}
