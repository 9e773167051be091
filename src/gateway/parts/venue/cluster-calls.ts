/** The nodes of a venue that runs on several machines. */

import type { ClusterServer } from "../../admin/backend.ts";
import { type AdminCall, call } from "../../admin/call.ts";
import { invalidParameter } from "../../refused.ts";

const ALONE = "this venue runs as one process, whose log is its own: it has no other nodes.";

const status = call({
  method: "GET",
  path: "/admin/cluster",
  verbs: {
    "cluster status":
      "Show the nodes of the venue: who leads, how far each is, how late it hears of what happens, and the hash " +
      "of its state there; and the " +
      "etcd servers as this node reaches them: who leads there, what their files hold, alarms and versions.",
  },
  fields: {},
  serve: async ({ cluster }) => {
    if (cluster === undefined) return invalidParameter(ALONE);
    const [nodes, servers] = await Promise.all([cluster.nodes(), cluster.servers()]);
    return {
      nodes: nodes.map(({ node, url, adminUrl, leads, seq, lagMs, stateHash }) => ({
        node,
        url: url ?? null,
        admin_url: adminUrl ?? null,
        leader: leads,
        seq: seq ?? null,
        lag_ms: lagMs ?? null,
        state_hash: stateHash ?? null,
      })),
      etcd: servers.map(serverRow),
    };
  },
});

function serverRow({ host, isAnswering, isLeader, hasLeader, fileBytes, usedBytes, alarms, version }: ClusterServer) {
  const state = !isAnswering ? "does not answer" : hasLeader ? "answers" : "has lost the others";
  return {
    server: host,
    state,
    leader: isLeader,
    file_bytes: isAnswering ? fileBytes : null,
    used_bytes: isAnswering ? usedBytes : null,
    alarms: alarms.join(" "),
    version: isAnswering ? version : null,
  };
}

export const CLUSTER_CALLS: readonly AdminCall[] = [status];
