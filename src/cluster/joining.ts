import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { chainHash, lastSeqOf } from "../log/chain.ts";
import { type Base, bytesOf, hexOf, type Tail } from "./entry.ts";
import type { EtcdStore } from "./etcd/etcd-store.ts";
import { endOf, leadsToBase, missingGroups } from "./missing-groups.ts";
import { genesisOf, type Offer, type OtherNodes } from "./other-nodes.ts";
import { OfferRefused, type OwnLog } from "./own-log.ts";

const AGAIN_MS = 500;
/** Where so many commands are missing and another node has a snapshot, they come as one. */
const SNAPSHOT_FROM = 100_000;

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
  readonly store: Pick<EtcdStore, "venue" | "found" | "groupAt" | "groupsBehind" | "prefix">;
  readonly others: Pick<OtherNodes, "list" | "sources" | "haveLog" | "snapshots" | "piece">;
  /** Whether a snapshot will do where all of the log could be had: what a node lists is kept elsewhere. */
  readonly prefersSnapshot: boolean;
  /**
   * Whether an empty store and an empty folder make a new venue. Where they do not, the node waits until somebody makes
   * one.
   */
  readonly foundsVenue: boolean;
  /** Hears what the start waits for, as a sentence; undefined: nothing any more. */
  readonly onWait: (sentence: string | undefined) => void;
  readonly onNote: (text: string) => void;
}

/** Where the copy ends, and at which place of the store. */
export interface Joined {
  readonly tail: Tail;
  readonly place: number;
}

/**
 * Holds the log of this node's folder against the store, which alone counts, and brings it to where the store begins. A
 * copy that is older is brought up. One of another venue, one that goes another way, and one that goes beyond the store
 * are refused with CopyRefused: each may hold what the store has lost. An empty folder takes the log of the venue. An
 * empty store takes a new venue where `foundsVenue`; otherwise the node waits for who founds one: stores and folders
 * that were all wiped must not become a second venue that takes orders.
 */
export async function join(parts: JoiningParts): Promise<Joined> {
  const { own, store, onWait } = parts;
  const { venueId } = await venueIn(parts);
  if (own.checked !== undefined && own.checked.venueId !== venueId) {
    throw new CopyRefused(
      `The store holds the log of venue ${venueId}, this folder that of venue ${own.checked.venueId}. Name the ` +
        "store of this venue with log, or another folder with data.",
    );
  }
  const isNew = own.checked === undefined;
  if (isNew) await own.begin(venueId);
  let tail = own.tail;
  if (isNew && parts.prefersSnapshot) {
    const { base } = (await store.venue()) as { base: Base };
    if (await isWorthSnapshot(parts, tail)) tail = (await takeSnapshot(parts, tail, base)) ?? tail;
  }
  for (let isWaiting = false; ; ) {
    const { base } = (await store.venue()) as { base: Base };
    if (tail.seq < base.seq) {
      const brought = await bringUp(parts, tail, base);
      if (brought !== undefined) tail = brought;
      else if (!isWaiting) {
        isWaiting = true;
        onWait(
          `This node waits for another one that has the log from seq ${tail.seq + 1} to ${base.seq}, or a ` +
            "snapshot there: the etcd servers no longer have it.",
        );
      }
      if (brought === undefined) await pause(AGAIN_MS);
      continue;
    }
    onWait(undefined);
    const found = await placeOf(store, tail, base);
    if (found !== undefined) return { tail: { ...tail, timeMs: found.timeMs }, place: found.place };
  }
}

/** A snapshot saves much, or is all that can be had. */
async function isWorthSnapshot({ others }: JoiningParts, tail: Tail): Promise<boolean> {
  const [best] = await others.snapshots(tail);
  return best !== undefined && (best.offered.seq - tail.seq >= SNAPSHOT_FROM || !(await others.haveLog(tail)));
}

async function venueIn(parts: JoiningParts): Promise<{ readonly venueId: string }> {
  const { own, store, foundsVenue, onWait, onNote } = parts;
  const found = await store.venue();
  if (found !== undefined) return found;
  if (own.checked !== undefined && (own.tail.seq > 0 || !foundsVenue)) {
    throw new CopyRefused(
      `The store holds no log, this folder that of venue ${own.checked.venueId} up to seq ${own.tail.seq}. If ` +
        "no other node's log of this venue goes further, put it into the store with: bourse cluster adopt.",
    );
  }
  if (!foundsVenue) return await venueOfOthers(store, onWait);
  onNote("The store is empty: a new venue begins.");
  await foundVenue(store, own.checked?.venueId);
  const founded = await store.venue();
  if (founded === undefined) throw partOfLog(store);
  return founded;
}

/** The store has not taken a venue although it holds none: somebody has removed a part of a log. */
export function partOfLog({ prefix }: Pick<EtcdStore, "prefix">): CopyRefused {
  return new CopyRefused(
    "The store holds a part of a log that begins nowhere. Remove it while no node runs, with: etcdctl del " +
      `--prefix ${prefix}/. If a venue was there, put the longest log of its nodes back then, with: bourse ` +
      "cluster adopt.",
  );
}

