/** Sub-accounts once more, from domain 6.3. */

import type { Refusal } from "../../../../src/engine/refusal.ts";
import type {
  ChangeSubAccount,
  ChangeSubApiKey,
  CreateSubAccount,
  CreateSubApiKey,
  DeleteSubApiKey,
  FreezeSubAccount,
  SubTransfer,
} from "../../../../src/engine/subs/command-schemas.ts";
import { phase } from "../maintenance/windows.ts";
import { owesMargin } from "../margin/loans.ts";
import { unitsOf } from "../model/numbers.ts";
import type { ModelVenue } from "../model/venue.ts";
import { keptBy } from "../part.ts";
import { owes, refuseOutflow, reversibleOf } from "../payments/model.ts";

const PERMISSIONS = ["FUTURES", "MARGIN", "AMM", "API"];
const DAYS_90 = 7_776_000_000;

export interface ModelKey {
  readonly apiId: number;
  readonly userId: number;
  readonly accessId: string;
  trades: boolean;
  addresses: readonly string[];
  expiredAt: number;
  remark: string;
}

export const family = keptBy(() => ({
  /** By sub-account; one that is not there has them all. */
  permissions: new Map<number, string[]>(),
  keys: new Map<number, ModelKey>(),
  nextApiId: 1,
}));

export function permissionsOf(venue: ModelVenue, userId: number): readonly string[] {
  return family(venue).permissions.get(userId) ?? PERMISSIONS;
}

function refuseStranger(venue: ModelVenue, userId: number, subUserId?: number): Refusal | undefined {
  const user = venue.user(userId);
  if (user === undefined) return "user_not_found";
  if (user.mainId !== undefined) return "not_a_main_account";
  if (subUserId === undefined) return undefined;
  return venue.user(subUserId)?.mainId === userId ? undefined : "sub_account_not_found";
}

function refuseInMaintenance(venue: ModelVenue): Refusal | undefined {
  const now = phase(venue, ["ALL_SITE"]);
  return now === "open" ? undefined : now === "maintenance" ? "maintenance" : "protection_period";
}

/** In the order of the list, each once; undefined where another word is among them. */
function granted(words: readonly string[]): string[] | undefined {
  if (words.some((word) => !PERMISSIONS.includes(word))) return undefined;
  return PERMISSIONS.filter((permission) => words.includes(permission));
}

export function createSub(venue: ModelVenue, { userId, name, permissions, remark }: CreateSubAccount) {
  const refusal = refuseStranger(venue, userId) ?? refuseInMaintenance(venue);
  if (refusal !== undefined) return refusal;
  if (!/^[A-Za-z0-9-]{3,26}$/.test(name) || /^\d+$/.test(name)) return "invalid_command";
  const may = granted(permissions);
  if (may === undefined || (remark ?? "").length > 50) return "invalid_command";
  if (venue.users.some((user) => user.name === name)) return "name_taken";
  if (venue.users.filter(({ mainId }) => mainId === userId).length >= 20) return "too_many_sub_accounts";
  const id = venue.enterUser(name, userId);
  family(venue).permissions.set(id, may);
  return undefined;
}

export function freezeSub(venue: ModelVenue, { userId, subUserId, frozen }: FreezeSubAccount): Refusal | undefined {
  const refusal = refuseStranger(venue, userId, subUserId) ?? refuseInMaintenance(venue);
  if (refusal !== undefined) return refusal;
  const sub = venue.user(subUserId);
  if (sub === undefined) return "sub_account_not_found";
  if (!frozen && sub.frozen) return "sub_account_frozen_by_operator";
  sub.frozenByMain = frozen;
  return undefined;
}

export function changeSub(venue: ModelVenue, { subUserId, permissions, frozen }: ChangeSubAccount) {
  const sub = venue.user(subUserId);
  if (sub?.mainId === undefined) return "sub_account_not_found";
  const may = granted(permissions ?? permissionsOf(venue, subUserId));
  if (may === undefined) return "invalid_command";
  family(venue).permissions.set(subUserId, may);
  sub.frozen = frozen ?? sub.frozen;
  return undefined;
}

