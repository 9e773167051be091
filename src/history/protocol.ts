import type { MessagePort } from "node:worker_threads";
import type { HistoryStep } from "./fault.ts";
import type { HistoryReader } from "./parts.ts";
import type { HistoryFileOptions } from "./sqlite/history-file.ts";

export type QueryName = keyof HistoryReader;

export type HistoryWorkerData = Omit<HistoryFileOptions, "parts">;

export interface DatabaseWorkerData extends Omit<HistoryWorkerData, "path"> {
  readonly address: string;
  /** Whether a history that goes further than the log ends the start, instead of being made anew. */
  readonly refusesLostTail: boolean;
}

/** How a history in a database stands: only who writes, or comes to what it has missed, changes it. */
export type HistoryStatus = "writing" | "waiting" | "away" | "catching_up";

/** Messages are worked off in the order in which they were posted. */
export type ToHistoryWorker =
  /** The memory of the events goes over to the worker, which sends it back. */
  | { readonly kind: "append"; readonly events: Uint8Array<ArrayBuffer>; readonly lastSeq: number }
  | { readonly kind: "query"; readonly id: number; readonly name: QueryName; readonly query: unknown }
  | { readonly kind: "flush"; readonly id: number }
  /** All that it holds now goes into the file `image`. */
  | { readonly kind: "keep"; readonly id: number; readonly image: string }
  /** It becomes what `image` holds, as the view of another venue. */
  | { readonly kind: "go_back"; readonly id: number; readonly image: string; readonly venueId: string }
  /** The events that it has missed come over this port: see backfill.ts. */
  | { readonly kind: "backfill"; readonly port: MessagePort }
  | { readonly kind: "close" };

export type FromHistoryWorker =
  | {
      readonly kind: "open";
      readonly appliedSeq: number;
      readonly setAside: string | undefined;
      readonly notes: readonly string[];
      /** The names of the questions that can be asked. */
      readonly queries: readonly QueryName[];
    }
  /** The memory of events that have been read. */
  | { readonly kind: "taken"; readonly memory: ArrayBuffer }
  /**
   * `bytes` of appended events are in the history, up to and with command `seq`, or will be read again from the log.
   */
  | { readonly kind: "committed"; readonly bytes: number; readonly seq: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | {
      readonly kind: "rejected";
      readonly id: number;
      readonly message: string;
      /** Absent: the question makes no sense. */
      readonly because?: "busy" | "away";
    }
  /** How it stands from now on, and a sentence for the log. */
  | { readonly kind: "status"; readonly status: HistoryStatus; readonly note: string }
  /** It lacks what came after this command, and asks for it. */
  | { readonly kind: "behind"; readonly afterSeq: number }
  | { readonly kind: "fault"; readonly step: HistoryStep; readonly code: string; readonly message: string };
