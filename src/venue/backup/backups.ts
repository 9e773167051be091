import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { AdminBackups, BackupFile } from "../../gateway/admin/backend.ts";
import type { BackupReport, BackupTerms } from "./make.ts";

const NAME = /^backup-.*\.tar(?:\.sealed)?$/;

/** The backups that a venue at work makes of itself, in one folder. */
export class Backups implements AdminBackups {
  readonly folder: string;
  readonly #dir: string;
  readonly #version: string;
  readonly #terms: BackupTerms;
  #underWay = false;

  /** `dir` is the data directory; `version` that of the program. */
  constructor(dir: string, folder: string, version: string, terms: BackupTerms = {}) {
    this.#dir = dir;
    this.folder = folder;
    this.#version = version;
    this.#terms = terms;
  }

  /** One is being made. */
  get isUnderWay(): boolean {
    return this.#underWay;
  }

  async make(nowMs: number): Promise<BackupFile | undefined> {
    if (this.#underWay) return undefined;
    this.#underWay = true;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const file = join(this.folder, this.#freeName(nowMs));
      const { bytes, manifest } = await this.#inThread(file);
      return { file, bytes, seq: manifest.seq, time: manifest.time };
    } finally {
      this.#underWay = false;
    }
  }

  list(): { file: string; bytes: number; madeAtMs: number }[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .filter((name) => NAME.test(name))
      .sort()
      .map((name) => {
        const file = join(this.folder, name);
        const { size, mtimeMs } = statSync(file);
        return { file, bytes: size, madeAtMs: Math.round(mtimeMs) };
      });
  }

  /** Sorts as time does. Two of one second are told apart by a number. */
  #freeName(nowMs: number): string {
    const stem = `backup-${new Date(nowMs)
      .toISOString()
      .replace(/\.\d+Z$/, "Z")
      .replaceAll(":", "")}`;
    const end = this.#terms.lock === undefined ? ".tar" : ".tar.sealed";
    let name = `${stem}${end}`;
    for (let next = 2; existsSync(join(this.folder, name)); next++) name = `${stem}-${next}${end}`;
    return name;
  }

  #inThread(file: string): Promise<BackupReport> {
    const workerData = { dir: this.#dir, file, version: this.#version, terms: this.#terms };
    const worker = new Worker(new URL("./backup-worker.ts", import.meta.url), {
      workerData,
      name: "backup",
      execArgv: [],
    });
    return new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("The thread that makes a backup ended without one.")));
    });
  }
}
