import { setTimeout as pause } from "node:timers/promises";
import type { FetchedGroup, Tail } from "./agreement/ports.ts";
import type { ReadFrame } from "./frame.ts";
import type { NatsLink } from "./nats-link.ts";
import { type OfferedSnapshot, OwnLog } from "./own-log.ts";
import {
  decodeGroups,
  decodeRules,
  decodeSnapshotOffer,
  decodeStanding,
  encodeQuestion,
  type NodeStanding,
  type Question,
} from "./questions.ts";

/** Where so many commands are missing and another node has a snapshot, they come as one. */
const SNAPSHOT_FROM = 100_000;
/** Who is asked how he stands may be busy. */
const STATUS_TIMEOUT_MS = 5_000;

/** A piece of a snapshot that does not come is asked for again: one lost message must not cost the whole of it. */
const PIECE_TRIES = 10;
const PIECE_PAUSE_MS = 100;

export interface OtherNodesTerms {
  readonly link: NatsLink;
  readonly node: string;
  readonly nodes: readonly string[];
  readonly read: ReadFrame;
}

/** The other nodes, as one asks them: what stands in their logs and not in this one, and how they stand. */
export class OtherNodes {
  readonly #link: NatsLink;
  readonly #names: readonly string[];
  readonly #read: ReadFrame;

  constructor({ link, node, nodes, read }: OtherNodesTerms) {
    this.#link = link;
    this.#names = nodes.filter((name) => name !== node);
    this.#read = read;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** Undefined: no answer in time, or none that can be read. */
  async ask<Answer>(
    node: string,
    question: Question,
    decode: (answer: Uint8Array) => Answer,
    timeoutMs?: number,
  ): Promise<Answer | undefined> {
    const answer = await this.#link.ask(node, encodeQuestion(question), timeoutMs);
    return answer && this.#read(() => decode(answer));
  }

  standingOf(node: string): Promise<NodeStanding | undefined> {
    return this.ask(node, { kind: "standing" }, decodeStanding, STATUS_TIMEOUT_MS);
  }

  rulesOf(node: string): Promise<number | undefined> {
    return this.ask(node, { kind: "rules" }, decodeRules, STATUS_TIMEOUT_MS);
  }

  /**
   * The groups behind `tail` up to `toSeq`, or as many as come at once, from who has them: the leader first, which has what it speaks of.
   * `strayed`: the leader has something else there. Undefined: nobody has them.
   */
  async groupsBehind(
    { seq, hash }: Tail,
    toSeq: number,
    leader: string | undefined,
  ): Promise<readonly FetchedGroup[] | "strayed" | undefined> {
    const question = { kind: "groups", seq, hash: Buffer.from(hash).toString("hex"), toSeq } as const;
    const leaderFirst = this.#names.toSorted((one, other) => Number(other === leader) - Number(one === leader));
    for (const other of leaderFirst) {
      const groups = await this.ask(other, question, decodeGroups);
      // Another one's tail may have strayed itself; the leader's has not.
      if (groups === "strayed" && other === leader) return "strayed";
      if (groups !== undefined && groups !== "strayed" && groups.length > 0) return groups;
    }
    return undefined;
  }

  /** A snapshot of one of them, with who offers it, where it saves much or where the beginning of the log of `venueId` is in an archive. */
  async snapshot(venueId: string): Promise<{ readonly offered: OfferedSnapshot; readonly node: string } | undefined> {
    for (const node of this.#names) {
      const offered = await this.ask(node, { kind: "snapshot" }, decodeSnapshotOffer);
      if (offered === undefined) continue;
      if (offered.seq >= SNAPSHOT_FROM || (await this.#isArchived(node, venueId))) return { offered, node };
    }
    return undefined;
  }

  /** Whether a node no longer holds the beginning of the log. */
  async #isArchived(node: string, venueId: string): Promise<boolean> {
    const hash = Buffer.from(OwnLog.genesisOf(venueId)).toString("hex");
    const question = encodeQuestion({ kind: "groups", seq: 0, hash, toSeq: 1 });
    return (await this.#link.ask(node, question)) === undefined;
  }

  /** The bytes of an offered snapshot from `at` on. Throws when the node gives no more. */
  async piece(node: string, { name }: OfferedSnapshot, at: number): Promise<Uint8Array> {
    const question = encodeQuestion({ kind: "piece", name, at });
    for (let tries = 0; tries < PIECE_TRIES; tries++) {
      const piece = await this.#link.ask(node, question);
      if (piece !== undefined) return piece;
      await pause(PIECE_PAUSE_MS);
    }
    throw new Error(`Node ${node} gives no more of its snapshot.`);
  }
}
