import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replacePrivateFile } from "../log/data-dir.ts";
import { LogDamaged } from "../log/errors.ts";
import type { Standing } from "./agreement/ports.ts";

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

/** On the disk when it returns: a promise must outlive whatever comes. */
export function writeStanding(dir: string, standing: Standing): void {
  replacePrivateFile(join(dir, FILE), `${JSON.stringify(standing)}\n`);
}
