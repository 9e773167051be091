import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { AdminBackups, BackupFile } from "../../gateway/admin/backend.ts";
import { makeDirectory } from "../../log/directory.ts";
import type { BackupTask } from "./backup-worker.ts";
import type { BackupSpec } from "./make.ts";

const NAME = /^backup-.*\.tar(?:\.sealed)?$/;

/** The backups that a venue at work makes of itself, in one folder. */
export class Backups implements AdminBackups {
  readonly folder: string;
  readonly #dir: string;
  readonly #version: string;
  readonly #terms: BackupSpec;
  #underWay = false;

  /** `dir` is the data directory; `version` that of the program. */
  constructor(dir: string, folder: string, version: string, terms: BackupSpec = {}) {
    this.#dir = dir;
    this.folder = folder;
    this.#version = version;
    this.#terms = terms;
  }

  /** One is being made or verified. */
  get isUnderWay(): boolean {
    return this.#underWay;
  }

  async make(nowMs: number): Promise<BackupFile | undefined> {
    if (this.#underWay) return undefined;
    this.#underWay = true;
    try {
      makeDirectory(this.folder, "the setting backups");
      const file = join(this.folder, this.#freeName(nowMs));
      return await this.#inThread({ task: "make", dir: this.#dir, file, version: this.#version, terms: this.#terms });
    } finally {
      this.#underWay = false;
    }
  }

  async verify(file: string): Promise<BackupFile | undefined> {
    if (this.#underWay) return undefined;
    this.#underWay = true;
    try {
      return await this.#inThread({ task: "verify", file, lock: this.#terms.lock });
    } finally {
      this.#underWay = false;
    }
  }

  get unreadable(): string | undefined {
    return this.#terms.lock !== undefined && "recipient" in this.#terms.lock
      ? "The backups of this venue are sealed for the owner of a key that it does not have. Where that key is, " +
          "run bourse verify FILE --identity KEY."
      : undefined;
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

  #inThread(workerData: BackupTask): Promise<BackupFile> {
    const worker = new Worker(new URL("./backup-worker.ts", import.meta.url), {
      workerData,
      name: "backup",
      execArgv: [],
    });
    return new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("The thread that works on a backup ended without an answer.")));
    });
  }
}
