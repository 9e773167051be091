/**
 * A disk that fails, or takes long, at chosen files of a process, no matter who writes them: Node, or SQLite below it.
 * It stands before the C library (`failing-disk.c`), so that no line of the program knows of it; it takes Linux and a
 * compiler of C.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("failing-disk.c", import.meta.url));
/** Of failing-disk.c. */
const [OPEN, WRITE, SYNC, NAME] = [1, 2, 4, 8] as const;
const BYTES = 256;
const STRUCK_AT = 12;
const PART_AT = 16;
const SLOW_MS = 300;

export const DISK_FAULTS = ["ENOSPC", "EIO", "EROFS", "slow"] as const;
export type DiskFault = (typeof DISK_FAULTS)[number];

/** What each makes of operations. A full disk still syncs and renames; one that was made read-only does nothing. */
const FAULTS: Readonly<
  Record<DiskFault, { readonly operations: number; readonly error: number; readonly ms: number }>
> = {
  ENOSPC: { operations: OPEN | WRITE, error: constants.errno.ENOSPC, ms: 0 },
  EIO: { operations: WRITE | SYNC, error: constants.errno.EIO, ms: 0 },
  EROFS: { operations: OPEN | WRITE | NAME, error: constants.errno.EROFS, ms: 0 },
  slow: { operations: WRITE | SYNC, error: 0, ms: SLOW_MS },
};

/** Why there can be none here, as a test says when it is left out; false when there can. */
export function withoutFailingDisk(): string | false {
  if (process.platform !== "linux") return "A disk that fails stands before the C library of Linux.";
  return spawnSync("cc", ["--version"]).status === 0 ? false : "This machine has no compiler of C.";
}

export class FailingDisk {
  /** What a program is started with, so that its disk can fail. */
  readonly env: NodeJS.ProcessEnv;
  readonly #control: number;

  private constructor(env: NodeJS.ProcessEnv, control: number) {
    this.env = env;
    this.#control = control;
  }

  /** One for this test; it is sound at first. */
  static make(t: Pick<TestContext, "after">): FailingDisk {
    const folder = mkdtempSync(join(tmpdir(), "bourse-failing-"));
    const [library, control] = [join(folder, "disk.so"), join(folder, "control")];
    const { status, stderr } = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"]);
    if (status !== 0) throw new Error(`The library of the failing disk does not compile: ${stderr}`);
    const file = openSync(control, "w+");
    t.after(() => {
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    });
    const disk = new FailingDisk({ ...process.env, LD_PRELOAD: library, FAILING_DISK: control }, file);
    disk.heal();
    return disk;
  }

  /** From now on files fail whose path holds `part`. */
  fail(fault: DiskFault, part: string): void {
    const { operations, error, ms } = FAULTS[fault];
    const bytes = Buffer.alloc(BYTES);
    bytes.writeUInt32LE(operations, 0);
    bytes.writeUInt32LE(error, 4);
    bytes.writeUInt32LE(ms, 8);
    bytes.write(part, PART_AT);
    writeSync(this.#control, bytes, 0, BYTES, 0);
  }

  heal(): void {
    writeSync(this.#control, Buffer.alloc(BYTES), 0, BYTES, 0);
  }

  /** How often the fault that holds has struck. */
  get struck(): number {
    const bytes = Buffer.alloc(4);
    readSync(this.#control, bytes, 0, 4, STRUCK_AT);
    return bytes.readUInt32LE();
  }
}
