/**
 * Checks that a PostgreSQL server sends only what it may: messages of a byte that names the kind and four that give the
 * length.
 */
import type { LookAt } from "../../net/guarded-answers.ts";

/**
 * Kinds that are sent to a client that copies nothing and listens to nobody; see "Message Formats" in the server's
 * documentation.
 */
const KINDS: ReadonlySet<number> = new Set(Buffer.from("RSKZTDCEN123nstIAv"));
/** Of one message. The largest row of a history has some kilobytes. */
const MESSAGE_BYTES_MAX = 16 * 1_048_576;
/**
 * Of all that comes until the server is ready for the next question: a page of a history has at most a thousand rows or
 * so.
 */
const ANSWER_BYTES_MAX = 64 * 1_048_576;
/** The four bytes of the length count themselves. */
const LENGTH_BYTES = 4;
const READY = "Z".charCodeAt(0);

/** Looks at what comes over one connection. */
export function postgresFrames(): LookAt {
  let kind: number | undefined;
  let length = 0;
  let lengthBytes = 0;
  /** Of the message that has begun, what is still to come. */
  let left = 0;
  let answerBytes = 0;
  return (piece) => {
    for (let at = 0; at < piece.length; ) {
      if (left > 0) {
        const taken = Math.min(left, piece.length - at);
        left -= taken;
        at += taken;
      } else if (kind === undefined) {
        kind = piece[at++] as number;
        if (!KINDS.has(kind)) return "it answers with what is no message of PostgreSQL";
      } else {
        length = length * 256 + (piece[at++] as number);
        if (++lengthBytes < LENGTH_BYTES) continue;
        if (length < LENGTH_BYTES || length > MESSAGE_BYTES_MAX) return `it announces a message of ${length} bytes`;
        left = length - LENGTH_BYTES;
        answerBytes = kind === READY ? 0 : answerBytes + length;
        if (answerBytes > ANSWER_BYTES_MAX) return `its answer has more than ${ANSWER_BYTES_MAX} bytes`;
        [kind, length, lengthBytes] = [undefined, 0, 0];
      }
    }
    return undefined;
  };
}
