/** `bourse conform`: runs a program against a venue that misbehaves, and says what the program made of it. */

import { CliError, EXIT } from "../../cli/exit.ts";
import { reportText } from "../conform/report.ts";
import { FAULTS, type Fault } from "../conform/rules.ts";
import { NoProgram, run } from "../conform/run.ts";

export interface ConformOptions {
  readonly seconds: number;
  readonly patience: number;
  readonly silence: number;
  readonly seed: number;
  /** Names with commas between them, or `none`; all unless given. */
  readonly faults?: string;
  readonly json?: boolean;
}

const NAMES = Object.keys(FAULTS) as Fault[];

export async function conform(command: readonly string[], options: ConformOptions): Promise<void> {
  const { seconds, patience, silence, seed, json } = options;
  const faults = faultsOf(options.faults);
  const terms = { seconds, patienceMs: patience * 1_000, silenceMs: silence * 1_000, seed, faults };
  const [file = "", ...args] = command;
  try {
    const report = await run({ ...terms, command: [file, ...args] });
    process.stdout.write(json === true ? `${JSON.stringify(report)}\n` : reportText(report));
    if (report.mishandled.length > 0) process.exitCode = EXIT.failed;
  } catch (error) {
    if (error instanceof NoProgram) throw new CliError(error.message, { exitCode: EXIT.usage, cause: error });
    throw error;
  }
}

function faultsOf(text: string | undefined): ReadonlySet<Fault> {
  if (text === undefined) return new Set(NAMES);
  const names = text === "none" ? [] : text.split(",");
  const unknown = names.filter((name) => !NAMES.includes(name as Fault));
  if (unknown.length > 0) {
    const message = `There is no fault ${unknown.join(", ")}; there are ${NAMES.join(", ")}.`;
    throw new CliError(message, { exitCode: EXIT.usage });
  }
  return new Set(names as Fault[]);
}
