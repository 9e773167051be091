/** The whole part of the square root of a number of any width, which is not negative: Newton's steps from above. */
export function rootFloor(square: bigint): bigint {
  if (square < 2n) return square;
  let root = 1n << BigInt((square.toString(2).length + 1) >> 1);
  for (let next = (root + square / root) >> 1n; next < root; next = (root + square / root) >> 1n) root = next;
  return root;
}
