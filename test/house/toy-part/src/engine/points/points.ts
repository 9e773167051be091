/**
 * Points: an operator grants them, they earn points over every midnight, users move them to each other and redeem them
 * for money.
 */
import { type Answer, accepted, refused } from "../answer.ts";
import type { Due } from "../due.ts";
import { emitRareEvent } from "../rare-event.ts";
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";
import { POINTS_CELL, POINTS_POSTING, POINTS_RANK } from "./codes.ts";
import type { GrantPoints, MovePoints, RedeemPoints } from "./command-schemas.ts";

/** Nobody has more, so that sums stay exact. */
export const POINTS_MAX = 1_000_000_000;
const DAY_MS = 86_400_000;
const EARNS_PERCENT = 1;

export interface Points {
  /** By user id; who has none is not in it. */
  readonly of: Map<number, number>;
  /** All that was granted and earned, less what was redeemed. */
  issued: number;
  /** ms of the next midnight; 0 before the first grant. */
  earnsAt: number;
}

export const points = new Slot<Points>(() => ({ of: new Map(), issued: 0, earnsAt: 0 }));

export function pointsOf(state: State, userId: number): number {
  return points.of(state).of.get(userId) ?? 0;
}

export function grantPoints(state: State, { userId, points: given, note }: GrantPoints): Answer {
  const refusal = refuseAmount(state, given) ?? refuseReceiver(state, userId, given);
  if (refusal !== undefined) return refusal;
  const own = points.of(state);
  if (own.earnsAt === 0) own.earnsAt = (Math.floor(state.timeMs / DAY_MS) + 1) * DAY_MS;
  own.issued += given;
  add(own, userId, given);
  emitRareEvent(state, { type: "points_granted", userId, points: given, note });
  return accepted({ points: pointsOf(state, userId) });
}

export function movePoints(state: State, { userId, toUserId, points: moved }: MovePoints): Answer {
  const refusal =
    refuseAmount(state, moved) ?? refuseSender(state, userId, moved) ?? refuseReceiver(state, toUserId, moved);
  if (refusal !== undefined) return refusal;
  if (userId === toUserId) return refused("invalid_command", "Points are moved to somebody else.");
  const own = points.of(state);
  add(own, userId, -moved);
  add(own, toUserId, moved);
  emitRareEvent(state, { type: "points_moved", userId, toUserId, points: moved });
  return accepted({ points: pointsOf(state, userId) });
}

export function redeemPoints(state: State, { userId, ccy, points: redeemed }: RedeemPoints): Answer {
  const { ledger } = state;
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  const refusal = refuseAmount(state, redeemed) ?? refuseSender(state, userId, redeemed);
  if (refusal !== undefined) return refusal;
  const units = BigInt(redeemed);
  if (ledger.heldByVenue(POINTS_CELL.points_fund, asset.id) < units) {
    return refused("insufficient_balance", `The fund has not so much ${ccy}.`);
  }

  // Nothing is refused below this line.
  const own = points.of(state);
  own.issued -= redeemed;
  add(own, userId, -redeemed);
  const fund = ledger.venueCell(POINTS_CELL.points_fund, asset.id);
  ledger.post(state.events, fund, -units, 0n, POINTS_POSTING.redeem, userId);
  ledger.post(state.events, ledger.spotCell(userId, asset.id), units, 0n, POINTS_POSTING.redeem, userId);
  emitRareEvent(state, { type: "points_redeemed", userId, ccy, points: redeemed });
  return accepted({ points: pointsOf(state, userId) });
}

/** The next midnight, at which everybody earns. */
export function pointsDue(state: State): Due[] {
  const { earnsAt } = points.of(state);
  return earnsAt === 0 ? [] : [{ atMs: earnsAt, rank: POINTS_RANK.points, id: -1, run: () => earn(state) }];
}

function earn(state: State): void {
  const own = points.of(state);
  own.earnsAt += DAY_MS;
  for (const [userId, held] of [...own.of].sort(([one], [other]) => one - other)) {
    const earned = Math.min(Math.floor((held * EARNS_PERCENT) / 100), POINTS_MAX - held);
    if (earned === 0) continue;
    own.issued += earned;
    add(own, userId, earned);
    emitRareEvent(state, { type: "points_earned", userId, points: earned });
  }
}

function add({ of }: Points, userId: number, more: number): void {
  const held = (of.get(userId) ?? 0) + more;
  if (held === 0) of.delete(userId);
  else of.set(userId, held);
}

function refuseAmount(state: State, amount: number): Answer | undefined {
  if (state.cancelOnly) return refused("venue_cancel_only", "The venue takes cancels only at present.");
  return amount > 0 ? undefined : refused("invalid_command", "points must be above 0.");
}

function refuseSender(state: State, userId: number, amount: number): Answer | undefined {
  return pointsOf(state, userId) >= amount ? undefined : refused("not_enough_points", "The user has fewer points.");
}

function refuseReceiver(state: State, userId: number, amount: number): Answer | undefined {
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  const isTooMuch = pointsOf(state, userId) + amount > POINTS_MAX;
  return isTooMuch ? refused("too_many_points", `A user has at most ${POINTS_MAX} points.`) : undefined;
}
