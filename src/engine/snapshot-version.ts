/**
 * Raised whenever the form of a snapshot changes, and the state hash with it; a snapshot of another version is not taken
 * over nor compared with, the log is replayed instead.
 */
export const SNAPSHOT_VERSION = 9;
