/** What travels over the venue's sockets, in every place where the client runs: text one way, gzip in binary frames the other. */

/** A reply or a push. */
export interface Message {
  readonly id: number | null;
  readonly code?: number;
  readonly message?: string;
  readonly method?: string;
  readonly data?: unknown;
  /** Of a push of a connection with a session: its number. */
  readonly seq?: number;
  /** What dev venues say of a refusal. */
  readonly reason?: string;
  readonly request_id?: string;
}

type Unzip = (bytes: Uint8Array) => Uint8Array;
interface NodeProcess {
  getBuiltinModule?(name: string): { gunzipSync: Unzip } | undefined;
}

/** Node's, which takes no turns of its own; browsers have none. */
const gunzipSync: Unzip | undefined = (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.(
  "node:zlib",
)?.gunzipSync;

/** Hands on what frames say, in the order in which they came. `onBad` hears of the first that cannot be read. */
export function reader(hear: (message: Message) => void, onBad: () => void): (frame: unknown) => void {
  const take = (text: string) => {
    let message: Message;
    try {
      message = JSON.parse(text) as Message;
    } catch {
      return onBad();
    }
    hear(message);
  };
  // Unpacking in a browser takes turns; the chain keeps the order.
  let line: Promise<void> = Promise.resolve();
  return (frame) => {
    if (typeof frame === "string") return take(frame);
    const bytes = new Uint8Array(frame as ArrayBuffer);
    if (gunzipSync === undefined) {
      line = line.then(async () => take(await unpacked(bytes))).catch(onBad);
      return;
    }
    let text: string;
    try {
      text = new TextDecoder().decode(gunzipSync(bytes));
    } catch {
      return onBad();
    }
    take(text);
  };
}

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Not over a Blob, which another process of a browser would keep, many times a second.
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const text = await new Response(readable).text();
  await written;
  return text;
}
