import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { syncDirectory } from "../log/data-dir.ts";
import { LogDamaged } from "../log/errors.ts";
import type { Standing } from "./agreement.ts";

const FILE = "standing.json";
const NOTHING: Standing = { promised: 0, adopted: 0 };

/** What this node has promised to the others. Throws LogDamaged when the file says something else. */
export function readStanding(dir: string): Standing {
  const file = join(dir, FILE);
  if (!existsSync(file)) return NOTHING;
  try {
    const { promised, adopted } = JSON.parse(readFileSync(file, "utf8")) as Standing;
    if (Number.isSafeInteger(promised) && Number.isSafeInteger(adopted)) return { promised, adopted };
  } catch {
    // Whatever stands there, it is not what was written.
  }
  throw new LogDamaged("it does not say what the node has promised to the others", { file });
}

/** Under another name first, and on the disk when it returns: a promise must outlive whatever comes. */
export function writeStanding(dir: string, standing: Standing): void {
  const file = join(dir, FILE);
  const unfinished = `${file}.unfinished`;
  const descriptor = openSync(unfinished, "w", 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify(standing)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, file);
  syncDirectory(dir);
}
