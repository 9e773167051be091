import { pathToFileURL } from "node:url";
import type { Draft } from "../../src/engine/trading/draft.ts";

/** The pieces of an engine that a race needs, from this repository or from a work tree of another commit. */
export interface Checkout
  extends Pick<typeof import("../../src/engine/engine.ts"), "Engine" | "refusalIn">,
    Pick<typeof import("../../src/engine/command.ts"), "encodeCommand">,
    Pick<typeof import("../../src/engine/event.ts"), "decodeEvents" | "decodeOrder">,
    Pick<typeof import("../../src/engine/words.ts"), "WordBuffer">,
    Pick<typeof import("../../src/engine/trading/draft.ts"), "Draft">,
    Pick<typeof import("../../src/engine/trading/order.ts"), "Orders">,
    Pick<typeof import("../../src/engine/trading/ladder-book.ts"), "LadderBook">,
    Pick<typeof import("../../src/engine/trading/plain-book.ts"), "PlainBook"> {
  /** Of commits in which all engines of a process shared one. */
  readonly draft?: Draft;
}

const MODULES = [
  "engine",
  "command",
  "event",
  "words",
  "trading/draft",
  "trading/order",
  "trading/ladder-book",
  "trading/plain-book",
];

/** Loads them from the repository at `root`. */
export async function loadCheckout(root: string): Promise<Checkout> {
  const modules = MODULES.map((name) => import(pathToFileURL(`${root}/src/engine/${name}.ts`).href));
  return Object.assign({}, ...(await Promise.all(modules)));
}
