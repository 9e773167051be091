/**
 * Memory of large bodies that come in pieces. That of bodies which never became whole is used again: made anew each
 * time, uploads that stall would have the collector of garbage stop everything several times a second.
 */

/** Sizes that memory is kept in; what is smaller, or larger, is made as it is needed. The largest body has the last. */
const SIZES = [65_536, 131_072] as const;
/** Below it memory is made as large as it is asked for: what is small costs the collector little. */
const KEPT_FROM_BYTES = 32_768;
/** Kept of each size when it is free: half of what all unfinished bodies may take. */
const FREE_BYTES_MAX = 8 * 1_048_576;

const free = new Map<number, Buffer[]>(SIZES.map((size) => [size, []]));

/** Memory of at least so many bytes, in which anything may stand. */
export function bodyMemory(bytes: number): Buffer {
  const size = bytes < KEPT_FROM_BYTES ? bytes : (SIZES.find((one) => one >= bytes) ?? bytes);
  return free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
}

/** Gives memory back that nobody looks at any more. */
export function giveBack(memory: Buffer): void {
  const kept = free.get(memory.length);
  if (kept !== undefined && kept.length * memory.length < FREE_BYTES_MAX) kept.push(memory);
}
