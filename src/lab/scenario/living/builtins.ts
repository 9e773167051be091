/** The scenario files that come with the program, as far as they are for living venues. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ScenarioFault } from "../scenario.ts";
import { isLiving, type LivingScenario, parseLivingScenario } from "./living-scenario.ts";

const FOLDER = fileURLToPath(new URL("../../../../scenarios/", import.meta.url));
const ENDING = ".json";

export interface BuiltinScenario {
  /** The file's, without its ending. */
  readonly name: string;
  readonly file: string;
  /** The scenario in the file, or the sentence that says why it cannot be understood. */
  readonly scenario: LivingScenario | string;
}

/** By name. Read anew each time, so that a file that somebody puts there is found. */
export function builtinScenarios(folder = FOLDER): readonly BuiltinScenario[] {
  return readdirSync(folder)
    .filter((entry) => entry.endsWith(ENDING))
    .sort()
    .flatMap((entry) => {
      const file = folder + entry;
      const scenario = readLiving(file);
      return scenario === undefined ? [] : [{ name: entry.slice(0, -ENDING.length), file, scenario }];
    });
}

/** Undefined where the file is for an engine of its own. */
function readLiving(file: string): LivingScenario | string | undefined {
  try {
    const text = readFileSync(file, "utf8");
    return isLiving(text) ? parseLivingScenario(text) : undefined;
  } catch (error) {
    if (error instanceof ScenarioFault) return error.message;
    return "The file cannot be read.";
  }
}
