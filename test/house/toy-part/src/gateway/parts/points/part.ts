import { pointsOf } from "../../../engine/points/points.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { required, text, whole } from "../../admin/field.ts";
import { Refused } from "../../refused.ts";
import type { GatewayPart } from "../part.ts";

const USER = required(whole("USER_ID", 1, 2 ** 31 - 2), "whose points");

const grant = call({
  method: "POST",
  path: "/admin/points",
  verbs: { "points grant": "Give a user points." },
  fields: {
    user_id: USER,
    points: required(whole("POINTS", 1, 1_000_000_000), "how many"),
    note: required(text("TEXT", 1, 256), "why, for the log"),
  },
  serve: (backend, { user_id, points, note }) =>
    execute(backend, { kind: "grant_points", userId: user_id, points, note }, (result) => result as object),
});

const show = call({
  method: "GET",
  path: "/admin/points/USER_ID",
  verbs: { "points show": "Show how many points a user has." },
  fields: { user_id: USER },
  serve: ({ state }, { user_id }) =>
    state.users.has(user_id) ? { points: pointsOf(state, user_id) } : new Refused("user_not_found"),
});

/** Points. */
export const points = {
  name: "points",
  refusals: {
    not_enough_points: { v2: 3109, v1: 107, rule: "6.1", message: "The user has fewer points." },
    too_many_points: {
      v2: 3639,
      v1: 2,
      rule: "6.1",
      message: "Invalid Parameter: the user would have too many points.",
    },
  },
  calls: [grant, show] as readonly AdminCall[],
  nouns: { points: "grant and show points" },
} satisfies GatewayPart;
