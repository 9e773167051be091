/** Who invited whom, and what that brings, once more in plain words. Domain 6.7. */

import type { CommandOf } from "../../../../src/engine/command-schema.ts";
import type { REFERRAL_SCHEMAS } from "../../../../src/engine/referral/command-schemas.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { ONE_E8, unitsOf } from "../model/numbers.ts";
import type { ModelAsset, ModelDeal, ModelOutcome } from "../model/records.ts";
import { usdOf } from "../model/usd.ts";
import type { ModelVenue } from "../model/venue.ts";
import { keptBy } from "../part.ts";

type Of<Kind extends keyof typeof REFERRAL_SCHEMAS> = CommandOf<typeof REFERRAL_SCHEMAS, Kind>;
type Answer = Refusal | undefined;

const DAY_MS = 86_400_000;
const HALF = ONE_E8 / 2n;

interface Code {
  readonly code: string;
  readonly userId: number;
  readonly referrer: bigint;
  readonly referee: bigint;
}

interface Guest {
  readonly userId: number;
  readonly code: Code;
  readonly boundAt: number;
  firstDealAt: number;
  firstDepositAt: number;
  firstDeposit: bigint;
  deposits: bigint;
}

/**
 * What counts of one user since the last midnight: fees taken, values traded, and fees whose rebates are to come, by
 * asset.
 */
interface Day {
  readonly userId: number;
  readonly value: bigint[];
  readonly fee: bigint[];
  readonly due: bigint[];
}

export const kept = keptBy(() => ({
  codes: [] as Code[],
  guests: [] as Guest[],
  agents: new Map<number, { readonly ofUserId: number; readonly rate: bigint }>(),
  /** The day that runs since the first invitation. */
  day: 0,
  today: [] as Day[],
  /** How many of an outcome's events are counted. */
  looked: { outcome: undefined as ModelOutcome | undefined, events: 0 },
}));

export function createCode(venue: ModelVenue, command: Of<"create_refer_code">): Answer {
  const own = kept(venue);
  const { userId, code } = command;
  if (venue.user(userId) === undefined) return "user_not_found";
  if (!/^[A-Za-z0-9]{4,32}$/.test(code)) return "invalid_command";
  if (codeNamed(venue, code) !== undefined) return "refer_code_taken";
  const [referrer, referee] = [shareOf(command.referrerRate), shareOf(command.refereeRate)];
  if (referrer === undefined || referee === undefined) return "invalid_command";
  if (referrer + referee + (own.agents.get(userId)?.rate ?? 0n) > HALF) return "rebate_too_high";
  own.codes.push({ code, userId, referrer, referee });
  return undefined;
}

export function bind(venue: ModelVenue, { userId, code }: Of<"bind_referee">): Answer {
  const user = venue.user(userId);
  if (user === undefined) return "user_not_found";
  const known = codeNamed(venue, code);
  if (known === undefined) return "refer_code_not_found";
  if (guestOf(venue, userId) !== undefined) return "already_referred";
  if (isAbove(venue, user.mainId ?? userId, known.userId)) return "refers_in_a_circle";
  invite(venue, userId, code);
  return undefined;
}

/** Why nobody of the family of a main account, undefined for one that is to be made, may be invited by a code. */
export function refuseInvitation(venue: ModelVenue, mainId: number | undefined, code: string): Answer {
  const known = codeNamed(venue, code);
  if (known === undefined) return "refer_code_not_found";
  return mainId !== undefined && isAbove(venue, mainId, known.userId) ? "refers_in_a_circle" : undefined;
}

export function invite(venue: ModelVenue, userId: number, code: string): void {
  // What was traded before does not count.
  countDeals(venue);
  const own = kept(venue);
  if (own.guests.length === 0) own.day = dayOf(venue);
  own.guests.push({
    userId,
    code: codeNamed(venue, code) as Code,
    boundAt: venue.timeMs,
    firstDealAt: 0,
    firstDepositAt: 0,
    firstDeposit: 0n,
    deposits: 0n,
  });
}

export function setAgent(venue: ModelVenue, { userId, ofUserId, rate, remark }: Of<"set_agent">): Answer {
  const own = kept(venue);
  const [agent, other] = [venue.user(userId), venue.user(ofUserId)];
  if (agent === undefined || other === undefined) return "user_not_found";
  const share = rate === null ? 0n : shareOf(rate);
  if (share === undefined || remark.length > 256) return "invalid_command";
  if ((agent.mainId ?? userId) === (other.mainId ?? ofUserId)) return "refers_in_a_circle";
  const mine = own.codes.filter((code) => code.userId === userId);
  if (mine.some(({ referrer, referee }) => referrer + referee + share > HALF)) return "rebate_too_high";
  if (rate === null) own.agents.delete(userId);
  else own.agents.set(userId, { ofUserId, rate: share });
  return undefined;
}

