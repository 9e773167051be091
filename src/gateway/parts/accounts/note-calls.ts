/** Notes of operators about a user: kept in the log and shown from the audit trail, with author and time. */
import { holds } from "../../../engine/rules-version.ts";
import type { Action } from "../../admin/backend.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { required, text, userId } from "../../admin/field.ts";
import { pageFields, pageOfActions } from "../../admin/page.ts";
import { Refused } from "../../refused.ts";

const NOTE_CHARS_MAX = 512;
const NO_USER = new Refused("user_not_found", "There is no user with that id.");
const UPGRADING = new Refused(
  "unavailable",
  "The nodes are being upgraded: users can be noted of once all of them run the new program.",
);

const writeNote = call({
  method: "POST",
  path: "/admin/users/USER_ID/notes",
  verbs: { "user note": "Note something of a user for other operators; the user never sees it." },
  fields: {
    user_id: required(userId, "the user"),
    text: required(text("TEXT", 1, NOTE_CHARS_MAX), "what others should know; it stays in the log for ever"),
  },
  mayBy: () => ["support", "treasurer"],
  serve(backend, { user_id, text: noted }) {
    const { state } = backend;
    if (state.users.get(user_id) === undefined) return NO_USER;
    // An older program does not know whom a note is about.
    if (!holds(state, "authority")) return UPGRADING;
    return execute(backend, { kind: "note", text: noted, userId: user_id }, () => ({ user_id, text: noted }));
  },
});

const listNotes = call({
  method: "GET",
  path: "/admin/users/USER_ID/notes",
  verbs: { "user notes": "Show what operators noted of a user, the newest first." },
  fields: { user_id: required(userId, "the user"), ...pageFields },
  serve: ({ state, trail }, { user_id, ...page }) =>
    state.users.get(user_id) !== undefined
      ? pageOfActions("notes", trail, { action: "note", userId: user_id, accepted: true }, page, noteRow)
      : NO_USER,
});

function noteRow({ seq, timeMs, actor, details }: Action): object {
  return { note_id: seq, time: timeMs, actor, text: details["text"] };
}

export const NOTE_CALLS: readonly AdminCall[] = [writeNote, listNotes];
