/**
 * A store as etcd is one: linearizable, with revisions, watches, a lease for each process, and places that are taken
 * out.
 */
import assert from "node:assert/strict";
import type { Base, Leader } from "../../src/cluster/entry.ts";
import type { Page, PlacedGroup, PutOutcome, StoreEnd, StoreEvent } from "../../src/cluster/store.ts";

const PAGE = 8;

export class ModelStore {
  readonly #groups = new Map<number, PlacedGroup>();
  #events: StoreEvent[] = [];
  #revision = 1;
  #compacted = 0;
  #base: Base;
  #leader: Leader | undefined;
  #last: number;

  constructor(base: Base) {
    this.#base = base;
    this.#last = base.place;
  }

  get revision(): number {
    return this.#revision;
  }

  get leader(): Leader | undefined {
    return this.#leader;
  }

  get base(): Base {
    return this.#base;
  }

  get last(): number {
    return this.#last;
  }

  /** As etcd does it: a place that was taken out is empty again, and a late call of the leader fills it. */
  put(term: number, groups: readonly PlacedGroup[]): PutOutcome {
    const [first] = groups as [PlacedGroup];
    const there = this.#groups.get(first.place);
    if (this.#leader?.term === term && there === undefined) {
      assert.ok(first.place <= this.#last + 1, "a place was left out");
      this.#revision++;
      for (const group of groups) {
        this.#groups.set(group.place, group);
        this.#last = Math.max(this.#last, group.place);
        this.#events.push({ kind: "group", revision: this.#revision, group });
      }
      return "in";
    }
    if (there !== undefined && same(there, first)) return "in";
    return this.#leader?.term === term ? "taken" : "deposed";
  }

  lead(over: number, node: Omit<Leader, "term">): void {
    if ((this.#leader?.term ?? 0) !== over) return;
    this.#revision++;
    this.#leader = { ...node, term: this.#revision };
    this.#events.push({ kind: "leader", revision: this.#revision, leader: this.#leader });
  }

  /** The leader's key goes: its lease has run out, or it resigns. */
  drop(of: (leader: Leader) => boolean): void {
    if (this.#leader === undefined || !of(this.#leader)) return;
    this.#revision++;
    this.#leader = undefined;
    this.#events.push({ kind: "leader", revision: this.#revision, leader: undefined });
  }

  read(from: number): Page {
    const places = this.#placesFrom(from);
    const groups = places.slice(0, PAGE).map((place) => this.#groups.get(place) as PlacedGroup);
    return { revision: this.#revision, base: this.#base, groups, isWhole: places.length <= PAGE, leader: this.#leader };
  }

  endFrom(from: number): StoreEnd {
    const place = Math.max(from - 1, this.#base.place) + this.#placesFrom(from).length;
    return { place, term: this.#leader?.term ?? 0 };
  }

  #placesFrom(from: number): number[] {
    return [...this.#groups.keys()].filter((place) => place >= from).sort((one, other) => one - other);
  }

  /** Events from a revision on; undefined: they are no longer there. */
  eventsFrom(revision: number): readonly StoreEvent[] | undefined {
    if (revision <= this.#compacted) return undefined;
    // Revisions rise, and who asks has heard of nearly all.
    const before = this.#events.findLastIndex((event) => event.revision < revision);
    return this.#events.slice(before + 1);
  }

  /** The store begins behind `to`, and forgets what happened before. */
  takeOut(to: Base): void {
    if (to.place <= this.#base.place || to.place > this.#last) return;
    for (const place of this.#groups.keys()) if (place <= to.place) this.#groups.delete(place);
    this.#base = to;
    this.#compacted = ++this.#revision;
    this.#events = [];
  }
}

function same(one: PlacedGroup, other: PlacedGroup): boolean {
  const { payload, ...head } = one.entry;
  const { payload: otherPayload, ...otherHead } = other.entry;
  return JSON.stringify(head) === JSON.stringify(otherHead) && Buffer.compare(payload, otherPayload) === 0;
}
