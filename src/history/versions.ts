/** Whether the tables of a history are those of this program, and what brings older ones up to them. */
import type { Kysely } from "kysely";
import { NewerProgram } from "../engine/newer.ts";
import { type MetaTables, metaRow, partVersions } from "./meta.ts";
import type { ChangedTables, Part } from "./part.ts";
import type { Table } from "./table.ts";

/** Form of the history: since 6 each part has a version of its own, in the table `parts`. */
export const FORM_VERSION = 6;

/** Before, one number stood for these, as they were when parts came. */
const FORM_OF_ONE_NUMBER = 5;
export const PARTS_OF_ONE_NUMBER = [
  ...["orders", "stops", "deals", "statement", "candles", "positions", "funding", "liquidations", "transfers"],
];

/**
 * The result of fitting a history to this program: it fits now, with sentences for the log, or nothing leads from it to
 * this program.
 */
export type Fitting = { readonly notes: readonly string[] } | { readonly misfit: string };

/** A database whose tables are made and changed, within a transaction. */
export interface ShapedTables extends ChangedTables {
  createTable(table: Table): Promise<void>;
}

/** Makes the tables of all parts in an empty database, as the history of a venue. */
export async function createHistory(
  shaped: ShapedTables,
  { venueId, parts }: { readonly venueId: string; readonly parts: readonly Part[] },
): Promise<void> {
  await shaped.createTable(metaRow);
  await shaped.createTable(partVersions);
  for (const part of parts) await createPart(shaped, part);
  await metaOf(shaped)
    .insertInto("meta")
    .values({ schema_version: FORM_VERSION, venue_id: venueId, applied_seq: 0 })
    .execute();
}

/**
 * Brings a history of `formVersion` up to these parts; a misfit is to be rolled back. Throws NewerProgram when a newer
 * program has written it: it is left as it is.
 */
export async function fitParts(shaped: ShapedTables, formVersion: number, parts: readonly Part[]): Promise<Fitting> {
  if (formVersion > FORM_VERSION)
    throw new NewerProgram("The history", { of: "form", found: formVersion, known: FORM_VERSION });
  if (formVersion < FORM_OF_ONE_NUMBER)
    return { misfit: `The history has version ${formVersion}, from which nothing leads to ${FORM_VERSION}.` };
  const notes: string[] = [];
  if (formVersion < FORM_VERSION) {
    await shaped.createTable(partVersions);
    for (const name of PARTS_OF_ONE_NUMBER) await storeVersion(shaped, name, 1);
    await metaOf(shaped).updateTable("meta").set({ schema_version: FORM_VERSION }).execute();
    notes.push(`The history was brought from version ${formVersion} to ${FORM_VERSION}.`);
  }
  const versions = await versionsIn(shaped);
  for (const [name, version] of versions) {
    const known = parts.find((part) => part.name === name)?.version ?? 0;
    if (version > known)
      throw new NewerProgram("The history", { of: `part "${name}" in version`, found: version, known });
  }
  for (const part of parts) {
    const version = versions.get(part.name);
    const note = version === undefined ? await addPart(shaped, part) : await migrate(shaped, part, version);
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
async function addPart(shaped: ShapedTables, part: Part): Promise<string | undefined> {
  if (part.backfill === "needed") return undefined;
  await createPart(shaped, part);
  return `The history was given its part "${part.name}".`;
}

/** A sentence for the log, empty when there is nothing to do; undefined when a step is missing. */
async function migrate(
  shaped: ShapedTables,
  { name, version, migrations }: Part,
  from: number,
): Promise<string | undefined> {
  if (from === version) return "";
  for (let to = from + 1; to <= version; to++) {
    const step = migrations[to];
    if (step === undefined) return undefined;
    await step(shaped);
  }
  await storeVersion(shaped, name, version);
  return `The history's part "${name}" was brought from version ${from} to ${version}.`;
}

async function createPart(shaped: ShapedTables, { name, version, tables }: Part): Promise<void> {
  for (const table of tables) await shaped.createTable(table);
  await storeVersion(shaped, name, version);
}

async function storeVersion(shaped: ShapedTables, name: string, version: number): Promise<void> {
  await metaOf(shaped)
    .insertInto("parts")
    .values({ name, version })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ version }))
    .execute();
}

async function versionsIn(shaped: ShapedTables): Promise<Map<string, number>> {
  const rows = await metaOf(shaped).selectFrom("parts").selectAll().execute();
  return new Map(rows.map(({ name, version }) => [name, Number(version)]));
}

function metaOf({ db }: ShapedTables): Kysely<MetaTables> {
  return db as unknown as Kysely<MetaTables>;
}
