import { chainHash, type LogGroup, lastSeqOf } from "../../log/chain.ts";
import { hexOf, type Leader, type Tail } from "../entry.ts";
import type { PlacedGroup } from "../store.ts";
import { Election } from "./election.ts";
import { Leadership, type Made } from "./leadership.ts";
import type { Forward, OrderingPorts, Self } from "./ports.ts";
import { type Proposal, Proposals } from "./proposals.ts";

export interface OrderingOptions extends Self {
  /** Where the log of this node ends, and the place of its last group in the store. */
  readonly tail: Tail;
  readonly place: number;
}

/** The groups in the store do not continue the log of this node. */
export class LogsDiffer extends Error {
  constructor(place: number, seq: number) {
    super(`The group at place ${place} of the store does not continue the log of this node, which ends at seq ${seq}.`);
    this.name = "LogsDiffer";
  }
}

/**
 * Groups came from another node's log, which does not say who proposed them, while something proposed here was under
 * way.
 */
export class FateUnknown extends Error {
  constructor() {
    super(
      "This node was away for so long that the store no longer has what was put meanwhile: what became of the " +
        "commands under way here cannot be known.",
    );
    this.name = "FateUnknown";
  }
}

/**
 * The rules by which several nodes make one log in the store. The leader alone puts groups there, under its term; the
 * store refuses it when another one leads. Every node takes over what the store tells, in its order.
 */
export class Ordering {
  readonly #self: Self;
  readonly #ports: OrderingPorts;
  readonly #proposals: Proposals;
  readonly #election: Election;
  #tail: Tail;
  #place: number;
  #leader: Leader | undefined;
  #leadership: Leadership | undefined;
  #isLeaving = false;
  #hasFailed = false;

  constructor({ node, boot, tail, place }: OrderingOptions, ports: OrderingPorts) {
    this.#self = { node, boot };
    this.#ports = ports;
    this.#tail = tail;
    this.#place = place;
    this.#proposals = new Proposals(this.#self, ports);
    this.#election = new Election(this.#self, ports);
  }

  /** Where the log ends. */
  get tail(): Tail {
    return this.#tail;
  }

  get place(): number {
    return this.#place;
  }

  get leader(): Leader | undefined {
    return this.#leader;
  }

  get isLeader(): boolean {
    return this.#leadership !== undefined;
  }

  /** For how long nothing that was proposed here has come into the log, ms. */
  get waitsMs(): number {
    return this.#proposals.waitsMs;
  }

  /** Whether this node leads by `term`, and the store takes what it puts. */
  leadsBy(term: number): boolean {
    return this.#leadership?.term === term && !this.#election.isStuck(this.#leadership.waitsMs);
  }

  /** The payload is lent until the group is committed. What is proposed is committed in that order. */
  propose(payload: Uint8Array, count: number, token: number): void {
    const proposal = { token, count, payload };
    this.#proposals.add(proposal);
    if (this.#leadership !== undefined) this.#order(this.#leadership, proposal);
  }

  #order(leadership: Leadership, proposal: Proposal): void {
    this.#proposals.ordered(proposal);
    leadership.order(proposal);
  }

  /**
   * The store is not followed for a while: until this node is told who leads, what is proposed waits here. Groups that
   * leave the store meanwhile then leave nothing in doubt.
   */
  rest(): void {
    this.#proposals.putTo(undefined);
  }

  /**
   * Orders a group of the leader's own, that no sequencer proposed: `make` gives it when everything ordered before
   * has been applied; undefined: it is not wanted any more. Given up when this node no longer leads.
   */
  orderAlone(make: () => Made | undefined): void {
    this.#leadership?.orderAlone(make);
  }

  // --- What the store tells
  // ---------------------------------------------------------------------------------------------------

