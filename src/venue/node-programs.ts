/**
 * Looks in a row that a node must miss to count as away. With a look each 5 s that is a minute: longer than a start, a
 * busy machine or a lost message takes.
 */
export const AWAY_LOOKS = 12;

/**
 * A node's answer to a look at all nodes; `rules` are the newest that the node's program has, undefined where it did
 * not answer.
 */
export interface LookedAt {
  readonly node: string;
  readonly rules: number | undefined;
}

interface Known {
  /** As it last said; undefined: it never did. */
  readonly rules: number | undefined;
  /** Looks in a row that it did not answer. */
  readonly missed: number;
}

/**
 * Which rules the programs of all nodes have, as the one that leads finds it look by look. Who does not answer counts
 * with what it last said until it has been away for long: silence is no sign of a newer program. Time is counted in
 * looks, since a clock runs on while a machine sleeps.
 */
export class NodePrograms {
  readonly #known = new Map<string, Known>();

  /** To be told of all nodes at each look, the one that looks included. Of who is none any more nothing is known. */
  looked(answers: readonly LookedAt[]): void {
    for (const node of this.#known.keys())
      if (!answers.some((answer) => answer.node === node)) this.#known.delete(node);
    const answered = answers.filter(({ rules }) => rules !== undefined).length;
    // Who hears less than half of them is cut off itself, and has learnt nothing of the others.
    const hears = answered * 2 > answers.length;
    for (const { node, rules } of answers) {
      const before = this.#known.get(node) ?? { rules: undefined, missed: 0 };
      if (rules !== undefined) this.#known.set(node, { rules, missed: 0 });
      else if (hears) this.#known.set(node, { ...before, missed: before.missed + 1 });
    }
  }

  /** Whether no node that is there would have to stop at rules `version`. */
  allHave(version: number): boolean {
    const all = [...this.#known.values()];
    return all.length > 0 && all.every(({ rules, missed }) => missed >= AWAY_LOOKS || (rules ?? 0) >= version);
  }
}
