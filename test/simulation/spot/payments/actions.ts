import type { Command } from "../../../../src/engine/command.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import type { Withdraw } from "../../../../src/engine/payments/command-schemas.ts";
import type { AdjustBalance } from "../../../../src/engine/wallet/command-schemas.ts";
import { lending } from "../margin/account.ts";
import type { ModelVenue } from "../model/venue.ts";
import { kept, type ModelDeposit } from "./model.ts";

/** As much as the user has, with as many decimals as a withdrawal may have. */
function allOf({ userId, ccy, amount }: Withdraw, model: ModelVenue): string {
  const asset = model.assets.find((each) => each.ccy === ccy);
  if (asset === undefined) return amount;
  const grid = 10n ** BigInt(Math.max(0, asset.scale - 4));
  const { available } = model.balance(userId, asset.id);
  return formatDecimal((available / grid) * grid, asset.scale);
}

/** Now and then of all that there is, and of somebody who owes a debt, to another user. */
function pickedWithdrawal(command: Withdraw, pick: number, model: ModelVenue): Withdraw {
  const [debt] = lending(model).debts;
  if (debt !== undefined && pick % 3 === 0) {
    const { userId } = debt.account;
    return { ...command, userId, method: "inter_user", chain: "", toAddress: "1" };
  }
  return pick % 2 === 0 ? { ...command, amount: allOf(command, model) } : command;
}

/** A correction that leaves nothing to somebody who was credited with a deposit that its chain may still take back. */
export function spentBy(command: AdjustBalance, pick: number, model: ModelVenue): AdjustBalance {
  const deposit = credited(model, pick);
  if (deposit === undefined) return command;
  const { userId, asset } = deposit;
  const { available } = model.balance(userId, asset.id);
  return { ...command, userId, ccy: asset.ccy, amount: `-${formatDecimal(available, asset.scale)}` };
}

function credited(model: ModelVenue, pick: number): ModelDeposit | undefined {
  const all = kept(model).deposits.filter(({ status }) => status === "finished");
  return all[pick % Math.max(1, all.length)];
}

/** A command about a deposit or a withdrawal, of one that the venue looks after then. */
export function pickedPayment(command: Command, pick: number, model: ModelVenue): Command {
  const { deposits, withdrawals } = kept(model);
  if (command.kind === "resolve_deposit") {
    const waiting = deposits.filter(({ status }) => status === "exception");
    const deposit = waiting[pick % Math.max(1, waiting.length)];
    return deposit === undefined ? command : { ...command, depositId: deposit.id };
  }
  if (command.kind === "deposit_gone") {
    const [txId, output, toAddress] = credited(model, pick)?.key.split(" ") ?? [];
    if (txId === undefined || toAddress === undefined) return command;
    return { ...command, txId, output: Number(output), toAddress };
  }
  if (command.kind === "withdraw") return pickedWithdrawal(command, pick, model);
  if (!("withdrawId" in command)) return command;
  const one = withdrawals[pick % Math.max(1, withdrawals.length)];
  if (one === undefined) return command;
  // Now and then somebody else's.
  const userId = pick % 10 === 0 ? {} : { userId: one.userId };
  return { ...command, withdrawId: one.id, ...("userId" in command ? userId : {}) } as Command;
}
