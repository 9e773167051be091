/** How fast a figure grows, read off points that scatter. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Slope {
  /** Growth of y for one step of x, by least squares. */
  readonly perUnit: number;
  /** Its standard error: of a straight line with noise the true slope lies within two of them 95 times in a hundred. */
  readonly error: number;
}

/** Undefined of fewer than three points, and of points at one x, through which any line goes. */
export function slopeOf(points: readonly Point[]): Slope | undefined {
  const count = points.length;
  if (count < 3) return undefined;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / count;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / count;
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (spread === 0) return undefined;
  const perUnit = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const missed = points.reduce((sum, { x, y }) => sum + (y - meanY - perUnit * (x - meanX)) ** 2, 0);
  return { perUnit, error: Math.sqrt(missed / (count - 2) / spread) };
}
