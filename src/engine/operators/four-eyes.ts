/** Amounts above which money moves only with the consent of a second person. Source: domain 7.3. */
import { type Answer, accepted, refused } from "../answer.ts";
import type { Asset } from "../listing/asset.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { isInForce, settleAuthority } from "./authority.ts";
import type { SetFourEyes } from "./command-schemas.ts";
import type { Bounds } from "./operators.ts";
import { plainAmount } from "./references.ts";

/** Decimals of a bound: those of any asset, so that a currency need not be listed yet. */
export const BOUND_SCALE = 30;
/** A day's bound unless it is given: this many times that of a command. */
const DAY_CALLS = 5n;
const DAY_MS = 86_400_000;

/** Money that a command moves. */
export interface Move {
  readonly asset: Asset;
  /** Never negative: what is taken away counts like what is given. */
  readonly units: bigint;
  /** User id or cell. */
  readonly recipient: string;
}

export function setFourEyes(state: State, { bounds }: SetFourEyes): Answer {
  const byCcy = new Map<string, Bounds>();
  for (const { ccy, call: callText, day: dayText, recipient: recipientText } of bounds) {
    const call = parseDecimal(callText, BOUND_SCALE);
    const day = dayText === undefined ? call && call * DAY_CALLS : parseDecimal(dayText, BOUND_SCALE);
    const recipient = recipientText === undefined ? call : parseDecimal(recipientText, BOUND_SCALE);
    if (ccy === "" || byCcy.has(ccy) || call === undefined || day === undefined || recipient === undefined) {
      return refused("invalid_command", "A bound names a currency once, and its amounts are decimals.");
    }
    byCcy.set(ccy, { call, day, recipient });
  }

  // Nothing is refused below this line.
  const wasInForce = isInForce(state);
  state.operators.bounds = byCcy;
  settleAuthority(state, wasInForce);
  return accepted({});
}

/** Whether a move is above a bound, together with what moved today without a second person. */
export function isAboveBounds(state: State, { asset, units, recipient }: Move): boolean {
  const { operators, timeMs } = state;
  const bounds = operators.bounds.get(asset.ccy);
  if (bounds === undefined) return false;
  const day = dayOf(timeMs);
  const { moved } = operators;
  const before = moved.to(ownerOf(state, recipient), asset.ccy, day);
  if (before === undefined) return true;
  const beyond = (sum: bigint, bound: bigint) => sum * 10n ** BigInt(BOUND_SCALE - asset.scale) > bound;
  return (
    beyond(units, bounds.call) ||
    beyond(units + before, bounds.recipient) ||
    beyond(units + moved.of(asset.ccy, day), bounds.day)
  );
}

/** To be called when it moved without a second person. */
export function countMove(state: State, { asset, units, recipient }: Move): void {
  const { operators, timeMs } = state;
  if (operators.bounds.has(asset.ccy)) {
    operators.moved.count(ownerOf(state, recipient), asset.ccy, dayOf(timeMs), units);
  }
}

/**
 * Returns the recipient that a move counts for: of a sub-account its main account, which makes twenty of them by
 * itself.
 */
function ownerOf(state: State, recipient: string): string {
  const userId = Number(recipient);
  return holds(state, "familyCounts") && state.users.has(userId) ? String(state.users.mainOf(userId)) : recipient;
}

/** A bound as a decimal. */
export function boundText(bound: bigint): string {
  return plainAmount(formatDecimal(bound, BOUND_SCALE));
}

/** Returns the amounts that one command moves at most without a second person, by currency, as decimals. */
export function callBounds({ operators }: State): Map<string, string> {
  return new Map(Array.from(operators.bounds, ([ccy, { call }]) => [ccy, boundText(call)]));
}

function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}
