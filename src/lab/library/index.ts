/**
 * `import { startVenue } from "bourse"`: a venue of one's own, for tests and experiments. This file and what it imports
 * at once run on the machine's own Node (18 or later) and need no package; the venue itself is loaded when one starts
 * in this process.
 */
import { isNewEnough } from "../../../scripts/venue-node.js";
import { startChild } from "./child.ts";
import { givenOf, type StartOptions } from "./options.ts";
import { StartedVenue } from "./started-venue.ts";
import { TestWorld } from "./test-world.ts";

export {
  type Admin,
  AdminRefused,
  type ClockChange,
  type ClockState,
  type Refusal,
  type Snapshot,
  type VenueStatus,
  VenueStopped,
} from "./admin.ts";
export type { LogLevel, StartOptions } from "./options.ts";
export type { Account } from "./running.ts";
export type { Explained, Fault, IndexPrice, PlayedScenario, ScenarioOptions, StartedVenue } from "./started-venue.ts";
export type { TestWorld } from "./test-world.ts";

/**
 * Starts a venue of the dev profile, in memory and on free ports unless the options say otherwise, and resolves when it
 * serves. Rejects with a sentence that says what is wrong with the options, the folder or the ports; then nothing is
 * left running.
 */
export async function startVenue(options: StartOptions = {}): Promise<StartedVenue> {
  const given = givenOf(options);
  const onFault = options.onFault ?? (() => {});
  const isApart = options.child ?? !isNewEnough();
  if (!isApart && !isNewEnough()) {
    throw new Error(
      `This is Node ${process.versions.node}, and a venue runs within Node 24 or later only: leave "child" out, ` +
        "and it runs in a process of its own.",
    );
  }
  const running = isApart
    ? await startChild(given, onFault)
    : await (await import("./here.ts")).startHere(given, onFault);
  return new StartedVenue(running);
}

/**
 * A venue for a file of tests, each of which begins with the same world: `prepare` makes that world once, and every
 * test that is written as `world.fresh(…)` finds it as it was then. Works under any runner. `stop` it when the file is
 * done.
 */
export function testWorld(options: StartOptions = {}, prepare?: (venue: StartedVenue) => unknown): TestWorld {
  givenOf(options);
  return new TestWorld(() => startVenue(options), prepare);
}
