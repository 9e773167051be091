import { workerData } from "node:worker_threads";
import { BackfillSender } from "../history/backfill.ts";
import { yieldToOthers } from "../history/yield-to-others.ts";
import { replay } from "../log/replay.ts";
import type { BackfillWorkerData } from "./backfill.ts";
import { EngineMachine } from "./machine.ts";

/** Nobody listens any more: what is left of the log need not be read. */
class Unheard extends Error {}

/** From the newest snapshot that the history has caught up with, to the end of the log as it is by then. */
async function tell({ dir, afterSeq, port }: BackfillWorkerData): Promise<void> {
  const teller = new BackfillSender(port);
  const machine = new EngineMachine((events) => {
    // What comes before is in the history: it would be skipped there, too.
    if (machine.seq > afterSeq) teller.tell(events.copy(), machine.seq);
  });
  const onBatch = async () => {
    machine.flush();
    await teller.room();
    if (teller.isClosed) throw new Unheard();
  };
  try {
    await replay(dir, machine, { from: "snapshot", fromSeqAtMost: afterSeq, onBatch });
    machine.flush();
    // The last commands may have left no event, by which alone history would know of them.
    teller.tell(new Uint8Array(0), machine.seq);
    teller.end();
  } catch (error) {
    port.close();
    if (!(error instanceof Unheard)) throw error;
  }
}

yieldToOthers();
await tell(workerData as BackfillWorkerData);
