import { connect, type Socket } from "node:net";

/** Filled and read through again for each piece that comes in; one for all, as pieces are read at once. */
const PIECE = Buffer.allocUnsafe(262_144);
const HEAD_END = Buffer.from("\r\n\r\n");
const HEAD_BYTES_MAX = 10;

/**
 * A client of a WebSocket server that counts frames and looks at nothing in them, so that reading costs little beside
 * the sending that is measured.
 */
export class FrameReader {
  readonly socket: Socket;
  /** Whole frames that have come in. */
  frames = 0;
  bytes = 0;
  #arrivals: Float64Array | undefined;
  #arrived = 0;
  /** Copies of what comes in, while somebody wants them. */
  recorded: Buffer[] | undefined;
  readonly #head = new Uint8Array(HEAD_BYTES_MAX);
  #headBytes = 0;
  #payloadLeft = 0;
  #isUpgraded = false;
  #early = Buffer.alloc(0);

  /** Resolves when the server has accepted the upgrade. */
  static connect(port: number, path = "/"): Promise<FrameReader> {
    return new Promise((resolve, reject) => {
      const reader: FrameReader = new FrameReader(port, path, () => resolve(reader));
      reader.socket.on("error", reject);
    });
  }

  private constructor(port: number, path: string, opened: () => void) {
    this.socket = connect({
      host: "127.0.0.1",
      port,
      noDelay: true,
      onread: {
        buffer: PIECE,
        callback: (length, piece) => {
          if (this.#isUpgraded) this.#take(piece as Buffer, 0, length);
          else this.#takeUpgrade(piece.subarray(0, length) as Buffer, opened);
          return true;
        },
      },
    });
    this.socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    );
  }

  /** Sends a text of at most 65,535 bytes. The mask is zero, which leaves the text as it is. */
  send(text: string): void {
    const payload = Buffer.from(text);
    const head = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
    // A length that would go into one byte must.
    const short = Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]);
    this.socket.write(Buffer.concat([payload.length < 126 ? short : head, payload]));
  }

  /** Notes when the next frames come in, so many at most. */
  noteArrivals(room: number): void {
    this.#arrivals = new Float64Array(room);
    this.#arrived = 0;
  }

  /** The noted times, in µs of the clock that all processes share. No more are noted. */
  takeArrivals(): Float64Array {
    const arrivals = this.#arrivals ?? new Float64Array(0);
    this.#arrivals = undefined;
    return arrivals.subarray(0, this.#arrived);
  }

  #takeUpgrade(piece: Buffer, opened: () => void): void {
    this.#early = Buffer.concat([this.#early, piece]);
    const end = this.#early.indexOf(HEAD_END);
    if (end < 0) return;
    if (!this.#early.toString("latin1").startsWith("HTTP/1.1 101")) throw new Error(this.#early.toString("latin1"));
    this.#isUpgraded = true;
    opened();
    this.#take(this.#early, end + HEAD_END.length, this.#early.length);
  }

  #take(piece: Buffer, from: number, to: number): void {
    this.recorded?.push(Buffer.from(piece.subarray(from, to)));
    this.bytes += to - from;
    const nowUs = this.#arrivals === undefined ? 0 : Number(process.hrtime.bigint() / 1_000n);
    let at = from;
    while (at < to) {
      if (this.#payloadLeft === 0) {
        this.#head[this.#headBytes++] = piece[at++] as number;
        if (!this.#isHeadWhole()) continue;
        this.#payloadLeft = payloadBytes(this.#head);
        this.#headBytes = 0;
      }
      const taken = Math.min(this.#payloadLeft, to - at);
      this.#payloadLeft -= taken;
      at += taken;
      if (this.#payloadLeft > 0) return;
      this.frames++;
      if (this.#arrivals !== undefined) this.#arrivals[this.#arrived++] = nowUs;
    }
  }

  #isHeadWhole(): boolean {
    return this.#headBytes >= 2 && this.#headBytes === headBytes(this.#head);
  }
}

/** The payloads of the frames in recorded bytes, which begin and end with whole frames. */
export function payloadsOf(recorded: readonly Buffer[]): Buffer[] {
  const bytes = Buffer.concat(recorded);
  const payloads: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const head = bytes.subarray(at);
    const from = at + headBytes(head);
    at = from + payloadBytes(head);
    payloads.push(bytes.subarray(from, at));
  }
  return payloads;
}

/** RFC 6455, of frames that servers send: unmasked. */
function headBytes(head: Uint8Array): number {
  const length = (head[1] as number) & 127;
  return length < 126 ? 2 : length === 126 ? 4 : 10;
}

function payloadBytes(head: Uint8Array): number {
  const length = (head[1] as number) & 127;
  if (length < 126) return length;
  const view = new DataView(head.buffer, head.byteOffset);
  return length === 126 ? view.getUint16(2) : Number(view.getBigUint64(2));
}
