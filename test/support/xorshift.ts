/** xorshift32: small, quick, the same everywhere. Gives numbers in [0, 1); the same seed gives the same ones. */
export function xorshift(seed: number): () => number {
  let x = seed | 0 || 1;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 4_294_967_296;
  };
}
