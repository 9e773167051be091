import type { Engine, Outcome } from "../../engine/engine.ts";
import { eventKind } from "../../engine/event.ts";
import { recordWords } from "../../engine/words.ts";

/** A record that a client may give a name of its own. */
interface Named {
  readonly userId: number;
  readonly clientId: string;
}

/**
 * Returns the records that a command by client id ended, in the order of its events: of the events of `kind`, those
 * that `ended` reads as an end and that have the caller's name. Other records that fell due at the command's time may
 * have ended too; they are left out.
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
