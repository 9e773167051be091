/**
 * So many nodes beside those of every key may be there that nobody needs any more, and then as many again as there are
 * keys.
 */
const NEEDLESS_MAX = 64;

/**
 * Keys by their times, the earliest on top, at one time the lowest key. A time that is put off costs nothing: its key
 * stays where it was, and is looked up again when it comes up. So a timer that is set anew every second stands here
 * once or twice, however often it is.
 */
export class TimerHeap {
  private readonly timeOf: (key: number) => number | undefined;
  private nodes: Node[] = [];
  /** The earliest time under which a key stands. */
  private readonly earliest = new Map<number, number>();

  /** `timeOf` says the time of a key, undefined of one that has none. */
  constructor(timeOf: (key: number) => number | undefined) {
    this.timeOf = timeOf;
  }

  /** How many nodes there are; at least one for each key that has a time. */
  get size(): number {
    return this.nodes.length;
  }

  /** The earliest time; undefined when no key has one. */
  get nextAtMs(): number | undefined {
    this.settle();
    return this.nodes[0]?.atMs;
  }

  /** A key has got this time. */
  set(key: number, atMs: number): void {
    const known = this.earliest.get(key);
    if (known !== undefined && known <= atMs) return;
    this.earliest.set(key, atMs);
    if (this.nodes.length >= NEEDLESS_MAX + 2 * this.earliest.size) this.nodes = this.needed();
    else this.push({ key, atMs });
  }

  /** Takes out the key with the earliest time, if that is by `timeMs`. */
  takeDue(timeMs: number): number | undefined {
    this.settle();
    const top = this.nodes[0];
    if (top === undefined || top.atMs > timeMs) return undefined;
    this.pop();
    this.earliest.delete(top.key);
    return top.key;
  }

  /** Puts what is on top and no longer true where it belongs, until what is on top is true. */
  private settle(): void {
    for (let top = this.nodes[0]; top !== undefined; top = this.nodes[0]) {
      const atMs = this.timeOf(top.key);
      if (atMs === top.atMs && this.earliest.get(top.key) === atMs) return;
      this.pop();
      if (this.earliest.get(top.key) !== top.atMs) continue;
      this.earliest.delete(top.key);
      if (atMs !== undefined) this.set(top.key, atMs);
    }
  }

  /** A node for each key. What is in order is a heap. */
  private needed(): Node[] {
    return [...this.earliest]
      .map(([key, atMs]) => ({ key, atMs }))
      .sort((one, other) => (isBefore(one, other) ? -1 : 1));
  }

  private push(node: Node): void {
    const { nodes } = this;
    let place = nodes.push(node) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!isBefore(node, nodes[above] as Node)) break;
      nodes[place] = nodes[above] as Node;
      place = above;
    }
    nodes[place] = node;
  }

  private pop(): void {
    const { nodes } = this;
    const last = nodes.pop();
    if (last === undefined || nodes.length === 0) return;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= nodes.length) break;
      if (below + 1 < nodes.length && isBefore(nodes[below + 1] as Node, nodes[below] as Node)) below++;
      if (!isBefore(nodes[below] as Node, last)) break;
      nodes[place] = nodes[below] as Node;
      place = below;
    }
    nodes[place] = last;
  }
}

interface Node {
  readonly key: number;
  readonly atMs: number;
}

function isBefore(left: Node, right: Node): boolean {
  return left.atMs === right.atMs ? left.key < right.key : left.atMs < right.atMs;
}
