/**
 * Messages over the venue's sockets, in every place where the client runs: text one way, gzip in binary frames the
 * other.
 */
import { gunzip } from "./gunzip.ts";

/** A reply or a push. */
export interface Message {
  readonly id: number | null;
  readonly code?: number;
  readonly message?: string;
  readonly method?: string;
  readonly data?: unknown;
  /** Of a push of a connection with a session: its number. */
  readonly seq?: number;
  /** The reason that dev venues give for a refusal. */
  readonly reason?: string;
  readonly request_id?: string;
}

const UTF_8 = new TextDecoder();

/**
 * Hands on what a frame says, before it returns: nothing waits here, so that the order stays and what a connection is
 * behind by is kept by the connection, which is bounded. `onBad` hears of what cannot be read.
 */
export function reader(hear: (message: Message) => void, onBad: () => void): (frame: unknown) => void {
  return (frame) => {
    let message: Message;
    try {
      const text = typeof frame === "string" ? frame : UTF_8.decode(gunzip(new Uint8Array(frame as ArrayBuffer)));
      message = JSON.parse(text) as Message;
    } catch {
      return onBad();
    }
    hear(message);
  };
}
