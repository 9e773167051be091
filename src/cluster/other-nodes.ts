import { setTimeout as pause } from "node:timers/promises";
import type { OtherClock } from "./clocks.ts";
import { hexOf, type Tail } from "./entry.ts";
import { BadFrame, type Frame } from "./frame.ts";
import type { LogArchive } from "./log-archive.ts";
import { type OfferedSnapshot, OfferRefused, OwnLog } from "./own-log.ts";
import type { Peer, Peers } from "./peers.ts";
import {
  clockIn,
  type GroupsAnswer,
  groupsIn,
  type NodeStatus,
  type Question,
  rulesIn,
  snapshotOfferIn,
  statusIn,
} from "./questions.ts";
import type { NodeRecord } from "./store.ts";

/** Who is asked how he stands may be busy. */
const STATUS_TIMEOUT_MS = 5_000;
/** A piece of a snapshot that does not come is asked for again: one lost message must not cost the whole of it. */
const PIECE_TRIES = 10;
const PIECE_PAUSE_MS = 100;

/** A snapshot that a node offers. */
export interface Offer {
  readonly offered: OfferedSnapshot;
  readonly from: NodeRecord;
}

/**
 * The groups behind `tail` up to `toSeq`, or as many as come at once; `strayed`: something else is there. Undefined:
 * none, or no answer.
 */
export type GroupSource = (tail: Tail, toSeq: number) => Promise<GroupsAnswer | undefined>;

export interface OtherNodesOptions {
  readonly peers: Pick<Peers, "ask">;
  /** Where nodes have put what was in their logs; undefined: nowhere. */
  readonly archive?: Pick<LogArchive, "groupsBehind"> | undefined;
  readonly node: string;
  /** Returns the records that all nodes gave of themselves. */
  readonly records: () => Promise<readonly NodeRecord[]>;
}

/** The other nodes, as one asks them: what stands in their logs and not in this one, and how they stand. */
export class OtherNodes {
  readonly #peers: Pick<Peers, "ask">;
  readonly #node: string;
  readonly #records: () => Promise<readonly NodeRecord[]>;
  readonly #archive: OtherNodesOptions["archive"];

  constructor({ peers, node, records, archive }: OtherNodesOptions) {
    this.#peers = peers;
    this.#archive = archive;
    this.#node = node;
    this.#records = records;
  }

  async list(): Promise<readonly NodeRecord[]> {
    return (await this.#records()).filter(({ node }) => node !== this.#node);
  }

  async #ask<Answer>(
    peer: Peer,
    question: Question,
    read: (answer: Frame) => Answer,
    timeoutMs?: number,
  ): Promise<Answer | undefined> {
    const answer = await this.#peers.ask(peer, question, timeoutMs);
    try {
      return answer && read(answer);
    } catch (error) {
      if (error instanceof BadFrame) return undefined;
      throw error;
    }
  }

  statusOf(peer: Peer): Promise<NodeStatus | undefined> {
    return this.#ask(peer, { kind: "standing" }, statusIn, STATUS_TIMEOUT_MS);
  }

  rulesOf(peer: Peer): Promise<number | undefined> {
    return this.#ask(peer, { kind: "rules" }, rulesIn, STATUS_TIMEOUT_MS);
  }

  /** The clocks of those that answer. */
  async clocks(): Promise<readonly OtherClock[]> {
    const asked = (await this.list()).map(async (peer) => {
      const askedMs = Date.now();
      const timeMs = await this.#ask(peer, { kind: "rules" }, clockIn);
      return timeMs === undefined ? [] : [{ node: peer.node, timeMs, askedMs }];
    });
    return (await Promise.all(asked)).flat();
  }

  /**
   * Where groups come from that have left the store: each other node by itself, the archive by itself, and the archive
   * as far as it goes with each node behind it.
   */
  async sources(): Promise<readonly GroupSource[]> {
    const nodes = (await this.list()).map(
      (peer): GroupSource =>
        (tail, toSeq) =>
          this.#groupsOf(peer, tail, toSeq),
    );
    const archive = this.#archive;
    if (archive === undefined) return nodes;
    const archived: GroupSource = (tail, toSeq) => archive.groupsBehind(tail, toSeq);
    const both = nodes.map(
      (node): GroupSource =>
        async (tail, toSeq) => {
          const groups = await archived(tail, toSeq);
          return groups === undefined || groups.length === 0 ? await node(tail, toSeq) : groups;
        },
    );
    return [...nodes, archived, ...both];
  }

  async #groupsOf(peer: Peer, { seq, hash }: Tail, toSeq: number): Promise<GroupsAnswer | undefined> {
    return await this.#ask(peer, { kind: "groups", seq, hash: hexOf(hash), toSeq }, groupsIn);
  }

  /** The snapshots that other nodes offer behind `tail`, the newest first. */
  async snapshots({ seq }: Tail): Promise<readonly Offer[]> {
    const found: Offer[] = [];
    for (const from of await this.list()) {
      const offered = await this.#ask(from, { kind: "snapshot" }, snapshotOfferIn);
      if (offered !== undefined && offered.seq > seq) found.push({ offered, from });
    }
    return found.toSorted((one, other) => other.offered.seq - one.offered.seq);
  }

  /** Whether somebody has the log behind `tail`. */
  async haveLog(tail: Tail): Promise<boolean> {
    for (const source of await this.sources()) {
      const groups = await source(tail, Number.MAX_SAFE_INTEGER);
      if (groups !== undefined && groups.length > 0) return true;
    }
    return false;
  }

  /** The bytes of an offered snapshot from `at` on. Throws OfferRefused when the node gives no more. */
  async piece(peer: NodeRecord, { name }: OfferedSnapshot, at: number): Promise<Uint8Array> {
    for (let tries = 0; tries < PIECE_TRIES; tries++) {
      const piece = await this.#ask(peer, { kind: "piece", name, at }, ({ body }) => body);
      if (piece !== undefined) return piece;
      await pause(PIECE_PAUSE_MS);
    }
    throw new OfferRefused("the node gives no more of it");
  }
}

/** Where the log of a venue begins. */
export function genesisOf(venueId: string): Tail {
  return { seq: 0, hash: OwnLog.genesisOf(venueId), timeMs: 0 };
}
