/** Backups that the venue makes of itself. Restoring one is for the command line, where no venue runs. */
import { type AdminCall, call, execute } from "../../admin/call.ts";
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
    const made = await backups.make(state.timeMs);
    return made ?? new Refused("busy", "Another backup is being made; ask again when it is there.");
  },
});

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

export const BACKUP_CALLS: readonly AdminCall[] = [makeBackup, listBackups];
