/** Addresses of users: who has which, and who is paid by what comes to one. Source: domain 7. */
import { type Answer, accepted, refused } from "../answer.ts";
import { refuseAccountWrite } from "../maintenance/maintenance.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { isChain } from "./chain-terms.ts";
import type { AssignAddress } from "./command-schemas.ts";
import { type Address, type ChainBook, chainBook, payments } from "./payments.ts";

/** So many addresses a user has of a chain: each is looked for in every block for ever. */
export const ADDRESSES_MAX = 100;
export const ADDRESS_CHARS_MAX = 256;
export const MEMO_CHARS_MAX = 128;

/**
 * Gives a user an address, or another one in place of one that has been used. Sent again it answers the present one.
 */
export function assignAddress(state: State, command: AssignAddress): Answer {
  const { userId, chain, renewals, address, memo } = command;
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  if (!isChain(state, chain)) return refused("chain_not_found", `No asset moves on a chain ${chain}.`);
  const own = addressesOf(state, userId, chain);
  const present = own.at(-1);
  // Two requests at once ask for the same.
  if (present !== undefined && renewals === own.length - 1) return accepted(answerOf(present));
  const hindrance = refuseAccountWrite(state);
  if (hindrance !== undefined) return hindrance;
  if (state.cancelOnly) return refused("venue_cancel_only", "The venue takes cancels only at present.");
  if (renewals !== own.length) {
    return refused("address_superseded", "Another address has been given meanwhile; ask for it again.");
  }
  if (present !== undefined && !present.used) {
    return refused("address_unused", "The present address has not received anything yet: go on using it.");
  }
  if (own.length >= ADDRESSES_MAX) {
    return refused("too_many_addresses", `A user has at most ${ADDRESSES_MAX} addresses of a chain.`);
  }
  if (address === "" || address.length > ADDRESS_CHARS_MAX || memo.length > MEMO_CHARS_MAX) {
    return refused("invalid_command", `An address has 1 to ${ADDRESS_CHARS_MAX} characters.`);
  }
  const book = chainBook(state, chain);
  const isSharedOtherwise = memo === "" ? book.shared.has(address) : book.owners.has(placeOf(address, ""));
  if (isSharedOtherwise || book.owners.has(placeOf(address, memo))) {
    return refused("address_taken", "The address is somebody's already.");
  }

  // Nothing is refused below this line.
  const given: Address = { userId, address, memo, createdAt: state.timeMs, used: false };
  enterAddress(book, given);
  emitRareEvent(state, { type: "address_assigned", userId, chain, renewals, address, memo });
  return accepted(answerOf(given));
}

export function enterAddress(book: ChainBook, given: Address): void {
  const { userId, address, memo } = given;
  book.owners.set(placeOf(address, memo), given);
  if (memo !== "") book.shared.add(address);
  const own = book.ofUsers.get(userId);
  if (own === undefined) book.ofUsers.set(userId, [given]);
  else own.push(given);
}

/** All addresses of a user on a chain; the last is the present one. */
export function addressesOf(state: State, userId: number, chain: string): readonly Address[] {
  return payments.of(state).chains.get(chain)?.ofUsers.get(userId) ?? [];
}

/** Whether what comes to an address concerns the venue. */
export function isOfVenue(state: State, chain: string, address: string): boolean {
  const book = payments.of(state).chains.get(chain);
  return book !== undefined && (book.shared.has(address) || book.owners.has(placeOf(address, "")));
}

/** Who is paid by what comes to an address; undefined when users share it and the memo is nobody's. */
export function ownerOf(book: ChainBook, address: string, memo: string): Address | undefined {
  return book.owners.get(placeOf(address, book.shared.has(address) ? memo : ""));
}

/** Returns the memo that tells the users of a shared address apart: digits, as every chain with memos can carry. */
export function memoOf(userId: number, renewals: number): string {
  return String(userId * ADDRESSES_MAX + renewals);
}

function placeOf(address: string, memo: string): string {
  return `${address}\n${memo}`;
}

function answerOf({ address, memo }: Address): object {
  return { address, memo };
}
