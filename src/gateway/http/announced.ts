/** Reads the announced sizes of the chunks of a body before the chunks have come. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** Chunks that are looked at: anyone who sends more of them than this in one piece sends small ones. */
const CHUNKS_MAX = 100;
/** 16 hexadecimal digits are all that Node takes; what follows them on their line means nothing here. */
const SIZE_LINE = /^([0-9A-Fa-f]{1,16})[\t ]*(?:;[^\r\n]{0,256})?\r\n/;
const SIZE_LINE_CHARS = 300;
const HEAD_END = "\r\n\r\n";

/** Node's parser of HTTP, which gives the bytes that it is parsing as long as it does so. */
type Parsing = { readonly parser?: { getCurrentBuffer?(): Buffer | undefined } | null };

/**
 * How many bytes the chunks come to that begin in the piece in which the head of a request came: as far as the sizes
 * stand there, whether or not what they announce has come. 0 when nothing can be said. To be asked while the head is
 * handed over.
 */
export function announcedBehindHead({ method, socket }: IncomingMessage): number {
  const text = pieceOf(socket);
  // What stands behind other requests in a piece is not looked for: Node does not say where its head begins.
  if (!text.trimStart().startsWith(`${method} `)) return 0;
  const end = text.indexOf(HEAD_END);
  return end < 0 ? 0 : announcedIn(text, end + HEAD_END.length);
}

/** The same of a piece that begins with the size of a chunk. To be asked while a part of the body is handed over. */
export function announcedInPiece(socket: Socket): number {
  return announcedIn(pieceOf(socket), 0);
}

function pieceOf(socket: Socket): string {
  return (socket as Parsing).parser?.getCurrentBuffer?.()?.toString("latin1") ?? "";
}

function announcedIn(text: string, from: number): number {
  let bytes = 0;
  let at = from;
  for (let chunk = 0; chunk < CHUNKS_MAX && at < text.length; chunk++) {
    const line = SIZE_LINE.exec(text.slice(at, at + SIZE_LINE_CHARS));
    if (line === null) break;
    const size = Number.parseInt(line[1] as string, 16);
    bytes += size;
    if (size === 0) break;
    at += line[0].length + size + "\r\n".length;
  }
  return bytes;
}
