/**
 * Guards a connection to a server against what comes over it: a client's package that waits for the rest of an answer
 * keeps all of it in memory, and one that cannot read an answer may throw where nobody catches it.
 */
import type { Duplex } from "node:stream";

/** Looks at each piece that has come; gives the reason, as the end of a sentence, why it is no answer. */
export type LookAt = (piece: Buffer) => string | undefined;

/** The server sends what is no answer. The message completes "… is away". */
export class NoAnswer extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = "NoAnswer";
  }
}

/**
 * Has each piece looked at before the package reads it. The connection ends with a NoAnswer where one is refused, or
 * cannot be read.
 */
export function guardAnswers(stream: Duplex, look: LookAt): void {
  const emit = stream.emit.bind(stream) as (event: string | symbol, ...values: unknown[]) => boolean;
  stream.emit = (event: string | symbol, ...values: unknown[]) => {
    if (event !== "data") return emit(event, ...values);
    // Pieces may still come that had been read before it was destroyed; and once the package has ended its side, nobody
    // waits for answers.
    if (stream.destroyed || stream.writableEnded) return false;
    let wrong: NoAnswer;
    try {
      const reason = look(values[0] as Buffer);
      if (reason === undefined) return emit(event, ...values);
      wrong = new NoAnswer(reason);
    } catch (cause) {
      wrong = new NoAnswer("its answer cannot be read", cause);
    }
    stream.destroy(wrong);
    return false;
  };
}
