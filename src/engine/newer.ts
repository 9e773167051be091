/**
 * A log, snapshot or history holds what only a newer program knows. Nothing is damaged; this program must not go on
 * with it.
 */
export class NewerProgram extends Error {
  readonly code = "newer_program";

  /** `what` begins the sentence, such as "The log of DIR"; `of` names what the two versions count. */
  constructor(what: string, versions: { readonly of: string; readonly found: number; readonly known: number }) {
    const { of, found, known } = versions;
    super(`${what} was written by a newer program: it has ${of} ${found}, and this program knows ${of} ${known}.`);
    this.name = "NewerProgram";
  }
}
