/** The tasks that operators do most: an act that is found by its name, and whose subject is chosen first. */
import type { Act, Row } from "../area.ts";

/** The subject of an act: a market, a user, a withdrawal. */
export interface Subject {
  /** Above the field in which it is looked for. */
  readonly word: string;
  /** Where those that fit a text are read; all of them where the venue does not search. */
  readonly source: (text: string) => { readonly path: string; readonly query?: Readonly<Record<string, string>> };
  readonly rows: string;
  readonly key: (row: Row) => string;
  /** How one is told from others. */
  readonly says: (row: Row) => string;
  /** Where all is read that is known of one. */
  readonly one?: (row: Row) => string;
  /** The text that is shown where there is none. */
  readonly none: string;
}

export interface Task {
  readonly word: string;
  readonly says: string;
  /** The call by which the venue tells who may do it. */
  readonly call: string;
  readonly subject?: Subject;
  /** Returns the acts that may be done with the subject: several where one chooses. */
  readonly acts?: (subject: Row) => readonly Act[];
  /** A page in place of a form. */
  readonly area?: string;
}
