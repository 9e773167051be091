/** States that a venue of the dev profile goes back to. */
import type { AdminSnapshots, SnapshotRow } from "../../admin/backend.ts";
import { type AdminAnswer, type AdminCall, call } from "../../admin/call.ts";
import { optional, required, text, whole } from "../../admin/field.ts";
import { invalidParameter, Refused } from "../../refused.ts";

const DEV_ONLY = "a venue goes back in the dev profile only: what has happened in production stays.";
const ID_MAX = 2 ** 31 - 1;
const snapshotId = required(whole("ID", 1, ID_MAX), "the snapshot");

function answerOf(done: SnapshotRow | string): AdminAnswer {
  return typeof done === "string" ? invalidParameter(done) : shown(done);
}

function shown({ snapshotId: snapshot_id, name, seq, timeMs, stateHash }: SnapshotRow): object {
  return { snapshot_id, name, seq, time_ms: timeMs, state_hash: stateHash };
}

function withSnapshots(
  snapshots: AdminSnapshots | undefined,
  use: (snapshots: AdminSnapshots) => AdminAnswer | Promise<AdminAnswer>,
): AdminAnswer | Promise<AdminAnswer> {
  return snapshots === undefined ? invalidParameter(DEV_ONLY) : use(snapshots);
}

const take = call({
  method: "POST",
  path: "/admin/snapshots",
  verbs: { "snapshot create": "Keep the state of a dev venue, to go back to it later." },
  fields: { name: optional(text("TEXT", 1, 64), "what it is, for a person") },
  serve: ({ snapshots }, { name = "" }) =>
    withSnapshots(snapshots, async (its) => {
      try {
        return answerOf(await its.take(name));
      } catch (error) {
        // A disk that is full or broken is the operator's to mend, and no failure of the venue.
        if ((error as { code?: unknown }).code !== "MARK_NOT_KEPT") throw error;
        return new Refused("unavailable", (error as Error).message);
      }
    }),
});

const list = call({
  method: "GET",
  path: "/admin/snapshots",
  verbs: { "snapshot list": "Show the states that a dev venue can go back to." },
  fields: {},
  serve: ({ snapshots }) => withSnapshots(snapshots, (its) => ({ snapshots: its.list().map(shown) })),
});

const revert = call({
  method: "POST",
  path: "/admin/snapshots/SNAPSHOT_ID/revert",
  verbs: {
    "snapshot revert": "Let a dev venue be what it was at a snapshot: whatever has happened since never did.",
  },
  fields: { snapshot_id: snapshotId },
  serve: ({ snapshots }, { snapshot_id }) =>
    withSnapshots(snapshots, async (its) => answerOf(await its.revert(snapshot_id))),
});

const remove = call({
  method: "DELETE",
  path: "/admin/snapshots/SNAPSHOT_ID",
  verbs: { "snapshot delete": "Forget a state that a dev venue could go back to." },
  fields: { snapshot_id: snapshotId },
  serve: ({ snapshots }, { snapshot_id }) =>
    withSnapshots(snapshots, (its) =>
      its.remove(snapshot_id) ? { snapshot_id } : invalidParameter(`there is no snapshot ${snapshot_id}.`),
    ),
});

const reset = call({
  method: "POST",
  path: "/admin/reset",
  verbs: { reset: "Let a dev venue be what it was right after its first start." },
  fields: {},
  serve: ({ snapshots }) => withSnapshots(snapshots, async (its) => answerOf(await its.reset())),
});

export const SNAPSHOT_CALLS: readonly AdminCall[] = [take, list, revert, remove, reset];
