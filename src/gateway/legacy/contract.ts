/**
 * The wire contract of the legacy generation, read from `contract/legacy` once at start: two surfaces, spot under `/v1`
 * and futures under `/perpetual/v1`, whose endpoints share records, enumerations and the forms of texts with nobody.
 */
import { readFileSync } from "node:fs";
import type { Permission } from "../auth/key-directory.ts";
import type { Contract } from "../current/contract.ts";
import type { WireRefusal } from "../refused.ts";
import type { EnumType, Param, RecordType, Vocabulary } from "../request/rules.ts";

export type LegacyMethod = "GET" | "POST" | "PUT" | "DELETE";
export type LegacyResultKind = "object" | "map" | "array" | "page" | "scalar" | "empty";

export interface LegacyParam extends Omit<Param, "in"> {
  readonly in: "query" | "body" | "path";
  /** The refusal of a value that its enumeration does not have. */
  readonly refused_as?: WireRefusal;
  /** Texts are taken in any case of their letters, and read in lower case. */
  readonly any_case?: boolean;
}

export interface LegacyEndpoint {
  readonly method: LegacyMethod;
  /** Whole, with the base of its surface; names in braces stand for segments. */
  readonly path: string;
  /** Further paths at which clients ask for the same. */
  readonly also_at?: readonly string[];
  readonly title: string;
  readonly signed: boolean;
  /** Present on signed endpoints, as are `callers` and `sub_permission`. */
  readonly permission?: Permission;
  readonly callers?: "main" | "any";
  readonly sub_permission?: string | null;
  readonly group: string | null;
  readonly params: readonly LegacyParam[];
  /** Names of parameters are taken in any case of their letters. */
  readonly names_in_any_case?: boolean;
  readonly result: {
    readonly kind: LegacyResultKind;
    readonly record: string | null;
    /** Of a page: the record around the rows. */
    readonly page?: string;
    /** Of a list whose elements succeed and fail apart: the record around each. */
    readonly wrapper?: string;
    readonly item?: string;
    readonly values?: string;
    /** Of a map: 2 when its values are maps themselves. */
    readonly depth?: number;
    /** The parameter without which the result is a list of such records. */
    readonly list_without?: string;
  };
  readonly notes?: readonly string[];
}

export interface LegacyGroup {
  readonly name: string;
  readonly rate: { readonly count: number; readonly per_seconds: number };
}

/** One of the two surfaces. */
export interface LegacyContract extends Vocabulary {
  /** `/v1` or `/perpetual/v1`. */
  readonly base: string;
  readonly endpoints: readonly LegacyEndpoint[];
  readonly groups: readonly LegacyGroup[];
}

export type LegacyArea = "spot" | "futures";

const FOLDER = new URL("../../../contract/legacy/", import.meta.url);

interface AreaFile {
  readonly base: string;
  readonly endpoints: readonly LegacyEndpoint[];
  readonly groups: readonly LegacyGroup[];
  readonly records: Readonly<Record<string, RecordType>>;
}

/**
 * Reads one surface. Forms and limits of texts are those of the current generation. Throws when a file is missing or no
 * JSON.
 */
export function loadLegacyContract(
  area: LegacyArea,
  { forms, limits }: Pick<Contract, "forms" | "limits">,
): LegacyContract {
  const { base, endpoints, groups, records } = readData<AreaFile>(`${area}-http.json`);
  return {
    base,
    endpoints,
    groups,
    records: new Map(Object.entries(records)),
    enums: new Map(Object.entries(readData<{ enums: Record<string, EnumType> }>("enums.json").enums)),
    forms,
    limits,
  };
}

/** `"POST /v1/order/limit"`: how an endpoint is named in code. */
export function legacyName({ method, path }: Pick<LegacyEndpoint, "method" | "path">): string {
  return `${method} ${path}`;
}

/** A file of the contract. Throws when it is missing or does not hold JSON. */
export function readData<File>(name: string): File {
  return JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as File;
}

const filesRead = new Map<string, Pick<AreaFile, "records">>();

/** A record of one of the files of the contract, each of which is read once for all of its records. */
export function legacyRecord(file: "spot-http" | "futures-http" | "websocket", name: string): RecordType {
  const { records } = filesRead.get(file) ?? readData<Pick<AreaFile, "records">>(`${file}.json`);
  filesRead.set(file, { records });
  return records[name] as RecordType;
}
