/**
 * `import { startVenue } from "bourse"`: a venue of one's own, for tests and experiments. This file and what it imports at once run on the
 * machine's own Node (18 or later) and need no package; the venue itself is loaded when one starts in this process.
 */
import { isNewEnough } from "../../scripts/venue-node.js";
import { Admin } from "./admin.ts";
import { startChild } from "./child.ts";
import { givenOf, type StartOptions } from "./options.ts";
import type { Account } from "./running.ts";

export {
  type Admin,
  AdminRefused,
  type ClockChange,
  type ClockState,
  type Snapshot,
  type VenueStatus,
} from "./admin.ts";
export type { LogLevel, StartOptions } from "./options.ts";
export type { Account } from "./running.ts";

/** A venue that serves. */
export interface StartedVenue {
  /** Where the API listens, as `http://127.0.0.1:PORT`; its calls stand below `/v2`. */
  readonly url: string;
  /** Where its sockets are, as `ws://127.0.0.1:PORT`; they stand at `/v2/spot` and `/v2/futures`. */
  readonly wsUrl: string;
  /** Where the operator's interface listens; `admin` calls it. */
  readonly adminUrl: string;
  /** Two with funds, alice and bob; in a folder whose venue was made elsewhere those that are known there. */
  readonly accounts: readonly Account[];
  readonly admin: Admin;
  /** Stops the venue and frees its ports, threads and files. Calling it again waits for the same. */
  stop(): Promise<void>;
}

/**
 * Starts a venue of the dev profile, in memory and on free ports unless the options say otherwise, and resolves when it serves. Rejects
 * with a sentence that says what is wrong with the options, the folder or the ports; then nothing is left running.
 */
export async function startVenue(options: StartOptions = {}): Promise<StartedVenue> {
  const given = givenOf(options);
  const onFault = options.onFault ?? (() => {});
  const isApart = options.child ?? !isNewEnough();
  if (!isApart && !isNewEnough()) {
    throw new Error(
      `This is Node ${process.versions.node}, and a venue runs within Node 24 or later only: leave "child" out, and it runs in a process of its own.`,
    );
  }
  const running = isApart
    ? await startChild(given, onFault)
    : await (await import("./here.ts")).startHere(given, onFault);
  const { url, adminUrl, adminToken, accounts } = running;
  return {
    ...{ url, adminUrl, accounts },
    wsUrl: url.replace(/^http/, "ws"),
    admin: new Admin(adminUrl, adminToken),
    stop: () => running.stop(),
  };
}
