import { type Answer, accepted, refused } from "../answer.ts";
import { hooks } from "../hooks.ts";
import { CELL, fundableCell, fundableNames } from "../ledger/cell.ts";
import { POSTING } from "../ledger/posting.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { countAgainstLimit, refuseBeyondLimit } from "../operators/limits.ts";
import { answeredBefore, contentOf, plainAmount, remember } from "../operators/references.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { Deposit } from "./command-schemas.ts";

/** Credits an amount from the outside world to a user or to one of the venue's own cells. Check L2 bounds custody. */
export function deposit(state: State, command: Deposit): Answer {
  const { ledger } = state;
  const { userId, cell: cellName, ccy } = command;
  const content = contentOf(userId, cellName, ccy, plainAmount(command.amount));
  const referring = { kind: "deposit", reference: command.reference, content };
  const before = answeredBefore(state, referring);
  if (before !== undefined) return before;
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  const amount = parseDecimal(command.amount, asset.scale);
  if (amount === undefined || amount <= 0n) {
    return refused("invalid_command", `amount must be a decimal above 0 with at most ${asset.scale} decimals.`);
  }
  if ((userId === undefined) === (cellName === undefined)) {
    return refused("invalid_command", "Name either a user_id or a cell to credit.");
  }
  if (userId !== undefined && !state.users.has(userId))
    return refused("user_not_found", "There is no user with that id.");
  const kind = cellName === undefined ? CELL.spot : fundableCell(cellName, state);
  if (kind === undefined) {
    return refused("cell_not_found", `A cell that can be funded is one of ${fundableNames(state).join(", ")}.`);
  }
  const beyond = refuseBeyondLimit(state, command.actor, asset, amount);
  if (beyond !== undefined) return beyond;
  if (amount + ledger.custody(asset.id) > asset.maxCustody) {
    return refused("custody_limit", `The venue holds at most ${formatDecimal(asset.maxCustody, asset.scale)} ${ccy}.`);
  }

  // Nothing is refused below this line.
  const outside = ledger.venueCell(CELL.outside, asset.id);
  const depositId = state.nextDepositId++;
  const to = userId === undefined ? ledger.venueCell(kind, asset.id) : ledger.spotCell(userId, asset.id);
  ledger.post(state.events, outside, -amount, 0n, POSTING.deposit, depositId);
  ledger.post(state.events, to, amount, 0n, POSTING.deposit, depositId);
  emitRareEvent(state, {
    type: "deposited",
    depositId,
    userId: userId ?? null,
    cell: cellName ?? null,
    ccy,
    amount: formatDecimal(amount, asset.scale),
    note: command.note,
  });
  countAgainstLimit(state, command.actor, ccy, amount);
  if (userId !== undefined) for (const part of hooks()) part.onDeposit?.(state, userId, asset, amount);
  remember(state, referring, { depositId });
  return accepted({ depositId });
}