/** Something that a user brought from outside, and that nothing takes back. */
export function bring(venue: ModelVenue, userId: number, asset: ModelAsset, units: bigint): void {
  const guest = guestOf(venue, userId);
  if (guest === undefined) return;
  const value = usdOf(venue, asset, units) ?? 0n;
  if (guest.firstDepositAt === 0) {
    guest.firstDepositAt = venue.timeMs;
    guest.firstDeposit = value;
  }
  guest.deposits += value;
}

/**
 * A midnight: the shares of the day's fees, by user and asset as far as the fees are still there; else they wait for
 * the next one.
 */
export function payRebates(venue: ModelVenue): void {
  countDeals(venue);
  const own = kept(venue);
  const { today } = own;
  own.today = [];
  own.day = dayOf(venue);
  for (const { userId, due } of today) {
    const { code } = guestOf(venue, userId) as Guest;
    const agent = own.agents.get(code.userId);
    for (const { id } of venue.assets) {
      const fees = due[id];
      if (fees === undefined) continue;
      const shares: [number, bigint][] = [
        [code.userId, (fees * code.referrer) / ONE_E8],
        [userId, (fees * code.referee) / ONE_E8],
      ];
      if (agent !== undefined) shares.push([agent.ofUserId, (fees * agent.rate) / ONE_E8]);
      const all = shares.reduce((sum, [, units]) => sum + units, 0n);
      if (all > (venue.fees[id] ?? 0n)) {
        add(dayFor(venue, userId).due, id, fees);
        continue;
      }
      venue.addFee(id, -all);
      for (const [to, units] of shares) if (units > 0n) venue.balance(to, id).available += units;
    }
  }
}

/** Counts the deals of the command under way that are not counted yet. */
export function countDeals(venue: ModelVenue): void {
  const { looked } = kept(venue);
  const { outcome } = venue;
  if (looked.outcome !== outcome) Object.assign(looked, { outcome, events: 0 });
  for (const event of outcome.events.slice(looked.events)) if (event.kind === "deal") countDeal(venue, event.deal);
  looked.events = outcome.events.length;
}

function countDeal(venue: ModelVenue, { marketId, value, taker, maker }: ModelDeal): void {
  const quoteId = venue.markets[marketId]?.quote.id as number;
  for (const { userId, fee, feeAssetId, given } of [taker, maker]) {
    const guest = guestOf(venue, userId);
    if (guest === undefined) continue;
    if (guest.firstDealAt === 0) guest.firstDealAt = venue.timeMs;
    const day = dayFor(venue, userId);
    add(day.value, quoteId, value);
    add(day.fee, feeAssetId, fee);
    add(day.due, feeAssetId, fee - given);
  }
}

/** Whether a main account is the inviter or stands above him; he and his family are one. */
function isAbove(venue: ModelVenue, mainId: number, inviterId: number): boolean {
  const above: number[] = [];
  for (let id: number | undefined = inviterId; id !== undefined; id = guestOf(venue, id)?.code.userId) above.push(id);
  return above.some((id) => (venue.user(id)?.mainId ?? id) === mainId);
}

function dayFor(venue: ModelVenue, userId: number): Day {
  const { today } = kept(venue);
  const known = today.find((day) => day.userId === userId);
  if (known !== undefined) return known;
  const made: Day = { userId, value: [], fee: [], due: [] };
  today.push(made);
  return made;
}

function add(sums: bigint[], assetId: number, units: bigint): void {
  if (units > 0n) sums[assetId] = (sums[assetId] ?? 0n) + units;
}

function guestOf(venue: ModelVenue, userId: number): Guest | undefined {
  return kept(venue).guests.find((guest) => guest.userId === userId);
}

function codeNamed(venue: ModelVenue, name: string): Code | undefined {
  return kept(venue).codes.find(({ code }) => code === name);
}

function shareOf(text: string): bigint | undefined {
  const share = unitsOf(text, 8);
  return share === undefined || share >= ONE_E8 ? undefined : share;
}

function dayOf(venue: ModelVenue): number {
  return Math.floor(venue.timeMs / DAY_MS);
}
