/**
 * The entry of a venue into the laboratory, `src/lab/`: what the dev profile adds. Nothing else of a venue reaches for
 * it, so that the production profile loads none of it, and starts where it is not installed.
 */
import { type Settings, SettingsError } from "./settings.ts";

export type { DevVenue } from "../lab/dev/dev-venue.ts";
export type { InjectedFaults } from "../lab/dev/injected-faults.ts";
export type { Rewind } from "../lab/dev/rewind.ts";
export type { Scenarios } from "../lab/dev/scenarios.ts";

/** The parts that only a venue of the dev profile has. */
export type Lab = typeof import("../lab/dev/lab.ts");

/** Loads the laboratory for the dev profile; undefined for the production profile. */
export async function labOf({ profile }: Settings): Promise<Lab | undefined> {
  if (profile !== "dev") return undefined;
  try {
    return await import("../lab/dev/lab.ts");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const message =
      "The dev profile needs the laboratory, the folder lab of the program, which is not installed here. " +
      "Install the whole package, or start with --profile production.";
    throw new SettingsError(message, { cause: error });
  }
}
