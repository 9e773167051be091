import type { LogGroup } from "../log/chain.ts";
import { BadFrame, type Frame } from "./frame.ts";
import type { OfferedSnapshot } from "./own-log.ts";
import type { Said } from "./peers.ts";

/** What one node asks another, and waits for. */
export type Question =
  /** The groups behind this end of a log, up to `toSeq`. */
  | { readonly kind: "groups"; readonly seq: number; readonly hash: string; readonly toSeq: number }
  | { readonly kind: "snapshot" }
  | { readonly kind: "piece"; readonly name: string; readonly at: number }
  /** The newest rules that its program has: told while it starts, too. */
  | { readonly kind: "rules" }
  | { readonly kind: "standing" };

/** How a node stands, for operators. */
export interface NodeStanding {
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
  const { strayed, groups = [] } = head as { strayed?: boolean; groups?: readonly GroupHead[] };
  if (strayed === true) return "strayed";
  let at = 0;
  return groups.map(({ bytes, firstSeq, count, timeMs }) => {
    const payload = body.slice(at, at + bytes);
    if (payload.length !== bytes) throw new BadFrame("it has fewer bytes than it says");
    at += bytes;
    return { firstSeq, count, timeMs, payload };
  });
}

export function snapshotOfferIn({ head }: Frame): OfferedSnapshot | undefined {
  return (head as { offered?: OfferedSnapshot }).offered;
}

export function rulesIn({ head }: Frame): number {
  return (head as { rules: number }).rules;
}

export function standingIn({ head }: Frame): NodeStanding {
  return (head as { standing: NodeStanding }).standing;
}
