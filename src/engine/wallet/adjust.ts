import { type Answer, accepted, refused } from "../answer.ts";
import { adjustingCell, adjustingNames, CELL, cellKey, VENUE } from "../ledger/cell.ts";
import { POSTING } from "../ledger/posting.ts";
import { formatDecimal, parseSignedDecimal } from "../money/decimal.ts";
import { countAgainstLimit, refuseBeyondLimit } from "../operators/limits.ts";
import { answeredBefore, contentOf, plainAmount, remember } from "../operators/references.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import type { AdjustBalance } from "./command-schemas.ts";

/**
 * Corrects what a user has available. The other side is the outside world, as if a deposit had been booked wrong, or a
 * cell of the venue that pays or takes it. Neither side may give what it does not have, and custody stays within check
 * L2.
 */
export function adjust(state: State, command: AdjustBalance): Answer {
  const { ledger } = state;
  const { userId, ccy, cell: cellName, note } = command;
  const content = contentOf(userId, cellName, ccy, plainAmount(command.amount));
  const referring = { kind: "adjust_balance", reference: command.reference, content };
  const before = answeredBefore(state, referring);
  if (before !== undefined) return before;
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  const amount = parseSignedDecimal(command.amount, asset.scale);
  if (amount === undefined || amount === 0n) {
    return refused("invalid_command", `amount must be a decimal other than 0 with at most ${asset.scale} decimals.`);
  }
  if (note === "") return refused("invalid_command", "note must say why.");
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  const kind = cellName === undefined ? CELL.outside : adjustingCell(cellName, state);
  if (kind === undefined) {
    return refused("cell_not_found", `A cell that can adjust is one of ${adjustingNames(state).join(", ")}.`);
  }
  const beyond = refuseBeyondLimit(state, command.actor, asset, amount);
  if (beyond !== undefined) return beyond;
  const held = (cell: number) => (cell < 0 ? 0n : ledger.available(cell));
  const has = held(ledger.findSpotCell(userId, asset.id));
  if (has + amount < 0n) {
    const text = formatDecimal(has, asset.scale);
    return refused("insufficient_balance", `The user has ${text} ${ccy} available; what orders freeze is not touched.`);
  }
  if (kind === CELL.outside) {
    // Debts stand for what is gone: what users have may be more than what the venue holds.
    if (holds(state, "adjustWithinCustody") && -amount > ledger.custody(asset.id)) {
      return refused("insufficient_balance", `The venue holds less ${ccy} than that.`);
    }
    if (amount + ledger.custody(asset.id) > asset.maxCustody) {
      const text = formatDecimal(asset.maxCustody, asset.scale);
      return refused("custody_limit", `The venue holds at most ${text} ${ccy}.`);
    }
  } else {
    const gives = held(ledger.find(cellKey(kind, VENUE, asset.id)));
    if (gives < amount) {
      const text = formatDecimal(gives, asset.scale);
      return refused("insufficient_balance", `The cell ${cellName} holds ${text} ${ccy}.`);
    }
  }

  // Nothing is refused below this line.
  const adjustmentId = state.nextAdjustmentId++;
  const other = ledger.venueCell(kind, asset.id);
  const user = ledger.spotCell(userId, asset.id);
  ledger.post(state.events, other, -amount, 0n, POSTING.adjust, adjustmentId);
  ledger.post(state.events, user, amount, 0n, POSTING.adjust, adjustmentId);
  emitRareEvent(state, {
    type: "adjusted",
    adjustmentId,
    userId,
    cell: cellName ?? null,
    ccy,
    amount: formatDecimal(amount, asset.scale),
    note,
  });
  countAgainstLimit(state, command.actor, ccy, amount);
  remember(state, referring, { adjustmentId });
  return accepted({ adjustmentId });
}
