/** Tables are sets of typed columns of equal length; a row is a slot. These grow a column and keep what it holds. */

export function growI32(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(length);
  grown.set(column);
  return grown;
}

export function growF64(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(length);
  grown.set(column);
  return grown;
}

export function growI64(column: BigInt64Array, length: number): BigInt64Array<ArrayBuffer> {
  const grown = new BigInt64Array(length);
  grown.set(column);
  return grown;
}

/** The capacity after `capacity`: half as much again, so that a large table wastes at most a third. */
export function nextCapacity(capacity: number): number {
  return capacity + Math.max(64, capacity >> 1);
}
