/**
 * The verbs of the laboratory, `src/lab/`: fork, scenario, conform and replay-market. What carries them out is loaded
 * when one of them is called, and by nothing else of the command line: a venue of the production profile needs none of
 * it, and runs where it is not installed.
 */
import { type Command, InvalidArgumentError } from "commander";
import type { ConformOptions } from "../lab/verbs/conform.ts";
import type { ForkOptions } from "../lab/verbs/fork.ts";
import type { ReplayOptions } from "../lab/verbs/replay-market.ts";
import type { ScenarioOptions } from "../lab/verbs/scenario.ts";
import { DATA_DEFAULT } from "../venue/settings.ts";
import { withVenueOptions } from "./admin-client.ts";
import { CliError } from "./exit.ts";

export function addForkVerb(program: Command): void {
  program
    .command("fork")
    .summary("make a dev venue out of the log of another")
    .description(
      "Make a data directory for the dev profile whose venue is what another was right after a command, history " +
        "included. The other one is only read: a copy of its log from another machine will do. Keys whose secrets " +
        "cannot be read are replaced and printed; operators, what people sign in with and keys of hot wallets are " +
        "taken out. The production profile never starts on a fork.",
    )
    .requiredOption("--from <DIR>", "data directory, or a copy of its log.sqlite with its log.sqlite-wal")
    .option("--at <SEQ>", "the command; the last one unless given")
    .requiredOption("--data <DIR>", "the new data directory")
    .option("--json", "print the answer as JSON")
    .action(async (options: ForkOptions) => await (await inLab(() => import("../lab/verbs/fork.ts"))).fork(options));
}

export function addScenarioVerb(program: Command): void {
  const scenario = program
    .command("scenario")
    .summary("play out what happens to traders when prices move")
    .description("Play scenario files: users, orders, prices and hours in a file, and what came of it as a table.");
  scenario
    .command("run <FILE>")
    .summary("play one file")
    .description(
      "Play a scenario file on an engine of its own, without a venue, and print what happened to whom. After every " +
        "command all invariants must hold and all money must be there to the last unit. Ends with code 1 when " +
        "something expected did not come true, with 2 when the file is no scenario.",
    )
    .option("--json", "print one JSON object instead of tables")
    .optionsGroup("On a living venue of the dev profile, for files that name a bot:")
    .option("--on <URL>", "the operators' interface of the venue")
    .option("--token <TOKEN>", "an operator's token, instead of that of root in the data directory")
    .option("--data <DIR>", `the venue's data directory (${DATA_DEFAULT})`)
    .option("--bot <NAME>", "the user whose account is looked at, instead of the file's")
    .option("--pace <MS>", "what a bot has of real time between two ticks of a virtual clock", "100")
    .option("--junit <FILE>", "write the expectations as JUnit XML, too")
    .action(async (file: string, options: ScenarioOptions) => {
      const { runScenario } = await inLab(() => import("../lab/verbs/scenario.ts"));
      await runScenario(file, options);
    });
}

export function addConformVerb(program: Command): void {
  program
    .command("conform")
    .summary("see what a client's program makes of a venue that misbehaves")
    .usage("[options] -- COMMAND [ARGUMENTS]")
    .description(
      "Run a program against a venue of a fixed world whose connections break, whose quotas end and whose pushes " +
        "lie, and say what it called and followed, which faults it met, and what it mishandled. The program finds " +
        "BOURSE_URL, BOURSE_WS_URL, BOURSE_ACCESS_ID and BOURSE_SECRET_KEY in its environment. Ends with code 1 when " +
        "it mishandled something, with 2 when it cannot be run. docs/guides/conform.md names the rules.",
    )
    .option("--seconds <N>", "after so long the program is told to end", secondsOf, 75)
    .option("--patience <SECONDS>", "how long it may take to put right what was done to it", secondsOf, 5)
    .option("--silence <SECONDS>", "how long a socket may be silent", secondsOf, 60)
    .option("--faults <A,B>", "only these faults of docs/guides/conform.md, or none (default: all)")
    .option("--seed <N>", "seed of the venue's prices and keys", seedOf, 1)
    .option("--json", "print one JSON object")
    .argument("<COMMAND...>", "the program and its arguments")
    .passThroughOptions()
    .action(async (words: string[], options: ConformOptions) => {
      const { conform } = await inLab(() => import("../lab/verbs/conform.ts"));
      await conform(words, options);
    });
}

export function addReplayVerb(program: Command): void {
  const command = program
    .command("replay-market")
    .summary("play a recorded market as orders of background traders")
    .description(
      "Play recorded trades and books into a market of a running " +
        "dev venue, as orders of background traders that a bot's " +
        "orders queue with. Files are CSV, also with .gz: " +
        "time,type,side,price,amount, or trades and incremental_book_L2 of tardis.dev, given together. Start " +
        "the venue with --makers off --past 0 --limits off. docs/guides/replay.md says more.",
    )
    .argument("<FILE...>", "recordings of one spot market")
    .requiredOption("--market <MARKET>", "market")
    .option("--api <URL>", "where the venue's API listens", "http://127.0.0.1:7400")
    .option("--on <URL>", "the venue's admin interface, as --admin")
    .option("--speed <N>", "recorded time per real time; 0: as fast as it goes", speedOf, 1)
    .option("--step", "move the virtual clock of a frozen venue by recorded time, and wait for nothing else");
  withVenueOptions(command).action(async (files: string[], options: ReplayOptions) => {
    const { replay } = await inLab(() => import("../lab/verbs/replay-market.ts"));
    await replay(files, options);
  });
}

/** Loads a module of the laboratory. */
async function inLab<Verb>(load: () => Promise<Verb>): Promise<Verb> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const message =
      "This verb belongs to the laboratory, the folder lab of the program, which is not installed here. Install " +
      "the whole package.";
    throw new CliError(message, { cause: error });
  }
}

function secondsOf(text: string): number {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError("Times are numbers of seconds such as 5 or 0.5.");
  }
  return Number(text);
}

function seedOf(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError("The seed is a whole number.");
  return Number(text);
}

function speedOf(text: string): number {
  if (!/^\d{1,6}(?:\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError("The speed must be a number of 0 or more.");
  return Number(text);
}
