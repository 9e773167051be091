/** Whether the tables of a history file are those of this program, and what brings older ones up to them. */
import type { DatabaseSync } from "node:sqlite";
import { NewerProgram } from "../engine/newer.ts";
import type { Part } from "./part.ts";
import { createTable } from "./table.ts";

/** Form of the file: since 6 each part has a version of its own, in the table `parts`. */
export const FORM_VERSION = 6;

/** Before, one number stood for these, as they were when parts came. */
const FORM_OF_ONE_NUMBER = 5;
export const PARTS_OF_ONE_NUMBER = [
  ...["orders", "stops", "deals", "statement", "candles", "positions", "funding", "liquidations", "transfers"],
];

/** What became of a file: it fits now, with sentences for the log, or nothing leads from it to this program. */
export type Fitting = { readonly notes: readonly string[] } | { readonly misfit: string };

/** Makes the tables of all parts in an empty file. */
export function createParts(database: DatabaseSync, parts: readonly Part[]): void {
  createVersions(database);
  for (const part of parts) createPart(database, part);
}

/**
 * Brings a file of `formVersion` up to these parts, in one transaction. Throws NewerProgram when a newer program has written it: it is
 * left as it is.
 */
export function fitParts(database: DatabaseSync, formVersion: number, parts: readonly Part[]): Fitting {
  if (formVersion > FORM_VERSION)
    throw new NewerProgram("The history", { of: "form", found: formVersion, known: FORM_VERSION });
  if (formVersion < FORM_OF_ONE_NUMBER)
    return { misfit: `The history has version ${formVersion}, from which nothing leads to ${FORM_VERSION}.` };
  database.exec("begin immediate");
  let fitting: Fitting | undefined;
  try {
    fitting = fitTables(database, formVersion, parts);
  } finally {
    database.exec(fitting !== undefined && "notes" in fitting ? "commit" : "rollback");
  }
  return fitting;
}

function fitTables(database: DatabaseSync, formVersion: number, parts: readonly Part[]): Fitting {
  const notes: string[] = [];
  if (formVersion < FORM_VERSION) {
    createVersions(database);
    for (const name of PARTS_OF_ONE_NUMBER) storeVersion(database, name, 1);
    database.prepare("update meta set schema_version = ?").run(FORM_VERSION);
    notes.push(`The history was brought from version ${formVersion} to ${FORM_VERSION}.`);
  }
  const versions = versionsIn(database);
  for (const [name, version] of versions) {
    const known = parts.find((part) => part.name === name)?.version ?? 0;
    if (version > known)
      throw new NewerProgram("The history", { of: `part "${name}" in version`, found: version, known });
  }
  for (const part of parts) {
    const version = versions.get(part.name);
    const note = version === undefined ? addPart(database, part) : migrate(database, part, version);
    if (note === undefined) return { misfit: misfitOf(part, version) };
    if (note !== "") notes.push(note);
  }
  return { notes };
}

function misfitOf({ name, version }: Part, found: number | undefined): string {
  if (found === undefined) return `The history lacks its part "${name}", which needs all events.`;
  return `The history's part "${name}" has version ${found}, from which nothing leads to ${version}.`;
}

/** A sentence for the log; undefined when the part needs events of before. */
function addPart(database: DatabaseSync, part: Part): string | undefined {
  if (part.past === "needed") return undefined;
  createPart(database, part);
  return `The history was given its part "${part.name}".`;
}

/** A sentence for the log, empty when there is nothing to do; undefined when a step is missing. */
function migrate(database: DatabaseSync, { name, version, migrations }: Part, from: number): string | undefined {
  if (from === version) return "";
  for (let to = from + 1; to <= version; to++) {
    const step = migrations[to];
    if (step === undefined) return undefined;
    step(database);
  }
  storeVersion(database, name, version);
  return `The history's part "${name}" was brought from version ${from} to ${version}.`;
}

function createPart(database: DatabaseSync, { name, version, tables }: Part): void {
  for (const table of tables) createTable(database, table);
  storeVersion(database, name, version);
}

function createVersions(database: DatabaseSync): void {
  database.exec("create table parts (name text primary key, version integer not null) strict, without rowid");
}

function storeVersion(database: DatabaseSync, name: string, version: number): void {
  database.prepare("insert or replace into parts (name, version) values (?, ?)").run(name, version);
}

function versionsIn(database: DatabaseSync): Map<string, number> {
  const rows = database.prepare("select name, version from parts").all();
  return new Map(rows.map(({ name, version }) => [String(name), Number(version)]));
}
