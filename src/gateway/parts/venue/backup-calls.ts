/** Backups that the venue makes of itself. Restoring one is for the command line, where no venue runs. */

import type { BackupFile } from "../../admin/backend.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { required, text } from "../../admin/field.ts";
import { invalidParameter, Refused } from "../../refused.ts";

const NOWHERE = "a venue in memory keeps nothing that could be backed up.";

const makeBackup = call({
  method: "POST",
  path: "/admin/backups",
  verbs: { "backup create": "Let the running venue write a backup of itself, with its log verified on the way." },
  fields: {},
  async serve(backend) {
    const { backups, state } = backend;
    if (backups === undefined) return invalidParameter(NOWHERE);
    // It holds all that the venue knows: who had one made is to be found.
    const noted = await execute(backend, { kind: "note", text: "a backup is asked for" }, () => ({}));
    if (noted instanceof Refused) return noted;
    let made: BackupFile | undefined;
    try {
      made = await backups.make(state.timeMs);
    } catch (error) {
      return new Refused("unavailable", notMade(error as Error, backups.folder));
    }
    return made ?? new Refused("busy", "A backup is being made or verified; ask again when it is done.");
  },
});

const FILE_CHARS_MAX = 4_096;

const verifyBackup = call({
  method: "POST",
  path: "/admin/backup-checks",
  verbs: {
    "backup verify":
      "Let the running venue read one of its backups to the end and hold every byte against the hashes in it.",
  },
  fields: { file: required(text("FILE", 1, FILE_CHARS_MAX), "the backup, as the list names it") },
  async serve({ backups }, { file }) {
    if (backups === undefined) return invalidParameter(NOWHERE);
    // Nothing but the venue's own backups is read.
    const found = backups.list().find((each) => each.file === file);
    if (found === undefined)
      return invalidParameter("file must be one of the venue's own backups, as the list names them.");
    if (backups.unreadable !== undefined) return new Refused("unavailable", backups.unreadable);
    try {
      const sound = await backups.verify(found.file);
      return sound ?? new Refused("busy", "A backup is being made or verified; ask again when it is done.");
    } catch (error) {
      return new Refused("unavailable", (error as Error).message);
    }
  },
});

/** A disk that is full or broken is the operator's to mend, and no failure of the venue. */
function notMade({ message }: Error, folder: string): string {
  const reason = message.replace(/\.$/, "");
  return (
    `No backup was made (${reason}). Look at the disk of ${folder} and make room there; earlier backups are as ` +
    "they were, and nothing is left of this one."
  );
}

const listBackups = call({
  method: "GET",
  path: "/admin/backups",
  verbs: { "backup list": "Show the backups that the venue has made of itself and that are still there." },
  fields: {},
  serve({ backups }) {
    const rows = backups?.list() ?? [];
    return { backups: rows.map(({ file, bytes, madeAtMs }) => ({ file, bytes, made_at: madeAtMs })) };
  },
});

export const BACKUP_CALLS: readonly AdminCall[] = [makeBackup, verifyBackup, listBackups];
