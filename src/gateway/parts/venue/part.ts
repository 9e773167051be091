import type { GatewayPart } from "../part.ts";
import { BACKUP_CALLS } from "./backup-calls.ts";
import { systemHandlers } from "./system.ts";
import { VENUE_CALLS } from "./venue-calls.ts";

/** The venue itself: how it stands, its clock and its state of emergency. */
export const venue = {
  name: "venue",
  refusals: {
    invalid_command: { v2: 3639, v1: 2, message: "Invalid Parameter: the command breaks a rule." },
    venue_cancel_only: {
      v2: 4001,
      v1: 35,
      message: "The venue takes only cancels until an operator has looked into a fault.",
    },
  },
  handlers: () => ({
    ...systemHandlers(),
  }),
  calls: [...VENUE_CALLS, ...BACKUP_CALLS],
  nouns: { backup: "make and show backups" },
} satisfies GatewayPart;
