import type { SpotPart } from "../part.ts";
import { maintenance as plan } from "./actions.ts";
import { cancelWindow, forgetWindows, planWindow } from "./windows.ts";

/** Maintenance windows and protection periods. Domain 2.13. */
export const maintenance: SpotPart = {
  name: "maintenance",
  actions: { maintenance: { often: { usual: [0, 0, 1, 3], auctions: [0], crowd: [0] }, make: plan } },
  ofVenue: { plan_maintenance: planWindow, cancel_maintenance: cancelWindow },
  before: forgetWindows,
  compare: (state, model, differ) => {
    const ours = state.maintenance.map((one) => one.maintenanceId).join();
    differ("maintenance windows", ours, model.windows.map((one) => one.id).join());
  },
  faults: [],
};
