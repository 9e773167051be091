import type { GatewayPart } from "../part.ts";
import { BACKUP_CALLS } from "./backup-calls.ts";
import { CLUSTER_CALLS } from "./cluster-calls.ts";
import { EXPLAIN_CALLS } from "./explain-calls.ts";
import { FAULT_CALLS } from "./fault-calls.ts";
import { findRequests } from "./find-requests.ts";
import { LOG_CALLS } from "./log-calls.ts";
import { MONITOR_CALLS } from "./monitor-calls.ts";
import { SCENARIO_CALLS } from "./scenario-calls.ts";
import { SNAPSHOT_CALLS } from "./snapshot-calls.ts";
import { systemHandlers } from "./system.ts";
import { VENUE_CALLS } from "./venue-calls.ts";

/** The venue itself: how it stands, its clock and its state of emergency. */
export const venue = {
  name: "venue",
  refusals: {
    invalid_command: { v2: 3639, v1: 2, rule: "11.1", message: "Invalid Parameter: the command breaks a rule." },
    venue_cancel_only: {
      v2: 4001,
      v1: 35,
      rule: "2.1 row 4",
      message: "The venue takes only cancels until an operator has looked into a fault.",
    },
  },
  handlers: () => ({
    ...systemHandlers(),
  }),
  calls: [
    ...VENUE_CALLS,
    ...MONITOR_CALLS,
    ...LOG_CALLS,
    ...CLUSTER_CALLS,
    ...BACKUP_CALLS,
    ...SNAPSHOT_CALLS,
    ...FAULT_CALLS,
    ...SCENARIO_CALLS,
    ...EXPLAIN_CALLS,
  ],
  nouns: {
    alert: "show what operators should look at, and say who does",
    "log-line": "show what the process wrote to its log lately",
    cluster: "show the nodes of a venue that runs on several machines",
    backup: "make, verify and show backups",
    explain: "say why a request, an order or a position came out as it did",
    request: "show which requests were refused, and why",
    fault: "let things of a dev venue fail on purpose",
    scenario: "play out what happens to traders when prices move",
    snapshot: "keep states of a dev venue and go back to them",
  },
  finds: [findRequests],
} satisfies GatewayPart;
