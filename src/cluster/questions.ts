import type { LogGroup } from "../log/chain.ts";
import type { FetchedGroup } from "./agreement/ports.ts";
import type { Origin } from "./entry.ts";
import { decodeFrame, encodeFrame } from "./frame.ts";
import type { OfferedSnapshot } from "./own-log.ts";

/** What one node asks another, and waits for. */
export type Question =
  /** The groups behind this end of a log, up to `toSeq`. */
  | { readonly kind: "groups"; readonly seq: number; readonly hash: string; readonly toSeq: number }
  | { readonly kind: "snapshot" }
  | { readonly kind: "piece"; readonly name: string; readonly at: number }
  /** How far the log stands on its disk. */
  | { readonly kind: "where" }
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
  readonly generation: number;
  readonly term: number;
  readonly version: string;
}

export type GroupsAnswer = readonly FetchedGroup[] | "strayed";

export function encodeQuestion(question: Question): Uint8Array {
  return encodeFrame(question);
}

/** Throws BadFrame. */
export function decodeQuestion(bytes: Uint8Array): Question {
  return decodeFrame(bytes).head as Question;
}

interface GroupHead extends Omit<LogGroup, "payload"> {
  readonly origin: Origin | undefined;
  readonly bytes: number;
}

export function encodeGroups(answer: GroupsAnswer): Uint8Array {
  if (answer === "strayed") return encodeFrame({ strayed: true });
  const groups: GroupHead[] = answer.map(({ payload, ...head }) => ({ ...head, bytes: payload.length }));
  return encodeFrame({ groups }, Buffer.concat(answer.map(({ payload }) => payload)));
}

/** Throws BadFrame. */
export function decodeGroups(bytes: Uint8Array): GroupsAnswer {
  const { head, body } = decodeFrame(bytes);
  const { strayed, groups = [] } = head as { strayed?: boolean; groups?: readonly GroupHead[] };
  if (strayed === true) return "strayed";
  let at = 0;
  return groups.map(({ bytes: length, ...group }) => {
    const payload = body.slice(at, at + length);
    at += length;
    return { ...group, payload, origin: group.origin };
  });
}

export function encodeAnswer(answer: object): Uint8Array {
  return encodeFrame(answer);
}

export function decodeSnapshotOffer(bytes: Uint8Array): OfferedSnapshot | undefined {
  return (decodeFrame(bytes).head as { offered?: OfferedSnapshot }).offered;
}

export function decodeWhere(bytes: Uint8Array): number {
  return (decodeFrame(bytes).head as { seq: number }).seq;
}

export function decodeRules(bytes: Uint8Array): number {
  return (decodeFrame(bytes).head as { rules: number }).rules;
}

export function decodeStanding(bytes: Uint8Array): NodeStanding {
  return decodeFrame(bytes).head as NodeStanding;
}