  group({ place, entry }: PlacedGroup): void {
    if (this.#hasFailed) return;
    const { firstSeq, prevHash, origin } = entry;
    if (place !== this.#place + 1 || firstSeq !== this.#tail.seq + 1 || prevHash !== hexOf(this.#tail.hash)) {
      this.#fail(new LogsDiffer(place, this.#tail.seq));
      return;
    }
    const isOwn = origin.node === this.#self.node && origin.boot === this.#self.boot;
    if (isOwn) {
      const first = this.#proposals.settle();
      if (first !== origin.token) {
        this.#fail(new Error(`Proposal ${origin.token} came into the log when ${first} was the next one.`));
        return;
      }
    }
    this.#append(entry, place, isOwn ? origin.token : undefined);
  }

  /** Groups that are no longer in the store, from another node's log. */
  fetched(groups: readonly LogGroup[]): void {
    if (this.#hasFailed) return;
    if (this.#proposals.areOut) {
      this.#fail(new FateUnknown());
      return;
    }
    for (const group of groups) this.#append(group, undefined, undefined);
  }

  /** All that was missing came: the log ends with the group that stood at `place`. */
  goOn(place: number): void {
    this.#place = place;
    this.#leadership?.applied(place, this.#tail.seq);
  }

  #append(group: LogGroup, place: number | undefined, token: number | undefined): void {
    this.#tail = { seq: lastSeqOf(group), hash: chainHash(this.#tail.hash, group), timeMs: group.timeMs };
    if (place !== undefined) this.#place = place;
    this.#ports.commit(group, place, token);
    this.#election.progressed();
    // Of what another node hands over the places are known when all of it is there.
    if (place !== undefined) this.#leadership?.applied(place, this.#tail.seq);
  }

  /** Who leads from now on. All that was put before has been told. */
  leads(leader: Leader | undefined): void {
    if (this.#hasFailed) return;
    const led = this.#leadership !== undefined;
    this.#leadership?.end();
    this.#leadership = undefined;
    this.#leader = leader;
    this.#election.changed(leader);
    const isSelf = leader?.node === this.#self.node && leader.boot === this.#self.boot;
    if (led) this.#ports.leads(false);
    this.#proposals.putTo(isSelf ? undefined : leader);
    if (!isSelf) return;
    const parts = { self: this.#self, term: leader.term, place: this.#place, tail: this.#tail };
    const leadership = new Leadership(parts, this.#ports);
    this.#leadership = leadership;
    for (const proposal of this.#proposals.waiting) this.#order(leadership, proposal);
    this.#ports.leads(true);
  }

  // --- What other nodes tell
  // --------------------------------------------------------------------------------------------------

  /** Another node puts a proposal to this one. */
  forwarded(forward: Forward): void {
    this.#leadership?.take(forward);
  }

  /** The leader of `term` answers that it leads. */
  heard(term: number): void {
    if (this.#leader?.term === term) this.#election.heard();
  }

  /** The way to the leader of `term` is there anew. */
  reached(term: number): void {
    if (this.#leader?.term === term) this.#proposals.sendAgain();
  }

  /** Where the leader of `term` was, nobody listens: its process has ended. */
  isGone(term: number): void {
    if (this.#leader?.term === term) this.#election.gone();
  }

  // --- Time
  // -------------------------------------------------------------------------------------------------------------------

  /** To be called every 20 to 50 ms, while the store is followed. */
  tick(): void {
    if (this.#hasFailed) return;
    const now = this.#ports.now();
    this.#proposals.tick(now);
    if (this.#leadership === undefined) this.#election.tick(now, this.#leader, this.#proposals.waitsMs);
    else this.#leadership.tick(now);
    this.#resignWhenDue();
  }

  /**
   * This node is about to stop, and proposes no more: as soon as what it proposed is in the log another one may lead.
   */
  leave(): void {
    this.#isLeaving = true;
    this.#election.leave();
    this.#resignWhenDue();
  }

  #resignWhenDue(): void {
    if (!this.#isLeaving || this.#leadership === undefined || this.#proposals.waiting.length > 0) return;
    this.#isLeaving = false;
    this.#ports.store.resign(this.#leadership.term);
  }

  #fail(error: Error): void {
    this.#hasFailed = true;
    this.#leadership?.end();
    this.#leadership = undefined;
    this.#ports.fail(error);
  }
}
