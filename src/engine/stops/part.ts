import { part } from "../part.ts";

/** Orders that the venue places once a price reaches their trigger. */
export const stops = part({ name: "stops", forms: {}, commands: {} });
