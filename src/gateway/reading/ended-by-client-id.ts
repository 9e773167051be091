import type { Engine, Outcome } from "../../engine/engine.ts";
import { eventKind } from "../../engine/event.ts";
import { recordWords } from "../../engine/words.ts";

/** What a client may give a name of its own. */
interface Named {
  readonly userId: number;
  readonly clientId: string;
}

/**
 * What a command by client id ended, in the order of its events: of those of `kind`, what `ended` reads as an end and the
 * caller calls so. What fell due at the command's time may have ended others.
 */
export function endedByClientId<Row extends Named>(
  { from, to }: Outcome,
  { events }: Engine,
  { userId, clientId }: Named,
  kind: number,
  ended: (events: Engine["events"], at: number) => Row | undefined,
): Row[] {
  const rows: Row[] = [];
  for (let at = from; at < to; at += recordWords(events, at)) {
    const row = eventKind(events, at) === kind ? ended(events, at) : undefined;
    if (row !== undefined && row.userId === userId && row.clientId === clientId) rows.push(row);
  }
  return rows;
}
