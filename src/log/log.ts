import type { LogGroup } from "./chain.ts";
import type { LogFault } from "./errors.ts";

/** A group that is in the log for good: what is applied is what was committed, no matter who proposed it. */
export interface CommittedGroup extends LogGroup {
  /**
   * The token that the proposal carried, for the log that proposed it; undefined where another one did, or where it was
   * only read.
   */
  readonly token: number | undefined;
}

/** The calls that a follower of a log gets, from the event loop and never from within `propose`. */
export interface LogFollower {
  /**
   * Each group from now on, in order and without a gap. The payload is valid during the call. `commitMs` is what
   * storing it took.
   */
  onCommitted(group: CommittedGroup, commitMs: number): void;
  /** The log failed. Called at most once; nothing is committed afterwards, and the venue must stop. */
  onFault(fault: LogFault): void;
}

/** Where the time of a commit comes from: ms since 1970, whole. May step back; the log's own time never does. */
export interface LogClock {
  now(): number;
}

/**
 * The one order in which everything happens. Anyone who wants something to happen proposes it; its place, its seq and
 * its time are the commit's to give, so that several may propose to one log and all who follow it come to the same
 * state.
 */
export interface Log {
  /**
   * Proposes `count` commands as one group. The payload is lent until the group is committed. What one log proposes is
   * committed in that order. Throws when a bound is broken (a bug of the caller), when the log has failed, or after
   * `close`.
   */
  propose(payload: Uint8Array, count: number, token: number): void;
  /** One follower hears of commits. What was committed before is read: in the same turn nothing is missed. */
  follow(follower: LogFollower): void;
  /** The groups that hold commands from `fromSeq` on and are committed by now, in order. */
  read(fromSeq: number): Iterable<LogGroup>;
  /** The time that a commit would get now: never before that of the last one. */
  now(): number;
  /**
   * Forgets what was committed behind `seq`, which ends a group whose time is `timeMs`; nothing may be under way. Gives
   * how often it was done by now; undefined when that cannot be. For venues of the dev profile that go back.
   */
  cut(seq: number, timeMs: number): Promise<number | undefined>;
  /** Commits what was proposed, lets the follower hear of it, and closes. */
  close(): Promise<void>;
}