/** Settles when somebody has founded a venue, or put the log of one into the store. */
async function venueOfOthers(
  store: JoiningParts["store"],
  onWait: JoiningParts["onWait"],
): Promise<{ readonly venueId: string }> {
  onWait(
    "This node waits: neither the etcd servers nor its folder hold a venue. To begin a new one, run once: " +
      "bourse cluster found. If a venue " +
      "was there, do not: put the longest log of its nodes back with bourse cluster adopt, or restore a backup first.",
  );
  for (;;) {
    const found = await store.venue();
    if (found !== undefined) {
      onWait(undefined);
      return found;
    }
    await pause(AGAIN_MS);
  }
}

/**
 * Begins the log of a new venue in a store that holds none; one that holds one stays as it is. Gives the venue's
 * id.
 */
export async function foundVenue(store: Pick<EtcdStore, "found">, id?: string): Promise<string> {
  const venueId = id ?? randomBytes(16).toString("hex");
  const { seq, hash, timeMs } = genesisOf(venueId);
  await store.found(venueId, { place: 0, seq, hash: hexOf(hash), timeMs });
  return venueId;
}

/**
 * Another node's snapshot in the place of what this one has. It must belong to the log in the store, and hold the state
 * that its node told the store; an offer that does not is passed over.
 */
async function takeSnapshot(parts: JoiningParts, tail: Tail, base: Base): Promise<Tail | undefined> {
  const { own, others, onNote } = parts;
  const offers = await others.snapshots(tail);
  for (const { offered, from } of offers) {
    const about = `The snapshot of node ${from.node} at seq ${offered.seq}`;
    try {
      const stateHash = await vouchedFor(parts, { offered, from }, base);
      onNote(`${about} is taken over: ${offered.bytes} bytes.`);
      const file = await own.receive(offered, stateHash, (at) => others.piece(from, offered, at));
      await own.beginBehind(offered, file);
      return own.tail;
    } catch (error) {
      if (!(error instanceof OfferRefused)) throw error;
      onNote(`${about} is passed over: ${error.message}.`);
    }
  }
  return undefined;
}

/**
 * Throws OfferRefused where the store does not bear out what a node offers. Gives the hash of the state that the
 * snapshot must have.
 */
async function vouchedFor({ store, others }: JoiningParts, offer: Offer, base: Base): Promise<string | undefined> {
  const { offered, from } = offer;
  const { snapshotSeq, snapshotState } = from;
  if (snapshotState !== undefined && snapshotSeq !== offered.seq)
    throw new OfferRefused("its node has not told the store of it yet");
  const told = (await others.list()).filter(
    (node) => node.snapshotSeq === offered.seq && node.snapshotState !== undefined,
  );
  if (told.some((node) => node.snapshotState !== snapshotState))
    throw new OfferRefused("nodes have told the store of different states there");
  const end: Tail = { seq: offered.seq, hash: bytesOf(offered.hash), timeMs: offered.timeMs };
  const belongs = end.seq < base.seq ? await leadsToBase(others, end, base) : await stands(store, end, base);
  if (!belongs) throw new OfferRefused("it does not belong to the log in the store");
  return snapshotState;
}

/** Whether a group of the store ends there. */
async function stands(store: JoiningParts["store"], end: Tail, base: Base): Promise<boolean> {
  try {
    return (await placeOf(store, end, base)) !== undefined;
  } catch (error) {
    if (error instanceof CopyRefused) return false;
    throw error;
  }
}

/** Brings the copy nearer to the base, from other nodes and the archive; undefined: none of them can. */
async function bringUp(parts: JoiningParts, tail: Tail, base: Base): Promise<Tail | undefined> {
  const { own, others } = parts;
  const groups = missingGroups(others, tail, base);
  let end = tail;
  for (;;) {
    const { value, done } = await groups.next();
    if (done === true) {
      await own.settled();
      if (end.seq > tail.seq) return end;
      if (value === "strayed") throw differs(tail);
      return await takeSnapshot(parts, tail, base);
    }
    for (const group of value) {
      own.store(group);
      end = endOf(end, group);
    }
    // What waits for the disk stays within an answer of another node.
    await own.settled();
  }
}

/**
 * The place of the copy's last group in the store, and its time; undefined: the store has moved on meanwhile. Throws
 * CopyRefused.
 */
async function placeOf(
  store: JoiningParts["store"],
  tail: Tail,
  base: Base,
): Promise<{ readonly place: number; readonly timeMs: number } | undefined> {
  if (tail.seq === base.seq) {
    if (hexOf(tail.hash) !== base.hash) throw differs(tail);
    return base;
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
  const isSame = hexOf(chainHash(bytesOf(entry.prevHash), entry)) === hexOf(tail.hash);
  if (lastSeqOf(entry) > tail.seq || !isSame) throw differs(tail);
  return { place: low, timeMs: entry.timeMs };
}

function differs({ seq }: Tail): CopyRefused {
  return new CopyRefused(
    `The log in this folder goes another way than the one in the store: they differ at seq ${seq} or before. It ` +
      "is the copy of another time. Move the folder away, and start this node with an empty one.",
  );
}

function beyond({ seq }: Tail, end: number): CopyRefused {
  return new CopyRefused(
    `The log in this folder goes to seq ${seq}, the one in the store ends at seq ${end}: the store was restored ` +
      "from a copy, or was given an older log, and lacks commands that were acknowledged. Stop all nodes and put " +
      "the longest log into an empty store with: bourse cluster adopt.",
  );
}
