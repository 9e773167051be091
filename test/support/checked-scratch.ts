import { Engine } from "../../src/engine/engine.ts";
import type { Scratch } from "../../src/engine/scratch.ts";
import type { BookMaker } from "../../src/engine/state.ts";

/** A new engine that is checked. */
export function checkedEngine(makeBook?: BookMaker): Engine {
  return checkScratch(new Engine(makeBook));
}

/**
 * Lets a command of the engine read only those figures of its scratch that it has written itself: one that the command
 * before has left there would make what a command comes to hang on more than the state.
 */
export function checkScratch(engine: Engine): Engine {
  const { apply } = engine;
  const commands = { begun: 0 };
  let guarded: Scratch | undefined;
  engine.apply = (...args) => {
    // A venue that goes back has another scratch.
    if (guarded !== engine.state.scratch) guarded = guard(engine.state.scratch, commands);
    commands.begun++;
    return apply.apply(engine, args);
  };
  return engine;
}

function guard(scratch: Scratch, commands: { readonly begun: number }): Scratch {
  for (const [name, figures] of Object.entries(scratch)) {
    for (const [key, { get, set }] of accessorsOf(figures)) {
      let writtenBy = -1;
      Object.defineProperty(figures, key, {
        get() {
          if (writtenBy !== commands.begun)
            throw new Error(`The command reads ${name}.${key}, which it has not written.`);
          return get();
        },
        set(value) {
          writtenBy = commands.begun;
          set(value);
        },
      });
    }
  }
  return scratch;
}

/** How to read and write what an object has, in fields and in memory behind accessors. */
function* accessorsOf(figures: object): Generator<[string, { get(): unknown; set(value: unknown): void }]> {
  for (const [key, value] of Object.entries(figures)) {
    // The words of its memory have names of their own.
    if (ArrayBuffer.isView(value) || /^\d+$/.test(key)) continue;
    let kept = value;
    yield [key, { get: () => kept, set: (next) => (kept = next) }];
  }
  for (const [key, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(figures)))) {
    if (get !== undefined && set !== undefined) yield [key, { get: get.bind(figures), set: set.bind(figures) }];
  }
}
