/** What nodes say, and what stands in a stream: a head of JSON, and bytes behind it that begin on a word. */

/** What begins a frame: the length of the head as 4 bytes, little-endian. */
const LENGTH_BYTES = 4;
const WORD_BYTES = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NOTHING = new Uint8Array(0);

/** A frame is not what this program writes. */
export class BadFrame extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`What came from another node cannot be read: ${reason}.`, options);
    this.name = "BadFrame";
  }
}

export function encodeFrame(head: object, body: Uint8Array = NOTHING): Uint8Array {
  const text = encoder.encode(JSON.stringify(head));
  const bodyAt = Math.ceil((LENGTH_BYTES + text.length) / WORD_BYTES) * WORD_BYTES;
  const bytes = new Uint8Array(bodyAt + body.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, LENGTH_BYTES);
  bytes.set(body, bodyAt);
  return bytes;
}

/** The body is a copy, which begins its own buffer. Throws BadFrame. */
export function decodeFrame(bytes: Uint8Array): { readonly head: unknown; readonly body: Uint8Array } {
  if (bytes.length < LENGTH_BYTES) throw new BadFrame(`it has ${bytes.length} bytes`);
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0, true);
  const bodyAt = Math.ceil((LENGTH_BYTES + length) / WORD_BYTES) * WORD_BYTES;
  if (bodyAt > bytes.length) throw new BadFrame("it ends within its head");
  try {
    const head: unknown = JSON.parse(decoder.decode(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length)));
    // Not by slice: of a Buffer, which is what a socket gives, that is no copy.
    return { head, body: new Uint8Array(bytes.subarray(bodyAt)) };
  } catch (cause) {
    throw new BadFrame((cause as Error).message, { cause });
  }
}

/** Reads what came from elsewhere; undefined: it cannot be read. */
export type ReadFrame = <Result>(read: () => Result) => Result | undefined;

/** What cannot be read comes from a stranger, or from a program of another time: it is told of, and nothing comes of it. */
export function tellingOfBadFrames(onNote: (text: string) => void): ReadFrame {
  return (read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      onNote(error.message);
      return undefined;
    }
  };
}
