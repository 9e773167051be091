import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { chainHash, type LogGroup, lastSeqOf } from "../log/chain.ts";
import { type Base, hexOf, type Tail } from "./entry.ts";
import type { EtcdStore } from "./etcd/etcd-store.ts";
import { genesisOf, type OtherNodes } from "./other-nodes.ts";
import type { OwnLog } from "./own-log.ts";

const AGAIN_MS = 500;

/** The log in a node's folder is not a copy of the one in the store, or there is none there. A person has to decide. */
export class CopyRefused extends Error {
  readonly code = "COPY_REFUSED";

  constructor(sentences: string) {
    super(sentences);
    this.name = "CopyRefused";
  }
}

export interface JoiningParts {
  readonly own: OwnLog;
  readonly store: Pick<EtcdStore, "venue" | "found" | "groupAt" | "groupsBehind">;
  readonly others: Pick<OtherNodes, "groupsBehind" | "snapshot" | "piece">;
  /** Whether a snapshot will do where all of the log could be had: what a node lists is kept elsewhere. */
  readonly prefersSnapshot: boolean;
  readonly onNote: (text: string) => void;
}

/** Where the copy ends, and at which place of the store. */
export interface Joined {
  readonly tail: Tail;
  readonly place: number;
}

/**
 * Holds the log of this node's folder against the store, which alone counts, and brings it to where the store begins. A copy that is older is
 * brought up. One of another venue, one that goes another way, and one that goes beyond the store are refused with CopyRefused: each may hold
 * what the store has lost. An empty folder takes the log of the venue; an empty store takes a new venue, of an empty folder alone.
 */
export async function join(parts: JoiningParts): Promise<Joined> {
  const { own, store, onNote } = parts;
  const { venueId } = await venueIn(parts);
  if (own.checked !== undefined && own.checked.venueId !== venueId) {
    throw new CopyRefused(
      `The store holds the log of venue ${venueId}, this folder that of venue ${own.checked.venueId}. Name the store of this venue with log, or another folder with data.`,
    );
  }
  const isNew = own.checked === undefined;
  if (isNew) await own.begin(venueId);
  let tail = own.tail;
  if (isNew && parts.prefersSnapshot) tail = (await takeSnapshot(parts, tail)) ?? tail;
  for (let told = false; ; ) {
    const { base } = (await store.venue()) as { base: Base };
    if (tail.seq < base.seq) {
      const brought = await bringUp(parts, tail, base);
      if (brought === undefined && !told) {
        told = true;
        onNote(
          `The store has the log from seq ${base.seq} on, this node up to seq ${tail.seq}: it waits for a node that has what is between.`,
        );
      }
      if (brought === undefined) await pause(AGAIN_MS);
      tail = brought ?? tail;
      continue;
    }
    const place = await placeOf(store, tail, base);
    if (place !== undefined) return { tail, place };
  }
}

async function venueIn({ own, store, onNote }: JoiningParts): Promise<{ readonly venueId: string }> {
  const found = await store.venue();
  if (found !== undefined) return found;
  if (own.checked !== undefined && own.tail.seq > 0) {
    throw new CopyRefused(
      `The store holds no log, this folder that of venue ${own.checked.venueId} up to seq ${own.tail.seq}. If no other node's log of this venue goes further, put it into the store with: bourse cluster adopt.`,
    );
  }
  const venueId = own.checked?.venueId ?? randomBytes(16).toString("hex");
  const { seq, hash, timeMs } = genesisOf(venueId);
  onNote("The store is empty: a new venue begins.");
  await store.found(venueId, { place: 0, seq, hash: hexOf(hash), timeMs });
  return (await store.venue()) as { venueId: string };
}

/** Another node's snapshot in the place of what this one has, where there is one that goes further. */
async function takeSnapshot({ own, others, onNote }: JoiningParts, tail: Tail): Promise<Tail | undefined> {
  const found = await others.snapshot(tail);
  if (found === undefined) return undefined;
  const { offered, from } = found;
  onNote(`The snapshot of node ${from.node} at seq ${offered.seq} is taken over: ${offered.bytes} bytes.`);
  const file = await own.receive(offered, (at) => others.piece(from, offered, at));
  await own.beginBehind(offered, file);
  return own.tail;
}

/** Brings the copy nearer to the base, from other nodes; undefined: none of them can. */
async function bringUp(parts: JoiningParts, tail: Tail, base: Base): Promise<Tail | undefined> {
  const { own, others } = parts;
  const groups = await others.groupsBehind(tail, base.seq);
  if (groups === "strayed") throw differs(tail);
  if (groups === undefined) return await takeSnapshot(parts, tail);
  let end = tail;
  for (const group of groups) {
    if (group.firstSeq !== end.seq + 1 || lastSeqOf(group) > base.seq) return undefined;
    own.store(group);
    end = endOf(end, group);
  }
  await own.settled();
  return end;
}

export function endOf(before: Tail, group: LogGroup): Tail {
  return { seq: lastSeqOf(group), hash: chainHash(before.hash, group), timeMs: group.timeMs };
}

/** The place of the copy's last group in the store; undefined: the store has moved on meanwhile. */
async function placeOf(store: JoiningParts["store"], tail: Tail, base: Base): Promise<number | undefined> {
  if (tail.seq === base.seq) {
    if (hexOf(tail.hash) !== base.hash) throw differs(tail);
    return base.place;
  }
  // The last place whose group begins at the copy's end or before.
  let [low, high] = [base.place + 1, base.place + (await store.groupsBehind(base.place))];
  if (high < low) throw beyond(tail, base.seq);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const found = await store.groupAt(middle);
    if (found === undefined) return undefined;
    if (found.entry.firstSeq > tail.seq) high = middle - 1;
    else low = middle;
  }
  const found = await store.groupAt(low);
  if (found === undefined) return undefined;
  const { entry } = found;
  if (lastSeqOf(entry) < tail.seq) throw beyond(tail, lastSeqOf(entry));
  const isSame = hexOf(chainHash(Uint8Array.from(Buffer.from(entry.prevHash, "hex")), entry)) === hexOf(tail.hash);
  if (lastSeqOf(entry) > tail.seq || !isSame) throw differs(tail);
  return low;
}

function differs({ seq }: Tail): CopyRefused {
  return new CopyRefused(
    `The log in this folder goes another way than the one in the store: they differ at seq ${seq} or before. It is the copy of another time. Move the folder away, and start this node with an empty one.`,
  );
}

function beyond({ seq }: Tail, end: number): CopyRefused {
  return new CopyRefused(
    `The log in this folder goes to seq ${seq}, the one in the store ends at seq ${end}: the store was restored from a copy, or was given an older log, and lacks commands that were acknowledged. Stop all nodes and put the longest log into an empty store with: bourse cluster adopt.`,
  );
}