export function createKey(venue: ModelVenue, command: CreateSubApiKey): Refusal | undefined {
  const { userId, subUserId, accessId, ipWhitelist: addresses, tradeEnabled: trades, remark = "" } = command;
  const kept = family(venue);
  const refusal = refuseStranger(venue, userId, subUserId) ?? refuseInMaintenance(venue);
  if (refusal !== undefined) return refusal;
  if (!permissionsOf(venue, subUserId).includes("API")) return "sub_api_not_granted";
  const keys = [...kept.keys.values()];
  if (accessId === "") return "invalid_command";
  if (keys.some((key) => key.accessId === accessId)) return "name_taken";
  if (remark.length > 50) return "invalid_command";
  if (keys.filter((key) => key.userId === subUserId).length >= 50) return "too_many_api_keys";
  const apiId = kept.nextApiId++;
  const expiredAt = addresses.length === 0 ? venue.timeMs + DAYS_90 : 0;
  kept.keys.set(apiId, { apiId, userId: subUserId, accessId, trades, addresses, expiredAt, remark });
  venue.outcome.madeId = apiId;
  return undefined;
}

function keyFor(venue: ModelVenue, { userId, subUserId, apiId }: Omit<DeleteSubApiKey, "kind">): ModelKey | Refusal {
  const refusal = refuseStranger(venue, userId, subUserId);
  if (refusal !== undefined) return refusal;
  const key = family(venue).keys.get(apiId);
  if (key === undefined || venue.user(key.userId)?.mainId !== userId) return "key_not_found";
  return subUserId === undefined || key.userId === subUserId ? key : "key_not_found";
}

export function changeKey(venue: ModelVenue, command: ChangeSubApiKey): Refusal | undefined {
  const key = keyFor(venue, command);
  if (typeof key === "string") return key;
  const { ipWhitelist, tradeEnabled, remark } = command;
  const refusal = refuseInMaintenance(venue);
  if (refusal !== undefined) return refusal;
  if (remark !== undefined && remark.length > 50) return "invalid_command";
  if (ipWhitelist !== undefined) {
    key.addresses = ipWhitelist;
    key.expiredAt = ipWhitelist.length === 0 ? venue.timeMs + DAYS_90 : 0;
  }
  key.trades = tradeEnabled ?? key.trades;
  key.remark = remark ?? key.remark;
  return undefined;
}

export function deleteKey(venue: ModelVenue, command: DeleteSubApiKey): Refusal | undefined {
  const key = keyFor(venue, command);
  if (typeof key === "string") return key;
  const refusal = refuseInMaintenance(venue);
  if (refusal === undefined) family(venue).keys.delete(key.apiId);
  return refusal;
}

/** No market of this world settles futures: nothing comes into those accounts, and nothing out. */
export function moveMoney(venue: ModelVenue, command: SubTransfer): Refusal | undefined {
  const { userId, fromUserId, toUserId, from, to, ccy, amount } = command;
  const refusal = refuseStranger(venue, userId);
  if (refusal !== undefined) return refusal;
  const asset = venue.assets.find((candidate) => candidate.ccy === ccy);
  if (asset === undefined) return "asset_not_found";
  for (const id of [fromUserId, toUserId]) {
    if (id !== userId && venue.user(id)?.mainId !== userId) return "sub_account_not_found";
  }
  const kinds = ["SPOT", "FUTURES"];
  if (!kinds.includes(from) || !kinds.includes(to) || fromUserId === toUserId) return "transfer_not_possible";
  const isOfMain = fromUserId === userId || toUserId === userId;
  if (!isOfMain && (from === "FUTURES" || to === "FUTURES")) return "transfer_not_possible";
  const units = unitsOf(amount, asset.scale);
  if (units === undefined || units === 0n) return "invalid_command";
  const now = phase(venue, ["SPOT", "FUTURES", "ALL_SITE"]);
  if (now !== "open") return now === "maintenance" ? "maintenance" : "protection_period";
  if (venue.cancelOnly) return "venue_cancel_only";
  if (to === "FUTURES") return "transfer_not_possible";
  if (owes(venue, fromUserId) || owesMargin(venue, fromUserId)) return "withdraw_barred";
  const giver = venue.balance(fromUserId, asset.id);
  // What a chain could still take back from a sub-account stays with it.
  const free = giver.available - (fromUserId === userId ? 0n : reversibleOf(venue, fromUserId, asset));
  if (from === "FUTURES" || free < units) return "insufficient_balance";
  const borrowed = refuseOutflow(venue, fromUserId, [[asset, units]]);
  if (borrowed !== undefined) return borrowed;
  giver.available -= units;
  venue.balance(toUserId, asset.id).available += units;
  return undefined;
}
