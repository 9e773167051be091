/**
 * Loaded into the venue that is watched, with `--import`: says by the channel to its parent what only the process
 * itself knows.
 */

export interface Insides {
  /** Bytes in use right after a full collection of garbage. */
  readonly heap: number;
  /** Bytes that objects hold outside of the heap, buffers included. */
  readonly external: number;
  /** What keeps the event loop busy, by kind, such as Timeout and TCPSocketWrap. */
  readonly handles: Readonly<Record<string, number>>;
}

process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  process.send?.({ heap: heapUsed, external, handles } satisfies Insides);
});
// The venue ends when it wants to, and not when nobody asks any more.
process.channel?.unref();
