import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** What a command came to. */
export interface GoldenStep {
  /** By name; empty when it was accepted. */
  readonly refusal: string;
  /** As the program decodes them. */
  readonly events: readonly unknown[];
}

/**
 * A venue that a release has left: a data directory with its log, some snapshots, what came of each command and the
 * last state hash.
 */
export interface GoldenVenue {
  readonly rulesVersion: number;
  readonly name: string;
  readonly folder: string;
}

/** Where the venue of this name under these rules lies. */
export function venueFolder(rulesVersion: number, name: string): string {
  return join(HERE, `rules-${rulesVersion}`, name);
}

/** All that there are. */
export function goldenVenues(): GoldenVenue[] {
  const versions = readdirSync(HERE).filter((name) => /^rules-\d+$/.test(name));
  return versions.flatMap((version) =>
    readdirSync(join(HERE, version))
      .filter((name) => existsSync(join(HERE, version, name, "events.br")))
      .map((name) => ({ rulesVersion: Number(version.slice(6)), name, folder: join(HERE, version, name) })),
  );
}

/** Files of a data directory that make a golden venue; the log compressed, since it is mostly what compresses well. */
const KEPT = /^(log\.sqlite|acknowledged|snapshot-\d+\.bourse)$/;

/** Keeps what `data` holds in `folder`, in place of what was there. */
export function pack(data: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(data).filter((file) => KEPT.test(file))) {
    writeFileSync(join(folder, `${name}.br`), compressed(readFileSync(join(data, name))));
  }
}

/** The data directory as the release left it, in a temporary folder that the test removes. */
export function unpack({ folder }: GoldenVenue): string {
  const data = mkdtempSync(join(tmpdir(), "bourse-golden-"));
  for (const file of readdirSync(folder)) {
    const name = file.replace(/\.br$/, "");
    if (!KEPT.test(name)) continue;
    writeFileSync(join(data, name), brotliDecompressSync(readFileSync(join(folder, file))), { mode: 0o600 });
  }
  return data;
}

/** Whole numbers beyond JSON's are kept as text with an n behind it. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, field) => (typeof field === "bigint" ? `${field}n` : field));
}

/** Steps as lines of JSON, compressed. */
export function packEvents(steps: readonly GoldenStep[]): Buffer {
  return compressed(steps.map((step) => `${textOf(step)}\n`).join(""));
}

function compressed(content: string | Buffer): Buffer {
  return brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  });
}

export function unpackEvents({ folder }: GoldenVenue): GoldenStep[] {
  const text = brotliDecompressSync(readFileSync(join(folder, "events.br"))).toString();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as GoldenStep);
}

/** As it comes out of `unpackEvents`. */
export function asKept(step: GoldenStep): GoldenStep {
  return JSON.parse(textOf(step)) as GoldenStep;
}
