/** The answers that a server of quotas may send: those of Redis's protocol (RESP2), one for each question. */
import type { LookAt } from "../net/guarded-answers.ts";

/** Answers that stand in one line: a status, an error, a number. */
const LINES: ReadonlySet<number> = new Set(Buffer.from("+-:"));
const [TEXT, LIST, CR, LF] = Buffer.from("$*\r\n") as unknown as [number, number, number, number];
/** Of one line, with what it begins with. Errors of scripts are the longest. */
const LINE_BYTES_MAX = 4_096;
/** Of one text: what the server says of itself when it is signed in to has some 8 KiB. */
const TEXT_BYTES_MAX = 131_072;
/** In one answer: that to a trip is a list of some 1,800 numbers. */
const ELEMENTS_MAX = 8_192;

const NO_REDIS = "it answers with what is no answer of Redis";
const NOBODY_ASKED = "it answers what nobody asked";

/** Looks at what comes over one connection, on which `asked` questions wait for their answers. */
export function redisFrames(asked: () => number): LookAt {
  /** The line that has begun. */
  let line = "";
  /** Of a text, with the two bytes behind it, what is still to come. */
  let textLeft = 0;
  /** Of the answer that has begun: elements that are still to come, and all of them. */
  let awaited = 0;
  let elements = 0;
  return (piece) => {
    let left = asked();
    const ended = () => {
      if (awaited > 0) return true;
      elements = 0;
      return left-- > 0;
    };
    for (let at = 0; at < piece.length; ) {
      if (textLeft > 0) {
        const taken = Math.min(textLeft, piece.length - at);
        textLeft -= taken;
        at += taken;
        if (textLeft === 0 && !ended()) return NOBODY_ASKED;
        continue;
      }
      const byte = piece[at++] as number;
      if (byte !== LF) {
        line += String.fromCharCode(byte);
        if (line.length > LINE_BYTES_MAX) return "its answer does not end";
        continue;
      }
      if (line.charCodeAt(line.length - 1) !== CR) return NO_REDIS;
      const kind = line.charCodeAt(0);
      const size = Number(line.slice(1, -1));
      line = "";
      awaited = Math.max(0, awaited - 1);
      if (++elements > ELEMENTS_MAX) return "its answer is too long";
      if (kind === TEXT || kind === LIST) {
        if (!Number.isInteger(size) || size < -1) return NO_REDIS;
        if (size > (kind === TEXT ? TEXT_BYTES_MAX : ELEMENTS_MAX)) return `it announces an answer of ${size}`;
        if (kind === TEXT && size >= 0) textLeft = size + 2;
        else if (kind === LIST) awaited += Math.max(0, size);
      } else if (!LINES.has(kind)) return NO_REDIS;
      if (textLeft === 0 && !ended()) return NOBODY_ASKED;
    }
    return undefined;
  };
}
