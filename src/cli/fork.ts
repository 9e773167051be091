/** `bourse fork`: a new venue of the dev profile out of the log of another, as it was right after a command. */
import type { Command } from "commander";
import { forkVenue } from "../venue/fork.ts";
import { CliError, EXIT } from "./exit.ts";
import { dataDirWithLog } from "./log.ts";
import { print } from "./output.ts";

interface ForkOptions {
  readonly from: string;
  readonly at?: string;
  readonly data: string;
  readonly json?: boolean;
}

export function addForkVerb(program: Command): void {
  program
    .command("fork")
    .summary("make a dev venue out of the log of another")
    .description(
      "Make a data directory for the dev profile whose venue is what another was right after a command, history included. The other " +
        "one is only read: a copy of its log from another machine will do. Keys whose secrets cannot be read are replaced and printed; operators, what people " +
        "sign in with and keys of hot wallets are taken out. The production profile never starts on a fork.",
    )
    .requiredOption("--from <DIR>", "data directory, or a copy of its log.sqlite with its log.sqlite-wal")
    .option("--at <SEQ>", "the command; the last one unless given")
    .requiredOption("--data <DIR>", "the new data directory")
    .option("--json", "print the answer as JSON")
    .action(fork);
}

async function fork({ from, at, data, json }: ForkOptions): Promise<void> {
  if (at !== undefined && !/^[1-9]\d{0,15}$/.test(at)) {
    throw new CliError(`Say a seq, a whole number from 1, instead of ${at}.`, { exitCode: EXIT.usage });
  }
  const made = await forkVenue(dataDirWithLog(from), at === undefined ? undefined : Number(at), data);
  const { keys, notes, timeMs, stateHash, sourceStateHash } = made;
  const answer = {
    data: made.data,
    seq: made.seq,
    time: new Date(timeMs).toISOString(),
    state_hash: stateHash,
    source_state_hash: sourceStateHash,
    keys: keys.map(({ userId, name, accessId, secret }) => ({
      user_id: userId,
      name,
      access_id: accessId,
      secret_key: secret,
    })),
    notes,
  };
  print(answer, json);
}
