/** `bourse fork`: a new venue of the dev profile out of the log of another, as it was right after a command. */

import { CliError, EXIT } from "../../cli/exit.ts";
import { dataDirWithLog } from "../../cli/log.ts";
import { print } from "../../cli/output.ts";
import { forkVenue } from "../dev/fork.ts";

export interface ForkOptions {
  readonly from: string;
  readonly at?: string;
  readonly data: string;
  readonly json?: boolean;
}

export async function fork({ from, at, data, json }: ForkOptions): Promise<void> {
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
