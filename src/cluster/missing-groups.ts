/**
 * Reads groups that have left the store from other nodes' logs and the archive: nothing is taken that does not lead to
 * what the store says.
 */
import { chainHash, type LogGroup, lastSeqOf } from "../log/chain.ts";
import { type Base, hexOf, type Tail } from "./entry.ts";
import type { GroupSource, OtherNodes } from "./other-nodes.ts";

/** Answers that a walk over one log may take. Each holds about a megabyte, unless the node plays for time. */
const ANSWERS_MAX = 100_000;

type Others = Pick<OtherNodes, "sources">;

/**
 * `arrived`: the groups up to the base have been given. `strayed`: nobody continues the log, and somebody has something
 * else there.
 */
export type MissingEnd = "arrived" | "strayed" | "nobody";

export function endOf(before: Tail, group: LogGroup): Tail {
  return { seq: lastSeqOf(group), hash: chainHash(before.hash, group), timeMs: group.timeMs };
}

/**
 * Gives the groups behind `tail` up to `base`. The store only has the hash at the base, so each log is read twice: once
 * to see that it leads there, and once to take what did. One that leads elsewhere, or that is another one the second
 * time, is left for the next one.
 */
export async function* missingGroups(
  others: Others,
  tail: Tail,
  base: Base,
): AsyncGenerator<readonly LogGroup[], MissingEnd> {
  let hasStrayed = false;
  let end = tail;
  for (const source of await others.sources()) {
    const answers = await walk(source, end, base);
    if (answers === "strayed") hasStrayed = true;
    if (answers === undefined || answers === "strayed") continue;
    for (const answer of answers) {
      const groups = await source(end, answer.seq);
      if (groups === undefined || groups === "strayed") break;
      const reached = endBehind(end, groups, answer.seq);
      if (reached === undefined || !isSame(reached, answer)) break;
      yield groups;
      end = reached;
    }
    if (end.seq === base.seq) return "arrived";
  }
  return hasStrayed ? "strayed" : "nobody";
}

/** Whether somebody's log leads from `tail` to the base of the store. */
export async function leadsToBase(others: Others, tail: Tail, base: Base): Promise<boolean> {
  for (const source of await others.sources()) {
    const answers = await walk(source, tail, base);
    if (answers !== undefined && answers !== "strayed") return true;
  }
  return false;
}

/** Where each answer ended on the way from `tail` to the base; undefined: that log does not lead there. */
async function walk(source: GroupSource, tail: Tail, base: Base): Promise<readonly Tail[] | "strayed" | undefined> {
  const answers: Tail[] = [];
  let end = tail;
  while (end.seq < base.seq && answers.length < ANSWERS_MAX) {
    const groups = await source(end, base.seq);
    if (groups === undefined || groups === "strayed") return answers.length === 0 ? groups : undefined;
    const reached = endBehind(end, groups, base.seq);
    if (reached === undefined) return undefined;
    end = reached;
    answers.push(end);
  }
  return end.seq === base.seq && hexOf(end.hash) === base.hash ? answers : undefined;
}

/**
 * Where groups end that follow `before` without a gap, up to `toSeq` at most; undefined: they do not, or there are
 * none.
 */
function endBehind(before: Tail, groups: readonly LogGroup[], toSeq: number): Tail | undefined {
  let end = before;
  for (const group of groups) {
    if (group.count < 1 || group.firstSeq !== end.seq + 1 || lastSeqOf(group) > toSeq) return undefined;
    end = endOf(end, group);
  }
  return groups.length === 0 ? undefined : end;
}

function isSame(one: Tail, other: Tail): boolean {
  return one.seq === other.seq && hexOf(one.hash) === hexOf(other.hash);
}
