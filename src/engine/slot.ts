import type { State } from "./state.ts";

/**
 * Where a part keeps what is its own in the state, without a field there: `const points = new Slot(() => new Map())`,
 * then `points.of(state)`. For what is looked at all day a field of State is quicker.
 */
export class Slot<Value> {
  private readonly make: () => Value;

  constructor(make: () => Value) {
    this.make = make;
  }

  /** Returns the value that this state holds, made on first use. */
  of(state: State): Value {
    const known = state.slots.get(this);
    if (known !== undefined) return known as Value;
    const made = this.make();
    state.slots.set(this, made);
    return made;
  }
}
