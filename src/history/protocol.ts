import type { HistoryStep } from "./fault.ts";
import type { HistoryFileOptions } from "./history-file.ts";
import type { HistoryReader } from "./parts.ts";

export type QueryName = keyof HistoryReader;

export type HistoryWorkerData = Omit<HistoryFileOptions, "parts">;

/** Messages are worked off in the order in which they were posted. */
export type ToHistoryWorker =
  /** The memory of the events goes over to the worker, which sends it back. */
  | { readonly kind: "append"; readonly events: Uint8Array<ArrayBuffer>; readonly lastSeq: number }
  | { readonly kind: "query"; readonly id: number; readonly name: QueryName; readonly query: unknown }
  | { readonly kind: "flush"; readonly id: number }
  | { readonly kind: "close" };

export type FromHistoryWorker =
  | {
      readonly kind: "open";
      readonly appliedSeq: number;
      readonly setAside: string | undefined;
      readonly notes: readonly string[];
      /** What can be asked. */
      readonly queries: readonly QueryName[];
    }
  /** The memory of events that have been read. */
  | { readonly kind: "taken"; readonly memory: ArrayBuffer }
  /** `bytes` of appended events are in the file, up to and with command `seq`. */
  | { readonly kind: "committed"; readonly bytes: number; readonly seq: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly kind: "rejected"; readonly id: number; readonly message: string }
  | { readonly kind: "fault"; readonly step: HistoryStep; readonly code: string; readonly message: string };
