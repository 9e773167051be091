import type {
  ChangeUser,
  CreateUser,
  DeleteFeeLevel,
  SetFeeLevel,
} from "../../../../src/engine/accounts/command-schemas.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import type { AdjustBalance, Deposit } from "../../../../src/engine/wallet/command-schemas.ts";
import { phase } from "../maintenance/windows.ts";
import { ONE_E8, unitsOf } from "../model/numbers.ts";
import type { ModelMarket, ModelUser } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { bring, invite, refuseInvitation } from "../referral/rebates.ts";

const FUNDABLE = ["sys:ins_futures", "sys:ins_margin", "sys:lend_pool", "sys:interest", "sys:credit_pool"];

/** Domain 6.3. */
export function createUser(venue: ModelVenue, { name, mainUserId, referredBy }: CreateUser): Refusal | undefined {
  if (name.length < 1 || name.length > 64) return "invalid_command";
  if (venue.users.some((user) => user.name === name)) return "name_taken";
  const main = mainUserId === undefined ? undefined : venue.user(mainUserId);
  if (mainUserId !== undefined && (main === undefined || main.mainId !== undefined)) return "user_not_found";
  const uninvited = referredBy === undefined ? undefined : refuseInvitation(venue, mainUserId, referredBy);
  if (uninvited !== undefined) return uninvited;
  const userId = venue.enterUser(name, mainUserId);
  if (referredBy !== undefined) invite(venue, userId, referredBy);
  return undefined;
}

export function changeUser(venue: ModelVenue, command: ChangeUser): Refusal | undefined {
  const user = venue.user(command.userId);
  if (user === undefined) return "user_not_found";
  if (command.byUser) {
    if (venue.isFrozen(command.userId)) return "account_frozen";
    const now = phase(venue, ["ALL_SITE"]);
    if (now !== "open") return now === "maintenance" ? "maintenance" : "protection_period";
  }
  const makerRate = ownRate(command.makerFeeRate, user.makerRate);
  const takerRate = ownRate(command.takerFeeRate, user.takerRate);
  if (makerRate === "bad" || takerRate === "bad") return "invalid_command";
  if (typeof command.feeLevel === "string" && !venue.levels.has(command.feeLevel)) return "fee_level_not_found";
  if (command.feeLevel !== undefined) user.level = command.feeLevel ?? undefined;
  user.makerRate = makerRate;
  user.takerRate = takerRate;
  user.frozen = command.frozen ?? user.frozen;
  user.barred = command.tradeBarred ?? user.barred;
  user.deducts = command.feeDeduction ?? user.deducts;
  return undefined;
}

function ownRate(text: string | null | undefined, current: bigint | undefined): bigint | undefined | "bad" {
  if (text === undefined) return current;
  if (text === null) return undefined;
  const rate = unitsOf(text, 8);
  return rate === undefined || rate >= ONE_E8 ? "bad" : rate;
}

export function setFeeLevel(venue: ModelVenue, command: SetFeeLevel): Refusal | undefined {
  const maker = ownRate(command.makerFeeRate, undefined);
  const taker = ownRate(command.takerFeeRate, undefined);
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(command.level)) return "invalid_command";
  if (typeof maker !== "bigint" || typeof taker !== "bigint") return "invalid_command";
  if (!venue.levels.has(command.level) && venue.levels.size >= 100) return "invalid_command";
  venue.levels.set(command.level, { maker, taker });
  return undefined;
}

export function deleteFeeLevel(venue: ModelVenue, { level }: DeleteFeeLevel): Refusal | undefined {
  if (!venue.levels.has(level)) return "fee_level_not_found";
  if (venue.users.some((user) => user.level === level)) return "invalid_command";
  venue.levels.delete(level);
  return undefined;
}

/** The rates of a new order of `user` in `market`. */
export function ratesOf(
  venue: ModelVenue,
  user: Pick<ModelUser, "level" | "makerRate" | "takerRate">,
  market: ModelMarket,
): { maker: bigint; taker: bigint } {
  // A market with a pool has one rate for everybody.
  if (market.pool !== undefined) return { maker: market.makerRate, taker: market.takerRate };
  const level = venue.levels.get(user.level ?? "");
  return {
    maker: user.makerRate ?? level?.maker ?? market.makerRate,
    taker: user.takerRate ?? level?.taker ?? market.takerRate,
  };
}

/** Domain 7. */
export function deposit(venue: ModelVenue, { userId, cell, ccy, amount }: Deposit): Refusal | undefined {
  const asset = venue.assets.find((candidate) => candidate.ccy === ccy);
  if (asset === undefined) return "asset_not_found";
  const units = unitsOf(amount, asset.scale);
  if (units === undefined || units === 0n) return "invalid_command";
  if ((userId === undefined) === (cell === undefined)) return "invalid_command";
  if (userId !== undefined && venue.user(userId) === undefined) return "user_not_found";
  if (cell !== undefined && !FUNDABLE.includes(cell)) return "cell_not_found";
  const custody = (venue.custody[asset.id] ?? 0n) + units;
  if (custody > asset.custodyMax) return "custody_limit";
  venue.custody[asset.id] = custody;
  venue.outcome.madeId = venue.nextDepositId++;
  if (userId !== undefined) {
    venue.balance(userId, asset.id).available += units;
    bring(venue, userId, asset, units);
  }
  if (cell !== undefined) {
    const held = venue.funded.get(cell) ?? [];
    held[asset.id] = (held[asset.id] ?? 0n) + units;
    venue.funded.set(cell, held);
  }
  return undefined;
}

/** Domain 7: corrects what a user has available, against the outside world or a cell of the venue. */
export function adjust(venue: ModelVenue, command: AdjustBalance): Refusal | undefined {
  const { userId, cell, ccy, amount, note } = command;
  const asset = venue.assets.find((candidate) => candidate.ccy === ccy);
  if (asset === undefined) return "asset_not_found";
  const size = unitsOf(amount.replace(/^-/, ""), asset.scale);
  if (size === undefined || size === 0n || note === "") return "invalid_command";
  const units = amount.startsWith("-") ? -size : size;
  if (venue.user(userId) === undefined) return "user_not_found";
  const held = cell === "sys:fee" ? venue.fees : (venue.funded.get(cell ?? "") ?? []);
  if (cell !== undefined && cell !== "sys:fee" && !FUNDABLE.includes(cell)) return "cell_not_found";
  const balance = venue.balance(userId, asset.id);
  if (balance.available + units < 0n) return "insufficient_balance";
  if (cell === undefined) {
    const custody = (venue.custody[asset.id] ?? 0n) + units;
    // Where a chain took deposits back that were spent, users have more than the venue holds.
    if (custody < 0n) return "insufficient_balance";
    if (custody > asset.custodyMax) return "custody_limit";
    venue.custody[asset.id] = custody;
  } else {
    const left = (held[asset.id] ?? 0n) - units;
    if (left < 0n) return "insufficient_balance";
    held[asset.id] = left;
    if (cell !== "sys:fee") venue.funded.set(cell, held);
  }
  balance.available += units;
  return undefined;
}
