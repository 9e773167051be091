/** Where the keys of a user may withdraw to: operators keep the list. Source: domain 7. */
import { type Answer, accepted, refused } from "../answer.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { ADDRESS_CHARS_MAX, MEMO_CHARS_MAX } from "./addresses.ts";
import { isChain } from "./chain-terms.ts";
import type { AllowWithdrawAddress, ForbidWithdrawAddress } from "./command-schemas.ts";
import { payments } from "./payments.ts";

const ALLOWED_PER_USER_MAX = 1_000;
const REMARK_CHARS_MAX = 256;

export interface AllowedAddress {
  readonly addressId: number;
  readonly userId: number;
  /** Empty: another user of the venue, by id. */
  readonly chain: string;
  readonly address: string;
  /** Empty: with any memo. */
  readonly memo: string;
  readonly remark: string;
  readonly createdAt: number;
}

/** Enters an address. One that is on the list already answers its id. */
export function allowAddress(state: State, command: AllowWithdrawAddress): Answer {
  const { userId, chain, memo, remark } = command;
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  if (chain !== "" && !isChain(state, chain)) {
    return refused("chain_not_found", `No asset moves on a chain ${chain}.`);
  }
  const other = chain === "" ? userNamed(state, command.address) : undefined;
  if (chain === "" && other === undefined) return refused("user_not_found", "There is no user of that id or name.");
  const address = other === undefined ? command.address : String(other);
  const isSound = address !== "" && address.length <= ADDRESS_CHARS_MAX && memo.length <= MEMO_CHARS_MAX;
  if (!isSound || remark.length > REMARK_CHARS_MAX) {
    return refused("invalid_command", `An address has 1 to ${ADDRESS_CHARS_MAX} characters.`);
  }
  const own = payments.of(state).allowedOf.get(userId) ?? [];
  const known = own.find((one) => one.chain === chain && one.address === address && one.memo === memo);
  if (known !== undefined) return accepted({ addressId: known.addressId });
  if (own.length >= ALLOWED_PER_USER_MAX) {
    return refused("invalid_command", `A user has at most ${ALLOWED_PER_USER_MAX} addresses to withdraw to.`);
  }
  const addressId = payments.of(state).nextAddressId++;
  enterAllowed(state, { addressId, userId, chain, address, memo, remark, createdAt: state.timeMs });
  emitRareEvent(state, { type: "withdraw_address_allowed", addressId, userId, chain, address, memo });
  return accepted({ addressId });
}

export function forbidAddress(state: State, { addressId }: ForbidWithdrawAddress): Answer {
  const { allowed, allowedOf } = payments.of(state);
  const one = allowed.get(addressId);
  if (one === undefined) return refused("address_not_found", "There is no such address to withdraw to.");
  allowed.delete(addressId);
  const left = (allowedOf.get(one.userId) ?? []).filter((other) => other !== one);
  if (left.length === 0) allowedOf.delete(one.userId);
  else allowedOf.set(one.userId, left);
  emitRareEvent(state, { type: "withdraw_address_forbidden", addressId, userId: one.userId });
  return accepted({ addressId });
}

export function enterAllowed(state: State, one: AllowedAddress): void {
  const { allowed, allowedOf } = payments.of(state);
  allowed.set(one.addressId, one);
  const own = allowedOf.get(one.userId);
  if (own === undefined) allowedOf.set(one.userId, [one]);
  else own.push(one);
}

/** Whether a user's keys may withdraw there. */
export function isAllowed(state: State, userId: number, chain: string, address: string, memo: string): boolean {
  const own = payments.of(state).allowedOf.get(userId) ?? [];
  return own.some((one) => one.chain === chain && one.address === address && (one.memo === "" || one.memo === memo));
}

/** A user by id or by name; names are never of digits only. */
export function userNamed({ users }: State, text: string): number | undefined {
  if (/^[1-9]\d{0,9}$/.test(text)) return users.has(Number(text)) ? Number(text) : undefined;
  return users.byName.get(text);
}
