import { accountsSection } from "../accounts/accounts-section.ts";
import { futuresSection } from "../futures/snapshot.ts";
import { ledgerSection } from "../ledger/ledger-section.ts";
import { listingSection } from "../listing/listing-section.ts";
import { maintenanceSection } from "../maintenance/maintenance-section.ts";
import { stopsSection } from "../stops/stop-snapshot.ts";
import { ordersSection } from "../trading/orders-section.ts";
import type { Section } from "./section.ts";
import { venueSection } from "./venue-section.ts";

/** All sections, in the order in which they are written and read: what others refer to comes first. */
export const SECTIONS: readonly Section[] = [
  venueSection,
  listingSection,
  ledgerSection,
  accountsSection,
  ordersSection,
  maintenanceSection,
  stopsSection,
  futuresSection,
];
