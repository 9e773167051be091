import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { checkInvariants } from "../engine/invariants.ts";
import { loadSnapshot } from "../engine/snapshot.ts";
import { State } from "../engine/state.ts";
import type { AdminAudit } from "../gateway/admin/backend.ts";
import { auditOf } from "./audit.ts";
import type { AuditWorkerData } from "./audit-thread.ts";

function run({ chunks, seq, timeMs }: AuditWorkerData): AdminAudit {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  const taken = hash.digest("hex");
  const state = new State();
  loadSnapshot(state, chunks, seq, timeMs);
  const audit = auditOf(state, checkInvariants(state));
  if (audit.stateHash === taken) return audit;
  const breach = `The state at seq ${seq} does not come back from its snapshot as it was.`;
  return { ...audit, stateHash: taken, ok: false, breaches: [...audit.breaches, breach] };
}

parentPort?.postMessage(run(workerData as AuditWorkerData));
