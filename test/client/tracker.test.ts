/**
 * Rows kept current where several nodes serve one address: the one that is read may be ahead of the one that pushes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Answer } from "../../client/answer.ts";
import type { LineState } from "../../client/following.ts";
import { type Change, type Tracked, Tracker } from "../../client/tracker.ts";
import { runs } from "../support/runs.ts";

interface Row {
  readonly id: number;
  readonly filled: number;
  readonly updated_at: number;
}

interface Happened {
  readonly event: "put" | "update" | "finish";
  readonly row: Row;
}

/** A log of orders, a node that pushes what it has come to, and one that answers reads, further on. */
class TwoNodes {
  readonly log: Happened[] = [];
  readonly told: Change<Row>[] = [];
  readonly #open = new Map<number, Row>();
  #nextId = 1;
  #pushedTo = 0;
  #hear: (push: Happened) => void = () => {};
  #line: (state: LineState) => void = () => {};
  /** Reads that wait for their answer. */
  #reads: ((answer: Answer<readonly Row[]>) => void)[] = [];

  readonly tracked: Tracked<Row, Happened> = {
    idOf: ({ id }) => id,
    read: () => new Promise((resolve) => this.#reads.push(resolve)),
    fateOf: ({ id }) => Promise.resolve(this.log.findLast(({ row }) => row.id === id)?.row),
    changeIn: ({ event, row }) => ({ event, row, isGone: event === "finish" }),
    follow: (hear, onLine) => {
      this.#hear = hear;
      this.#line = onLine;
      onLine("followed");
      return Promise.resolve({ ok: true, data: { renew: () => {}, stop: () => {} } } as never);
    },
  };

  happen(dice: number): void {
    const rows = [...this.#open.values()];
    const row = rows[dice % (rows.length + 1)];
    const at = { updated_at: this.log.length + 1 };
    if (row === undefined) this.#enter("put", { id: this.#nextId++, filled: 0, ...at });
    else if (dice % 3 === 0) this.#enter("finish", { ...row, ...at });
    else this.#enter("update", { ...row, filled: row.filled + 1, ...at });
  }

  #enter(event: Happened["event"], row: Row): void {
    this.log.push({ event, row });
    if (event === "finish") this.#open.delete(row.id);
    else this.#open.set(row.id, row);
  }

  push(): void {
    const next = this.log[this.#pushedTo];
    if (next === undefined) return;
    this.#pushedTo++;
    this.#hear(next);
  }

  /** The answers of all reads show all that has happened, which the pushes need not have come to. */
  answer(): void {
    for (const resolve of this.#reads.splice(0)) resolve({ ok: true, data: this.open } as never);
  }

  /** The line ends, and the next one begins at a node that has everything that was answered before. */
  cut(): void {
    this.#line("lost");
    this.#pushedTo = this.log.length;
    this.#line("followed");
  }

  get open(): Row[] {
    return [...this.#open.values()];
  }

  get isBehind(): boolean {
    return this.#pushedTo < this.log.length || this.#reads.length > 0;
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function played(steps: readonly [kind: number, dice: number][]): Promise<TwoNodes> {
  const nodes = new TwoNodes();
  const starting = Tracker.start(nodes.tracked, (change) => nodes.told.push(change));
  nodes.answer();
  for (const [kind, dice] of steps) {
    if (kind < 5) nodes.happen(dice);
    else if (kind < 8) nodes.push();
    else if (kind < 9) nodes.answer();
    else nodes.cut();
    await settled();
  }
  while (nodes.isBehind) {
    nodes.answer();
    await settled();
    nodes.push();
  }
  const answer = await starting;
  assert.ok(answer.ok);
  const byId = (rows: Iterable<Row>) => [...rows].sort((one, other) => one.id - other.id);
  assert.deepEqual(byId(answer.data.rows.values()), byId(nodes.open));
  return nodes;
}

test("rows are those of the venue in the end, each change is told once, and nothing after the end of a row", async () => {
  const step = fc.tuple(fc.nat(9), fc.nat(1_000));
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 80 }), async (steps) => {
    const { told } = await played(steps);
    const gone = new Set<number>();
    const known = new Map<number, number>();
    for (const { row, event, isGone } of told) {
      assert.ok(!gone.has(row.id), `${event} of ${row.id} is told after its end`);
      assert.ok(isGone || row.updated_at > (known.get(row.id) ?? 0), `${event} of ${row.id} is told twice`);
      assert.ok(event !== "put" || !known.has(row.id), `${row.id} is put twice`);
      known.set(row.id, row.updated_at);
      if (isGone) gone.add(row.id);
    }
  });
  await fc.assert(property, runs(500));
});
