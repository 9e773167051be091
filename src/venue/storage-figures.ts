/** Figures about the files of a data directory, read when somebody asks. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Labels } from "./metrics.ts";

const KINDS: readonly (readonly [kind: string, form: RegExp])[] = [
  ["log", /^log\.sqlite$/],
  ["log_ahead", /^log\.sqlite-wal$/],
  ["history", /^history\.sqlite/],
  ["snapshots", /^snapshot-.*\.bourse$/],
];

/** Bytes by kind: the log, what of it is not yet moved into its file, history, and snapshots. */
export function* filesOf(folder: string): Generator<[Labels, number]> {
  const names = readdirSync(folder);
  for (const [kind, form] of KINDS) {
    const sizes = names.filter((name) => form.test(name)).map((name) => statOf(folder, name)?.size ?? 0);
    yield [{ kind }, sizes.reduce((sum, size) => sum + size, 0)];
  }
}

/** By the machine's clock; none while there is no snapshot. */
export function* snapshotAgeSeconds(folder: string): Generator<[Labels, number]> {
  const times = readdirSync(folder)
    .filter((name) => /^snapshot-\d+\.bourse$/.test(name))
    .map((name) => statOf(folder, name)?.mtimeMs ?? 0);
  if (times.length > 0) yield [{}, Math.max(0, (Date.now() - Math.max(...times)) / 1_000)];
}

/** A file may go between listing and looking. */
function statOf(folder: string, name: string) {
  return statSync(join(folder, name), { throwIfNoEntry: false });
}
