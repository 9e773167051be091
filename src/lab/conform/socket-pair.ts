/** One connection of a client's program to a socket, and the relay's own to the venue behind it. */
import { gunzipSync, gzipSync } from "node:zlib";
import { type RawData, WebSocket } from "ws";

/** The content of a frame. */
export interface Frame {
  readonly id?: number | null;
  readonly method?: string;
  // Each method has a shape of its own, and a client's program may send anything.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  readonly data?: any;
  readonly code?: number;
  readonly message?: string;
}

const GZIP_FIRST_BYTE = 0x1f;

export class SocketPair {
  /** Such as `/v2/spot`. */
  readonly path: string;
  readonly openedMs = performance.now();
  /** When the program last sent anything, PING frames included. */
  heardMs = performance.now();
  /** When it ended; undefined while it is open. */
  goneMs: number | undefined;
  /** Hears what the program sends. */
  onAsked: (frame: Frame) => void = () => {};
  /** Hears what the venue sends; gives what goes on in its place, undefined for nothing. */
  onTold: (frame: Frame) => Frame | undefined = (frame) => frame;
  readonly #client: WebSocket;
  readonly #venue: WebSocket;
  readonly #waiting: Buffer[] = [];
  readonly #gone: (() => void)[] = [];

  constructor(client: WebSocket, venueUrl: string, path: string) {
    this.path = path;
    this.#client = client;
    this.#venue = new WebSocket(venueUrl, { perMessageDeflate: false });
    client.on("message", (data) => this.#fromClient(data));
    client.on("ping", () => {
      this.heardMs = performance.now();
      if (this.#venue.readyState === WebSocket.OPEN) this.#venue.ping();
    });
    client.on("close", () => this.cut());
    client.on("error", () => this.cut());
    this.#venue.on("open", () => {
      for (const data of this.#waiting.splice(0)) this.#venue.send(data, { binary: false });
    });
    this.#venue.on("message", (data) => this.#fromVenue(data));
    this.#venue.on("close", () => this.cut());
    this.#venue.on("error", () => this.cut());
  }

  get product(): "spot" | "futures" {
    return this.path.includes("futures") || this.path.includes("perpetual") ? "futures" : "spot";
  }

  get isGone(): boolean {
    return this.goneMs !== undefined;
  }

  onGone(listener: () => void): void {
    this.#gone.push(listener);
  }

  /** Sends the program something that the venue has not said. */
  tell(frame: Frame): void {
    if (this.#client.readyState === WebSocket.OPEN)
      this.#client.send(gzipSync(JSON.stringify(frame)), { binary: true });
  }

  /** Ends the connection without a word, as a broken line does. */
  cut(): void {
    if (this.isGone) return;
    this.goneMs = performance.now();
    this.#client.terminate();
    this.#venue.terminate();
    for (const listener of this.#gone) listener();
  }

  #fromClient(data: RawData): void {
    const bytes = bytesOf(data);
    this.heardMs = performance.now();
    const frame = frameIn(bytes);
    if (frame !== undefined) this.onAsked(frame);
    if (this.#venue.readyState === WebSocket.OPEN) this.#venue.send(bytes, { binary: false });
    else this.#waiting.push(bytes);
  }

  #fromVenue(data: RawData): void {
    const bytes = bytesOf(data);
    // The older generation's frames are plain text.
    const frame = frameIn(bytes[0] === GZIP_FIRST_BYTE ? gunzipSync(bytes) : bytes);
    const handed = frame === undefined ? undefined : this.onTold(frame);
    if (this.#client.readyState !== WebSocket.OPEN) return;
    if (handed === frame) this.#client.send(bytes, { binary: true });
    else if (handed !== undefined) this.tell(handed);
  }
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

function frameIn(bytes: Buffer): Frame | undefined {
  try {
    const read: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof read === "object" && read !== null ? (read as Frame) : undefined;
  } catch {
    return undefined;
  }
}
