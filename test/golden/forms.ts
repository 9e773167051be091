import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SECTIONS } from "../../src/engine/snapshot/sections.ts";
import type { State } from "../../src/engine/state.ts";

const FILE = fileURLToPath(new URL("forms.json", import.meta.url));

/**
 * By name and version of a section, then by golden venue: what the section writes at the venue's end, as the beginning
 * of a SHA-256.
 */
type Forms = Record<string, Record<string, string>>;

const HASH_CHARS = 16;

function readForms(): Forms {
  return JSON.parse(readFileSync(FILE, "utf8")) as Forms;
}

/** What each section writes of this state. */
function formsOf(state: State): [key: string, hash: string][] {
  return SECTIONS.map((section) => {
    const hash = createHash("sha256");
    for (const chunk of section.write(state)) hash.update(chunk);
    return [`${section.name} ${section.version}`, hash.digest("hex").slice(0, HASH_CHARS)];
  });
}

/**
 * Sentences about sections that write another form than their version did. A version that is not recorded yet is left
 * alone.
 */
export function changedForms(venue: string, state: State): string[] {
  const recorded = readForms();
  return formsOf(state)
    .filter(([key, hash]) => (recorded[key]?.[venue] ?? hash) !== hash)
    .map(
      ([key]) => `The section "${key}" writes another form than before: raise its version and read the old one still.`,
    );
}

/** Sections whose version is not recorded. */
export function unrecordedForms(): string[] {
  const recorded = readForms();
  return SECTIONS.map(({ name, version }) => `${name} ${version}`).filter((key) => recorded[key] === undefined);
}

/** Records what is not recorded yet; the rest stays. */
export function recordForms(venue: string, state: State): void {
  const recorded = readForms();
  for (const [key, hash] of formsOf(state)) {
    recorded[key] ??= {};
    recorded[key][venue] ??= hash;
  }
  writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
}
