import { PARTS } from "../parts.ts";
import type { Section } from "./section.ts";
import { venueSection } from "./venue-section.ts";

/** All sections, in the order in which they are written and read: what others refer to comes first. */
export const SECTIONS: readonly Section[] = [venueSection, ...PARTS.flatMap(({ sections = [] }) => sections)];
