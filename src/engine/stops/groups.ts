/** Kinds of groups; their places are part of snapshots and never change. */
export const GROUP_KINDS = ["oco", "bracket"] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

/**
 * Orders of which one ends others. Of a pair (`oco`) the first that is filled or triggered cancels the other; of a
 * bracket the order is the entry, and what is filled of it is what the stop orders, a pair, close. Source: domain 2.20.
 */
export interface Group {
  readonly id: number;
  readonly kind: GroupKind;
  /** The order that rests; 0: there is none, or no more. */
  orderId: number;
  /** Stop orders that wait, by ascending id; never none. */
  stopIds: readonly number[];
}

/** Groups that have members of which one can still end another: found by each of them. */
export class Groups {
  nextId = 1;
  private readonly byId = new Map<number, Group>();
  private readonly byOrder = new Map<number, Group>();
  private readonly byStop = new Map<number, Group>();

  get count(): number {
    return this.byId.size;
  }

  /** All of them, by ascending id. */
  get all(): Group[] {
    return [...this.byId.values()].sort((one, other) => one.id - other.id);
  }

  enter(group: Group): void {
    this.byId.set(group.id, group);
    if (group.orderId > 0) this.byOrder.set(group.orderId, group);
    for (const stopId of group.stopIds) this.byStop.set(stopId, group);
  }

  find(id: number): Group | undefined {
    return this.byId.get(id);
  }

  ofOrder(orderId: number): Group | undefined {
    return this.byOrder.get(orderId);
  }

  ofStop(stopId: number): Group | undefined {
    return this.byStop.get(stopId);
  }

  /** Its order rests no more. */
  dropOrder(group: Group): void {
    this.byOrder.delete(group.orderId);
    group.orderId = 0;
    this.dissolveAlone(group);
  }

  /** One of its stop orders waits no more. */
  dropStop(group: Group, stopId: number): void {
    this.byStop.delete(stopId);
    group.stopIds = group.stopIds.filter((other) => other !== stopId);
    this.dissolveAlone(group);
  }

  dissolve(group: Group): void {
    this.byId.delete(group.id);
    this.byOrder.delete(group.orderId);
    for (const stopId of group.stopIds) this.byStop.delete(stopId);
  }

  /** Anyone who is left alone is in no group: there is nobody to cancel. */
  private dissolveAlone(group: Group): void {
    if (group.stopIds.length === 0 || (group.orderId === 0 && group.stopIds.length === 1)) this.dissolve(group);
  }
}
