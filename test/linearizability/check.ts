/**
 * Whether what clients saw of one thing can have come of one order of their operations, in which each happens at once,
 * after it was asked for and before it was answered: the search of Wing and Gong, with Lowe's memory of where it has
 * been.
 */

/** What a client asked for, and what it was told. Times are of one clock. */
export interface Operation<Act, Answer> {
  readonly act: Act;
  readonly calledAt: number;
  /** Infinity: nobody knows whether it happened, or when. */
  readonly answeredAt: number;
  /** Undefined where there was no answer. */
  readonly answer: Answer | undefined;
}

/** The thing as it would be to a single client. States are values: `apply` makes new ones. */
export interface Model<State, Act, Answer> {
  readonly initial: State;
  apply(state: State, act: Act): { readonly state: State; readonly answer: Answer };
  /** Equal for equal answers. */
  shownAnswer(answer: Answer): string;
  /** Equal for equal states. */
  shownState(state: State): string;
}

/** As many as are given out in one call: 65,536 bytes. */
const RANDOM_AT_ONCE = 8_192;

/** A call or its end, in a list that operations leave as they are put in order. */
interface Entry {
  /** Number of the operation. */
  readonly nth: number;
  /** Of a call, its end; undefined of an end. */
  readonly end: Entry | undefined;
  before: Entry;
  next: Entry | undefined;
}

/** Of the operations that cannot be put in order, the one at which the longest attempt ended. */
export interface Contradiction<Act, Answer> {
  readonly operation: Operation<Act, Answer>;
  /** So many operations could be put in order before it. */
  readonly ordered: number;
}

/** The first thing that nobody can have seen; undefined when there is none. */
export function contradictionIn<State, Act, Answer>(
  history: readonly Operation<Act, Answer>[],
  model: Model<State, Act, Answer>,
): Contradiction<Act, Answer> | undefined {
  const answers = history.map(({ answer }) => (answer === undefined ? undefined : model.shownAnswer(answer)));
  const head = listed(history);
  const visited = new Set<string>();
  const done = new DoneSet(history.length);
  const path: { readonly entry: Entry; readonly state: State }[] = [];
  let state = model.initial;
  let entry = head.next;
  let stuck: { readonly nth: number; readonly ordered: number } | undefined;
  while (head.next !== undefined) {
    // The first end in the list is that of an operation that must come before all that is left.
    if (entry === undefined || entry.end === undefined) {
      if (entry !== undefined && (stuck === undefined || path.length > stuck.ordered)) {
        stuck = { nth: entry.nth, ordered: path.length };
      }
      const last = path.pop();
      if (last === undefined) {
        const { nth, ordered } = stuck as { nth: number; ordered: number };
        return { operation: history[nth] as Operation<Act, Answer>, ordered };
      }
      state = last.state;
      done.toggle(last.entry.nth);
      putBack(last.entry);
      entry = last.entry.next;
      continue;
    }
    const { act } = history[entry.nth] as Operation<Act, Answer>;
    const wanted = answers[entry.nth];
    const applied = model.apply(state, act);
    if (wanted === undefined || model.shownAnswer(applied.answer) === wanted) {
      done.toggle(entry.nth);
      const place = `${done.mark} ${model.shownState(applied.state)}`;
      if (!visited.has(place)) {
        visited.add(place);
        path.push({ entry, state });
        state = applied.state;
        takeOut(entry);
        entry = head.next;
        continue;
      }
      done.toggle(entry.nth);
    }
    entry = entry.next;
  }
  return undefined;
}

/** Which operations are in order already, told by a number of 64 bits that hardly two sets share. */
class DoneSet {
  readonly #ofOperation: BigUint64Array<ArrayBuffer>;
  #mark = 0n;

  constructor(operations: number) {
    this.#ofOperation = new BigUint64Array(operations);
    for (let from = 0; from < operations; from += RANDOM_AT_ONCE) {
      crypto.getRandomValues(this.#ofOperation.subarray(from, from + RANDOM_AT_ONCE));
    }
  }

  get mark(): string {
    return this.#mark.toString(36);
  }

  toggle(nth: number): void {
    this.#mark ^= this.#ofOperation[nth] as bigint;
  }
}

/** All calls and ends by time; of those of the same time calls come first, so that they count as at once. */
function listed(history: readonly Operation<unknown, unknown>[]): Entry {
  const head = { nth: -1, end: undefined, next: undefined } as unknown as Entry;
  const timed = history.flatMap(({ calledAt, answeredAt }, nth) => {
    const end = { nth, end: undefined, next: undefined } as unknown as Entry;
    const call = { nth, end, next: undefined } as unknown as Entry;
    return [
      { at: calledAt, rank: 0, entry: call },
      { at: answeredAt, rank: 1, entry: end },
    ];
  });
  timed.sort((one, other) => (one.at === other.at ? one.rank - other.rank : one.at < other.at ? -1 : 1));
  let last = head;
  for (const { entry } of timed) {
    entry.before = last;
    last.next = entry;
    last = entry;
  }
  return head;
}

function takeOut(call: Entry): void {
  for (const entry of [call, call.end as Entry]) {
    entry.before.next = entry.next;
    if (entry.next !== undefined) entry.next.before = entry.before;
  }
}

function putBack(call: Entry): void {
  for (const entry of [call.end as Entry, call]) {
    entry.before.next = entry;
    if (entry.next !== undefined) entry.next.before = entry;
  }
}
