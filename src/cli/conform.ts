/** `bourse conform`: runs a program against a venue that misbehaves, and says what the program made of it. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { FAULTS, type Fault } from "../conform/rules.ts";
import { CliError, EXIT } from "./exit.ts";

interface ConformOptions {
  readonly seconds: number;
  readonly patience: number;
  readonly silence: number;
  readonly seed: number;
  readonly faults: ReadonlySet<Fault>;
  readonly json?: boolean;
}

const NAMES = Object.keys(FAULTS) as Fault[];

export function addConformVerb(program: Command): void {
  program
    .command("conform")
    .summary("see what a client's program makes of a venue that misbehaves")
    .usage("[options] -- COMMAND [ARGUMENTS]")
    .description(
      "Run a program against a venue of a fixed world whose connections break, whose quotas end and whose pushes lie, and say what it called and " +
        "followed, which faults it met, and what it mishandled. The program finds BOURSE_URL, BOURSE_WS_URL, BOURSE_ACCESS_ID and BOURSE_SECRET_KEY " +
        "in its environment. Ends with code 1 when it mishandled something, with 2 when it cannot be run. docs/guides/conform.md names the rules.",
    )
    .option("--seconds <N>", "after so long the program is told to end", seconds, 75)
    .option("--patience <SECONDS>", "how long it may take to put right what was done to it", seconds, 5)
    .option("--silence <SECONDS>", "how long a socket may be silent", seconds, 60)
    .addOption(
      new Option("--faults <A,B>", `only these faults, or none: ${NAMES.join(", ")}`)
        .argParser(faults)
        .default(new Set(NAMES), "all"),
    )
    .option("--seed <N>", "seed of the venue's prices and keys", whole, 1)
    .option("--json", "print one JSON object")
    .argument("<COMMAND...>", "the program and its arguments")
    .passThroughOptions()
    .action(conform);
}

async function conform(command: readonly string[], options: ConformOptions): Promise<void> {
  const { run, NoProgram } = await import("../conform/run.ts");
  const { reportText } = await import("../conform/report.ts");
  const { seconds, patience, silence, seed, faults, json } = options;
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

function seconds(text: string): number {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError("Times are numbers of seconds such as 5 or 0.5.");
  }
  return Number(text);
}

function whole(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError("The seed is a whole number.");
  return Number(text);
}

function faults(text: string): ReadonlySet<Fault> {
  const names = text === "none" ? [] : text.split(",");
  const unknown = names.filter((name) => !NAMES.includes(name as Fault));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`There is no fault ${unknown.join(", ")}; there are ${NAMES.join(", ")}.`);
  return new Set(names as Fault[]);
}
