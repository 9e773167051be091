/**
 * Withdrawals over chains stand still: because custody is short of what the ledger says, or because an operator wants
 * it. Nothing new is asked for, begun or signed until an operator resumes; what is signed already may be carried out at
 * any time. Source: domain 7.4.
 */
import { type Answer, accepted, refused } from "../answer.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";
import type { HaltWithdrawals, NoteShortfalls, ResumeWithdrawals } from "./command-schemas.ts";

export interface Halt {
  readonly sinceMs: number;
  readonly reason: string;
}

export interface Halts {
  /** Undefined: withdrawals go on. */
  halt: Halt | undefined;
  /** Units by currency that reconciliation found missing last. */
  missing: Map<string, bigint>;
  /** Of these, what an operator knew of when he resumed withdrawals. */
  tolerated: Map<string, bigint>;
}

export const withdrawalHalts = new Slot<Halts>(() => ({
  halt: undefined,
  missing: new Map(),
  tolerated: new Map(),
}));

const REASON_CHARS_MAX = 512;

/** Why withdrawals over chains stand still; undefined when they do not. */
export function haltOf(state: State): Halt | undefined {
  return withdrawalHalts.of(state).halt;
}

export function refuseHalted(state: State): Answer | undefined {
  if (haltOf(state) === undefined) return undefined;
  return refused("withdrawals_halted", "Withdrawals over chains are halted until an operator resumes them.");
}

/**
 * Takes over what reconciliation found. A currency that lacks more than an operator has tolerated halts withdrawals of
 * all currencies.
 */
export function noteShortfalls(state: State, { shortfalls }: NoteShortfalls): Answer {
  const missing = new Map<string, bigint>();
  for (const { ccy, missing: text } of shortfalls) {
    const asset = state.assetByCcy.get(ccy);
    if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
    const units = parseDecimal(text, asset.scale);
    if (units === undefined || units <= 0n || missing.has(ccy)) {
      return refused("invalid_command", `${ccy} is missing once, with a decimal above 0.`);
    }
    missing.set(ccy, units);
  }

  // Nothing is refused below this line.
  const halts = withdrawalHalts.of(state);
  halts.missing = missing;
  // What has been found again is not tolerated a second time.
  for (const [ccy, units] of halts.tolerated) {
    const left = missing.get(ccy) ?? 0n;
    if (left === 0n) halts.tolerated.delete(ccy);
    else if (left < units) halts.tolerated.set(ccy, left);
  }
  const beyond = [...missing].filter(([ccy, units]) => units > (halts.tolerated.get(ccy) ?? 0n));
  if (beyond.length > 0 && halts.halt === undefined) {
    const list = beyond.map(([ccy, units]) => `${formatDecimal(units, state.assetByCcy.get(ccy)?.scale ?? 0)} ${ccy}`);
    halt(state, `The ledger has ${list.join(", ")} more than all that holds it.`.slice(0, REASON_CHARS_MAX));
  }
  return accepted({ halted: halts.halt !== undefined });
}

export function haltWithdrawals(state: State, { reason }: HaltWithdrawals): Answer {
  const wrong = refuseText(reason, "reason");
  if (wrong !== undefined) return wrong;
  if (haltOf(state) !== undefined) return refused("withdrawals_halted", "Withdrawals are halted already.");
  halt(state, reason);
  return accepted({});
}

/** Resumes withdrawals. What is missing now is known; they are halted again when more is. */
export function resumeWithdrawals(state: State, { note }: ResumeWithdrawals): Answer {
  const wrong = refuseText(note, "note");
  if (wrong !== undefined) return wrong;
  const halts = withdrawalHalts.of(state);
  if (halts.halt === undefined) return refused("withdrawals_not_halted", "Withdrawals are not halted.");

  // Nothing is refused below this line.
  halts.halt = undefined;
  halts.tolerated = new Map(halts.missing);
  emitRareEvent(state, { type: "withdrawals_resumed", note });
  return accepted({});
}

function halt(state: State, reason: string): void {
  withdrawalHalts.of(state).halt = { sinceMs: state.timeMs, reason };
  emitRareEvent(state, { type: "withdrawals_halted", reason });
}

function refuseText(words: string, field: string): Answer | undefined {
  if (words !== "" && words.length <= REASON_CHARS_MAX) return undefined;
  return refused("invalid_command", `${field} must say why, in at most ${REASON_CHARS_MAX} characters.`);
}
