import { chainHash, type LogGroup, lastSeqOf } from "../../log/chain.ts";
import type { Origin } from "../entry.ts";
import type { Position } from "../message.ts";
import { LogsDiffer } from "./faults.ts";
import { type AgreementPorts, hexOf, quorumOf, type Self, type Tail } from "./ports.ts";

/** Groups whose origin is remembered, for nodes that must read them from here. */
const REMEMBERED = 4_096;

/** So much may be on its way to the disk, and to be for good: a disk that hangs must not fill the memory of its node. */
const PENDING_BYTES_MAX = 64 * 1024 * 1024;

/** A group that was handed to the disk. */
interface Pending {
  readonly group: LogGroup;
  readonly token: number | undefined;
  readonly end: Tail;
}

/** The log of this node: where it ends, how far it is on the disk, and up to where a quorum of nodes has it on theirs, which is for good. */
export class HeldLog {
  readonly #self: Self;
  readonly #quorum: number;
  readonly #ports: Pick<AgreementPorts, "store" | "commit">;
  /** The end of what was handed to the disk, and how far it is there. */
  #tail: Tail;
  #synced: Tail;
  #committedSeq: number | undefined;
  /** Handed to the disk and not yet in the log for good. */
  readonly #pending: Pending[] = [];
  #pendingSynced = 0;
  #pendingBytes = 0;
  /** What other nodes last said of theirs. */
  readonly #positions = new Map<string, Pick<Position, "generation" | "seq" | "hash">>();
  readonly #origins = new Map<number, Origin>();
  /** Ends of the latest groups: what others say of them is held against this. */
  readonly #hashes = new Map<number, string>();

  constructor(self: Self, tail: Tail, ports: Pick<AgreementPorts, "store" | "commit">) {
    this.#self = self;
    this.#quorum = quorumOf(self);
    this.#ports = ports;
    this.#tail = tail;
    this.#synced = tail;
  }

  /** Where it ends, be it on the disk or on its way there. */
  get tail(): Tail {
    return this.#tail;
  }

  /** How far it is on the disk. */
  get synced(): Tail {
    return this.#synced;
  }

  /** Whether all of it is there. */
  get isSynced(): boolean {
    return this.#synced.seq === this.#tail.seq;
  }

  /** Whether all that came since the start is in the log for good. */
  get isSettled(): boolean {
    return this.#pending.length === 0;
  }

  /** Whether so much is under way that no more is to be taken over for now. */
  get isFull(): boolean {
    return this.#pendingBytes > PENDING_BYTES_MAX;
  }

  /** How far it is in the log for good, as far as is known here; undefined before a quorum was heard of. */
  get committedSeq(): number | undefined {
    return this.#committedSeq;
  }

  /** Who proposed the group that begins at `firstSeq`, if that is remembered. */
  originOf(firstSeq: number): Origin | undefined {
    return this.#origins.get(firstSeq);
  }

  /** Puts a group behind the log. `token`: what this process calls it, if it proposed it. */
  append(group: LogGroup, origin: Origin | undefined, token: number | undefined): void {
    const { firstSeq, timeMs } = group;
    const end = { seq: lastSeqOf(group), hash: chainHash(this.#tail.hash, group), timeMs };
    this.#tail = end;
    remember(this.#hashes, end.seq, hexOf(end.hash));
    if (origin !== undefined) remember(this.#origins, firstSeq, origin);
    this.#pending.push({ group, token, end });
    this.#pendingBytes += group.payload.length;
    this.#ports.store(group);
  }

  /** Everything up to `seq` is on the disk. */
  stored(seq: number): void {
    while (this.#pendingSynced < this.#pending.length) {
      const { end } = this.#pending[this.#pendingSynced] as Pending;
      if (end.seq > seq) break;
      this.#pendingSynced++;
      this.#synced = end;
    }
  }

  /** The log was made, or cut back, and ends here. */
  beginAt(tail: Tail): void {
    this.#tail = tail;
    this.#synced = tail;
    this.#hashes.clear();
  }

  /** What is under way is being taken out of the log again. */
  letGo(): void {
    this.#pending.length = 0;
    this.#pendingSynced = 0;
    this.#pendingBytes = 0;
  }

  /** What another node says of its log; whether it may have brought more into the log for good. `generation`: the one that is followed here. */
  heard({ from, generation, seq, hash }: Position, followed: number | undefined): boolean {
    const known = this.#positions.get(from);
    const hasLost = known !== undefined && known.generation === generation && known.seq > seq;
    // It lost what it had said to hold: only a disk that was changed by hand does that.
    if (!hasLost || followed === generation) this.#positions.set(from, { generation, seq, hash });
    return !hasLost;
  }

  /** Commits what a quorum of those that follow `generation` holds, as far as this node's own disk has it. Gives what must not be. */
  commit(generation: number): LogsDiffer | undefined {
    const seqs = [this.#synced.seq];
    for (const [node, position] of this.#positions) {
      if (node === this.#self.node || position.generation !== generation) continue;
      const { seq, hash } = position;
      const own = this.#hashes.get(seq);
      if (own !== undefined && own !== hash) return new LogsDiffer(seq, node);
      seqs.push(seq);
    }
    if (seqs.length < this.#quorum) return undefined;
    seqs.sort((one, other) => other - one);
    const held = Math.min(seqs[this.#quorum - 1] as number, this.#synced.seq);
    this.#committedSeq = Math.max(held, this.#committedSeq ?? held);
    while (this.#pending.length > 0) {
      const { group, token, end } = this.#pending[0] as Pending;
      if (end.seq > this.#committedSeq || this.#pendingSynced === 0) break;
      this.#pending.shift();
      this.#pendingSynced--;
      this.#pendingBytes -= group.payload.length;
      this.#ports.commit(group, token);
    }
    return undefined;
  }
}

function remember<Value>(map: Map<number, Value>, key: number, value: Value): void {
  map.set(key, value);
  if (map.size <= REMEMBERED) return;
  const [oldest] = map.keys();
  map.delete(oldest as number);
}
