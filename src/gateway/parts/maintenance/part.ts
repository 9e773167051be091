import { LegacyNoticeChannel } from "../../legacy/sockets/channels/notices.ts";
import { channel } from "../../ws/channel.ts";
import { NoticeChannel } from "../../ws/channels/notices.ts";
import type { GatewayPart } from "../part.ts";
import { MAINTENANCE_FIGURES } from "./figures.ts";
import { legacyMaintenanceHandlers } from "./legacy-maintenance.ts";
import { maintenanceHandlers } from "./maintenance.ts";
import { MAINTENANCE_CALLS } from "./maintenance-calls.ts";

/** Maintenance windows. */
export const maintenance = {
  name: "maintenance",
  refusals: {
    maintenance: { v2: 4001, v1: 35, rule: "2.13", message: "The service is under maintenance." },
    protection_period: {
      v2: 3638,
      v1: 35,
      rule: "2.13",
      message: "During the protection period only maker_only orders, cancels and margin changes are taken.",
    },
    maintenance_not_found: {
      v2: 3639,
      v1: 2,
      rule: "2.13",
      message: "Invalid Parameter: no such maintenance is planned or running.",
    },
  },
  figures: MAINTENANCE_FIGURES,
  handlers: (backend) => ({
    ...maintenanceHandlers(backend),
  }),
  calls: MAINTENANCE_CALLS,
  nouns: { maintenance: "plan, show and cancel maintenance" },
  channels: [channel("notice", "both", NoticeChannel)],
  legacy: legacyMaintenanceHandlers,
  legacySockets: { channels: [channel("notice", "both", LegacyNoticeChannel)] },
} satisfies GatewayPart;
