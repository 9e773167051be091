/** Makes or verifies one backup in a thread of its own, since either takes as long as reading the log. */
import { statSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { BackupFile } from "../../gateway/admin/backend.ts";
import { type BackupSpec, makeBackup } from "./make.ts";
import type { Lock } from "./sealed.ts";
import { verifyBackup } from "./verify.ts";

export type BackupTask =
  | {
      readonly task: "make";
      readonly dir: string;
      readonly file: string;
      readonly version: string;
      readonly terms: BackupSpec;
    }
  | { readonly task: "verify"; readonly file: string; readonly lock: Lock | undefined };

function carriedOut(of: BackupTask): BackupFile {
  const { file } = of;
  if (of.task === "make") {
    const { bytes, manifest } = makeBackup(of.dir, file, of.version, of.terms);
    return { file, bytes, seq: manifest.seq, time: manifest.time };
  }
  // What it is sealed with opens it, where that is a passphrase.
  const unlock = of.lock !== undefined && "passphrase" in of.lock ? of.lock : {};
  const { seq, time } = verifyBackup(file, { unlock });
  return { file, bytes: statSync(file).size, seq, time };
}

parentPort?.postMessage(carriedOut(workerData as BackupTask));
