/** Makes one backup in a thread of its own, since copying a log takes as long as reading it. */
import { parentPort, workerData } from "node:worker_threads";
import { type BackupTerms, makeBackup } from "./make.ts";

const { dir, file, version, terms } = workerData as { dir: string; file: string; version: string; terms: BackupTerms };
parentPort?.postMessage(makeBackup(dir, file, version, terms));
