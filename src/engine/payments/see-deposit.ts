/** Notices of a chain about deposits: a payment seen, seen again elsewhere, or gone. Source: domain 7. */

import { type Answer, accepted, refused } from "../answer.ts";
import type { ChainSpec } from "../listing/chain-settings.ts";
import { parseDecimal } from "../money/decimal.ts";
import { RATE_ONE_E8 } from "../money/rate.ts";
import { divFloor } from "../money/rounding.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { isOfVenue, ownerOf } from "./addresses.ts";
import { termsOn } from "./chain-terms.ts";
import type { DepositGone, DepositSeen } from "./command-schemas.ts";
import { confirmDeposit, leaveDelayed } from "./confirm-deposit.ts";
import { confirmationsOf, type Deposit, keyOf, rememberDeposit, tellDeposit } from "./deposit.ts";
import { takeBack } from "./deposit-debt.ts";
import { type Address, chainBook, payments } from "./payments.ts";

const TX_CHARS_MAX = 256;
const HEIGHT_MAX = 2 ** 40;

/** Takes note of a payment. One that is known stays one deposit, wherever in the chain it stands now. */
export function seeDeposit(state: State, command: DepositSeen): Answer {
  const { chain, txId, output, toAddress, memo, height } = command;
  const asset = state.assetByCcy.get(command.ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${command.ccy} is not listed.`);
  const terms = termsOn(asset, chain);
  if (terms === undefined) return refused("chain_not_found", `${asset.ccy} does not move on a chain ${chain}.`);
  const amount = parseDecimal(command.amount, asset.scale);
  if (amount === undefined || amount <= 0n || amount > asset.maxCustody) {
    return refused("invalid_command", `amount must be a decimal above 0 with at most ${asset.scale} decimals.`);
  }
  const isPlace = txId !== "" && txId.length <= TX_CHARS_MAX && output >= 0 && height >= 0 && height <= HEIGHT_MAX;
  if (!isPlace) return refused("invalid_command", "A payment has a transaction, a place in it and a height from 0.");
  if (!isOfVenue(state, chain, toAddress)) {
    return refused("address_not_found", "The address is none that the venue has given.");
  }
  const known = payments.of(state).depositByKey.get(keyOf(command));
  if (known !== undefined) {
    const isSame = known.assetId === asset.id && known.amount === amount && known.memo === memo;
    if (!isSame) return refused("invalid_command", "The same payment was seen before with another content.");
    seeAgain(state, known, command);
    return accepted({ depositId: known.depositId });
  }
  const book = chainBook(state, chain);
  if (height > 0 && height <= book.buried) {
    return refused("deposit_buried", `All that was paid up to block ${book.buried} has been told before.`);
  }
  // What is too small and in no block yet costs nothing to send: it is not worth a place.
  const isTooSmall = amount < terms.minDeposit;
  if (isTooSmall && height === 0) return accepted({ depositId: null });

  // Nothing is refused below this line.
  const owner = ownerOf(book, toAddress, memo);
  const remark = whyException(owner, terms, command);
  const deposit: Deposit = {
    depositId: state.nextDepositId++,
    chain,
    txId,
    output,
    toAddress,
    memo,
    assetId: asset.id,
    amount,
    actualAmount: divFloor(amount * BigInt(RATE_ONE_E8 - terms.deflationE8), BigInt(RATE_ONE_E8)),
    createdAt: state.timeMs,
    userId: owner?.userId ?? 0,
    status: isTooSmall ? "too_small" : remark === "" ? "processing" : "exception",
    height,
    creditAt: 0,
    settled: false,
    assigned: false,
    remark: isTooSmall ? "" : remark,
  };
  if (owner !== undefined && !isTooSmall) owner.used = true;
  rememberDeposit(state, deposit);
  begin(state, deposit);
  return accepted({ depositId: deposit.depositId });
}

/** It is in the chain no more. What was credited is taken back. */
export function loseDeposit(state: State, command: DepositGone): Answer {
  const deposit = payments.of(state).depositByKey.get(keyOf(command));
  if (deposit === undefined) return refused("deposit_not_found", "No such payment is remembered.");
  const { head } = chainBook(state, deposit.chain);
  const { depositId, status } = deposit;
  if (status === "cancelled") return accepted({ depositId });
  leaveDelayed(state, deposit);
  if (status === "finished") takeBack(state, deposit);
  const stoodAt = deposit.height;
  deposit.height = 0;
  deposit.status = "cancelled";
  tellDeposit(state, deposit);
  // It may come back in a later block, and is forgotten when that would be buried.
  deposit.height = Math.max(stoodAt, head, 1);
  confirmDeposit(state, deposit);
  return accepted({ depositId });
}

function seeAgain(state: State, deposit: Deposit, { height, needsReview }: DepositSeen): void {
  const { status } = deposit;
  if (status === "cancelled") {
    // What an operator has given up stays given up.
    if (deposit.assigned) return;
    // Nobody can be credited with what is nobody's, also when it comes back.
    const isNobodys = deposit.userId === 0 && holds(state, "nobodysDepositWaits");
    deposit.status = needsReview === true || isNobodys ? "exception" : "processing";
    if (isNobodys) deposit.remark = NO_OWNER;
    else if (needsReview === true) deposit.remark = ONE_NODE;
    deposit.height = height;
    begin(state, deposit);
    return;
  }
  if (deposit.height === height || status === "too_small") return;
  deposit.height = height;
  const terms = termsOn(state.assets[deposit.assetId] as never, deposit.chain);
  if (confirmationsOf(state, deposit) < (terms?.safe ?? 1)) leaveDelayed(state, deposit);
  if (status === "confirming" && confirmationsOf(state, deposit) === 0) {
    deposit.status = "processing";
    tellDeposit(state, deposit);
  }
  confirmDeposit(state, deposit);
}

/** Tells of it, unless its confirmations already make something else of it. */
function begin(state: State, deposit: Deposit): void {
  if (deposit.status !== "processing" || confirmationsOf(state, deposit) === 0) tellDeposit(state, deposit);
  confirmDeposit(state, deposit);
}

/** Why nobody can be credited with it; empty when somebody can. */
function whyException(
  owner: Address | undefined,
  { settings }: ChainSpec,
  { needsReview }: Pick<DepositSeen, "needsReview">,
): string {
  if (owner === undefined) return NO_OWNER;
  if (!settings.depositEnabled) return "Deposits are closed.";
  return needsReview === true ? ONE_NODE : "";
}

const NO_OWNER = "The memo is missing, or nobody's.";
const ONE_NODE = "One node alone tells of it: look for it elsewhere before it is assigned.";
