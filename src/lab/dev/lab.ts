/** All that the dev profile adds to a venue; `src/venue/lab.ts` loads it. */
export { SIMULATED_TRADERS } from "../market/dev-markets.ts";
export { openSimulatedChain } from "../simulated-chain/open.ts";
export { makeDevVenue } from "./dev-venue.ts";
export { InjectedFaults } from "./injected-faults.ts";
export { Rewind } from "./rewind.ts";
export { Scenarios } from "./scenarios.ts";
