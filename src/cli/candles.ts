/** `bourse candles import`: gives a market of a running dev venue the candles of a CSV file. */
import type { Command } from "commander";
import { readNamedFile } from "../log/plain-file.ts";
import { AdminClient, type VenueOptions, withVenueOptions } from "./admin-client.ts";
import { CliError, EXIT } from "./exit.ts";
import { print } from "./output.ts";

const COLUMNS = ["time", "open", "high", "low", "close", "volume", "value"] as const;
const HEADER = COLUMNS.join(",");
/** As many as the call takes at once. */
const CANDLES_PER_CALL = 200;

/** A year of minutes has 40 MiB; all of it is held at once. */
const FILE_MIB_MAX = 256;

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

interface ImportOptions extends VenueOptions {
  readonly market: string;
  readonly marketType?: string;
  readonly period?: string;
}

export function addCandlesVerb(program: Command): void {
  const noun = program.commands.find((command) => command.name() === "candles") as Command;
  const command = noun
    .command("import")
    .summary("give a market the candles of a CSV file")
    .description(
      "Give a market of a running dev venue candles that were recorded elsewhere. The file begins with the line " +
        `${HEADER}; times are ISO 8601 with a ` +
        "zone or ms since 1970, ascending. Longer candles are made of them. What is there already stays, so " +
        "that a file can be sent twice.",
    )
    .argument("<FILE>", "the CSV file")
    .requiredOption("--market <MARKET>", "market")
    .option("--market-type <SPOT|FUTURES>", "what is traded; SPOT unless given")
    .option("--period <PERIOD>", "length of each candle; 1min unless given");
  withVenueOptions(command).action((file: string, options: ImportOptions) => importCandles(file, options));
}

async function importCandles(file: string, options: ImportOptions): Promise<void> {
  const rows = rowsOf(file);
  const client = AdminClient.of(options);
  for (let at = 0; at < rows.length; at += CANDLES_PER_CALL) {
    const candles = rows.slice(at, at + CANDLES_PER_CALL);
    const { market, marketType: market_type, period } = options;
    try {
      await client.call("POST", "/admin/candles", { market, market_type, period, candles });
    } catch (error) {
      throw placed(error, file, at);
    }
  }
  print({ market: options.market, candles: rows.length }, options.json);
}

/** The rows of the file, whose first candle stands in line 2. */
function rowsOf(file: string): Row[] {
  const text = readNamedFile(file, FILE_MIB_MAX).toString("utf8");
  const [header, ...lines] = text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split(/\r?\n/);
  if (header !== HEADER) {
    throw new CliError(`The first line of ${file} must be ${HEADER}.`, { exitCode: EXIT.usage });
  }
  return lines.map((line, at) => {
    const values = line.split(",").map((value) => value.trim());
    if (values.length !== COLUMNS.length || values.includes("")) {
      const what = `has ${values.length} values, and needs ${COLUMNS.length} that are not empty`;
      throw new CliError(`Line ${at + 2} of ${file} ${what}: ${HEADER}.`, { exitCode: EXIT.usage });
    }
    return Object.fromEntries(COLUMNS.map((name, column) => [name, values[column]])) as unknown as Row;
  });
}

/** The venue counts candles of a call, people count lines of a file. */
function placed(error: unknown, file: string, before: number): unknown {
  if (!(error instanceof CliError)) return error;
  const found = /(?:Candle (\d+): |in item (\d+), )/.exec(error.message);
  if (found === null) return error;
  const line = before + Number(found[1] ?? found[2]) + 1;
  return new CliError(`Line ${line} of ${file}: ${error.message.slice(found.index + found[0].length)}`, {
    cause: error,
  });
}
