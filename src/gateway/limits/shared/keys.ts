/** The names of what nodes share on their server: ids, names of groups and addresses, nothing that is secret. */

const QUOTA = "bourse:quota:";

/** The bucket of an account in a group. */
export function groupKey(group: string, userId: number): string {
  return `${QUOTA}${group}:${userId}`;
}

/** The bucket of an address, of all that it asks for or in a group; the halves are those of `AddressKey`. */
export function addressKey(group: string | undefined, high: number, low: number): string {
  return `${QUOTA}${group ?? "any"}:ip:${(high >>> 0).toString(16)}:${(low >>> 0).toString(16)}`;
}

/** The row of a main account in the long cycle. */
export function longCycleKey(mainUserId: number): string {
  return `bourse:long-cycle:${mainUserId}`;
}
