/**
 * A disk of a given size that a test fills and empties again: a file system in memory, which only the superuser may
 * mount.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, truncateSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

const MIB = 1024 * 1024;

/** Why there can be none here, as a test says when it is left out; false when there can. */
export function withoutSmallDisk(): string | false {
  if (process.platform !== "linux") return "A file system in memory is mounted on Linux only.";
  const folder = mkdtempSync(join(tmpdir(), "bourse-disk-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
  if (status === 0) execFileSync("umount", [folder]);
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? false : "This user may not mount a file system in memory.";
}

export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Unmounted when the test has ended, no matter who still uses it; at `path`, which is there, or anywhere. */
  static mount(
    t: Pick<TestContext, "after">,
    mib: number,
    path = mkdtempSync(join(tmpdir(), "bourse-disk-")),
  ): SmallDisk {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mib}m,mode=700`, "tmpfs", path]);
    t.after(() => {
      execFileSync("umount", ["-l", path]);
      rmSync(path, { recursive: true, force: true });
    });
    return new SmallDisk(path);
  }

  /** Lets a file of somebody else take room until `mib` are free; 0: until nothing more can be written. */
  fill(mib: number): void {
    const file = openSync(join(this.path, "filler"), "a");
    const chunk = Buffer.alloc(64 * 1024);
    try {
      while (mib === 0 || this.free > mib * MIB) writeSync(file, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    truncateSync(join(this.path, "filler"), 0);
  }

  get free(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }
}
