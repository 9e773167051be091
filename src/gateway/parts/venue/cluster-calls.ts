/** The nodes of a venue that runs on several machines. */
import { type AdminCall, call } from "../../admin/call.ts";
import { invalidParameter } from "../../refused.ts";

const ALONE = "this venue runs as one process, whose log is its own: it has no other nodes.";

const status = call({
  method: "GET",
  path: "/admin/cluster",
  verbs: {
    "cluster status":
      "Show the nodes of the venue: who leads, how far each is, how late it hears of what happens, and the hash of its state there.",
  },
  fields: {},
  serve: async ({ cluster }) => {
    if (cluster === undefined) return invalidParameter(ALONE);
    const nodes = await cluster.nodes();
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
    };
  },
});

export const CLUSTER_CALLS: readonly AdminCall[] = [status];
