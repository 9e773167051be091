import { decodeFrame, encodeFrame } from "./frame.ts";

/** The leader lives, and so far it has come. */
export interface Beat {
  readonly kind: "beat";
  readonly from: string;
  /** All nodes, as it was told: others must have been told the same. So in what follows. */
  readonly nodes: readonly string[];
  readonly boot: string;
  readonly generation: number;
  readonly term: number;
  readonly venueId: string;
  /** The last entry of the stream that it has taken over, and where the log ends with it. */
  readonly streamSeq: number;
  readonly seq: number;
  readonly hash: string;
  readonly timeMs: number;
  /** It stops: others need not wait until it is missed. */
  readonly isLeaving: boolean;
}

/** So far the log stands on the disk of a node. */
export interface Position {
  readonly kind: "position";
  readonly from: string;
  readonly generation: number;
  readonly seq: number;
  readonly hash: string;
}

/** A proposal of a node that does not lead: the `nth` in this term, from 1. */
export interface Forward {
  readonly kind: "forward";
  readonly from: string;
  readonly to: string;
  readonly boot: string;
  readonly generation: number;
  readonly term: number;
  readonly nth: number;
  readonly token: number;
  readonly count: number;
  readonly payload: Uint8Array;
}

/** The leader has taken over all proposals of a process up to the `nth` of this term. */
export interface Taken {
  readonly kind: "taken";
  readonly from: string;
  readonly to: string;
  readonly boot: string;
  readonly generation: number;
  readonly term: number;
  readonly nth: number;
}

/** No node is to store anything of an older generation from now on. */
export interface Seal {
  readonly kind: "seal";
  readonly from: string;
  readonly nodes: readonly string[];
  readonly generation: number;
}

/** A node has promised that, and its log ends here, on the disk. */
export interface Sealed {
  readonly kind: "sealed";
  readonly from: string;
  readonly nodes: readonly string[];
  readonly generation: number;
  /** The last generation that its log belongs to. */
  readonly adopted: number;
  readonly term: number;
  /** Undefined: it has no log. */
  readonly venueId?: string | undefined;
  readonly seq: number;
  readonly hash: string;
  readonly timeMs: number;
}

/** What nodes tell each other. Any of them may be lost. */
export type Message = Beat | Position | Forward | Taken | Seal | Sealed;

export function encodeMessage(message: Message): Uint8Array {
  if (message.kind !== "forward") return encodeFrame(message);
  const { payload, ...head } = message;
  return encodeFrame(head, payload);
}

/** Throws BadFrame. */
export function decodeMessage(bytes: Uint8Array): Message {
  const { head, body } = decodeFrame(bytes);
  const message = head as Message;
  return message.kind === "forward" ? { ...message, payload: body } : message;
}
