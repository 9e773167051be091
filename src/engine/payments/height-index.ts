/**
 * Heights at which something moves on, each with the ids of what does: heads come one after another, and only what is
 * due is looked at.
 */
export class HeightIndex {
  private readonly atHeights = new Map<number, Set<number>>();

  /** An id may stand at several heights: who comes too early is entered again. */
  add(height: number, id: number): void {
    const there = this.atHeights.get(height);
    if (there === undefined) this.atHeights.set(height, new Set([id]));
    else there.add(id);
  }

  /** Takes out whatever stands at heights up to `head`, in ascending id. */
  reach(head: number): number[] {
    const ids = new Set<number>();
    for (const [height, there] of this.atHeights) {
      if (height > head) continue;
      for (const id of there) ids.add(id);
      this.atHeights.delete(height);
    }
    return [...ids].sort((one, other) => one - other);
  }
}
