import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { LogEnd } from "./chain.ts";
import { type DamagePlace, LogDamaged } from "./errors.ts";
import { BatchReader, type GroupBatch } from "./group-batch.ts";
import { openLogFile } from "./log-file.ts";

/** The data that the worker is started with. It verifies everything and ships the batches that reach `shipFromSeq`. */
export interface ReadAheadData {
  readonly dir: string;
  readonly shipFromSeq: number;
  readonly batchesAheadMax: number;
}

export type FromReadAhead =
  | { readonly kind: "batch"; readonly batch: GroupBatch }
  | { readonly kind: "verified"; readonly end: LogEnd }
  | { readonly kind: "end"; readonly end: LogEnd }
  | { readonly kind: "damaged"; readonly place: DamagePlace; readonly what: string; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Each message from the other side gives leave to ship one more batch. */
export type ToReadAhead = "more";

/** Progress of the part that is verified but not shipped is reported at most this often. */
const REPORT_EVERY_BATCHES = 64;

function* read(data: ReadAheadData): Generator<FromReadAhead> {
  const log = openLogFile(data.dir, "read");
  try {
    const batches = new BatchReader(log, log.start);
    let end: LogEnd = log.start;
    let unshipped = 0;
    for (let batch = batches.next(); batch !== undefined; batch = batches.next()) {
      end = batch.end;
      if (end.lastSeq >= data.shipFromSeq) {
        yield { kind: "batch", batch };
        continue;
      }
      unshipped++;
      if (unshipped % REPORT_EVERY_BATCHES === 0) yield { kind: "verified", end };
    }
    yield { kind: "end", end };
  } catch (error) {
    yield describe(error);
  } finally {
    log.database.close();
  }
}

function describe(error: unknown): FromReadAhead {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof LogDamaged)) return { kind: "failed", reason };
  return { kind: "damaged", place: error.place, what: error.what, reason };
}

function run(port: MessagePort, data: ReadAheadData): void {
  const messages = read(data);
  let leave = data.batchesAheadMax;
  const ship = () => {
    while (leave > 0) {
      const next = messages.next();
      if (next.done) {
        port.close();
        return;
      }
      const message = next.value;
      if (message.kind === "batch") {
        leave--;
        port.postMessage(message, [message.batch.bytes.buffer, message.batch.index.buffer]);
      } else {
        port.postMessage(message);
      }
    }
  };
  port.on("message", () => {
    leave++;
    ship();
  });
  ship();
}

if (parentPort !== null) run(parentPort, workerData as ReadAheadData);
