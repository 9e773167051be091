import type { LogGroup } from "../log/chain.ts";
import { BadFrame, type Frame } from "./frame.ts";
import type { OfferedSnapshot } from "./own-log.ts";
import type { Said } from "./peers.ts";

/** A question that one node asks another, and whose answer it waits for. */
export type Question =
  /** The groups behind this end of a log, up to `toSeq`. */
  | { readonly kind: "groups"; readonly seq: number; readonly hash: string; readonly toSeq: number }
  | { readonly kind: "snapshot" }
  | { readonly kind: "piece"; readonly name: string; readonly at: number }
  /** The newest rules that its program has, and its machine's clock: told while it starts, too. */
  | { readonly kind: "rules" }
  | { readonly kind: "standing" };

/** How a node stands, for operators. */
export interface NodeStatus {
  readonly node: string;
  readonly url: string;
  readonly isLeader: boolean;
  readonly adminUrl: string;
  /** The last command that it has applied. */
  readonly seq: number;
  /** How long after it was put in order the last group was applied, ms. */
  readonly lagMs: number;
  readonly stateHash: string;
  /** The revision of the store at which its leader began to lead. */
  readonly term: number;
  readonly version: string;
}

/** `strayed`: the log has something else there. */
export type GroupsAnswer = readonly LogGroup[] | "strayed";

/** SHA-256. */
const HASH = /^[0-9a-f]{64}$/;

interface GroupHead extends Omit<LogGroup, "payload"> {
  readonly bytes: number;
}

export function groupsSaid(answer: GroupsAnswer): Said {
  if (answer === "strayed") return { head: { kind: "answer", strayed: true } };
  const groups: GroupHead[] = answer.map(({ payload, ...head }) => ({ ...head, bytes: payload.length }));
  return { head: { kind: "answer", groups }, body: Buffer.concat(answer.map(({ payload }) => payload)) };
}

/** Throws BadFrame. */
export function groupsIn({ head, body }: Frame): GroupsAnswer {
  const { strayed, groups } = head as { strayed?: boolean; groups?: readonly GroupHead[] };
  if (strayed === true) return "strayed";
  if (!Array.isArray(groups)) throw new BadFrame("it holds no groups");
  let at = 0;
  return groups.map((group: Partial<GroupHead> | null) => {
    const { bytes, firstSeq, count, timeMs } = group ?? {};
    if (!isWhole(bytes) || !isWhole(firstSeq) || !isWhole(count) || !isWhole(timeMs))
      throw new BadFrame("a figure of a group is none");
    const payload = body.slice(at, at + bytes);
    if (payload.length !== bytes) throw new BadFrame("it has fewer bytes than it says");
    at += bytes;
    return { firstSeq, count, timeMs, payload };
  });
}

/** Throws BadFrame. */
export function snapshotOfferIn({ head }: Frame): OfferedSnapshot | undefined {
  const { offered } = head as { offered?: Partial<OfferedSnapshot> | null };
  if (offered === undefined || offered === null) return undefined;
  const { name, bytes, seq, timeMs, hash } = offered;
  if (typeof name !== "string" || !HASH.test(String(hash)) || !isWhole(bytes) || !isWhole(seq) || !isWhole(timeMs))
    throw new BadFrame("it offers no snapshot");
  return offered as OfferedSnapshot;
}

/** Throws BadFrame. */
export function rulesIn({ head }: Frame): number {
  const { rules } = head as { rules?: number };
  if (!isWhole(rules)) throw new BadFrame("it names no version of the rules");
  return rules;
}

/** The machine's clock, ms; undefined: its program does not tell. */
export function clockIn({ head }: Frame): number | undefined {
  const { timeMs } = head as { timeMs?: number };
  return isWhole(timeMs) ? timeMs : undefined;
}

/** Throws BadFrame. */
export function statusIn({ head }: Frame): NodeStatus {
  const { standing } = head as { standing?: Partial<NodeStatus> | null };
  const { node, url, adminUrl, version, stateHash, seq, lagMs } = standing ?? {};
  const isStanding =
    [node, url, adminUrl, version, stateHash].every((text) => typeof text === "string") &&
    [seq, lagMs].every((figure) => typeof figure === "number");
  if (!isStanding) throw new BadFrame("it does not say how the node stands");
  return standing as NodeStatus;
}

function isWhole(figure: number | undefined): figure is number {
  return Number.isSafeInteger(figure) && (figure as number) >= 0;
}
