import type { ApiKey } from "../auth/key-directory.ts";
import type { Push } from "./push.ts";

/** Where a client's pushes go. */
export interface Link {
  readonly remoteAddress: string;
  /** Whether little enough waits to be sent that more than the news of the moment may be added. */
  readonly hasRoom: boolean;
  send(push: Push): void;
}

/** One connection as channels know it: where it is sent to, whose it is and how much it follows. */
export class Client {
  readonly #link: Link;
  /** The key that it has logged in with. */
  key: ApiKey | undefined;
  /** Names that it follows over all channels. */
  subscriptions = 0;
  /** What is to be sent when there is room, in its order. */
  #waiting: (() => void)[] = [];

  constructor(link: Link) {
    this.#link = link;
  }

  get remoteAddress(): string {
    return this.#link.remoteAddress;
  }

  send(push: Push): void {
    this.#link.send(push);
  }

  /** Whether something may be sent now that could wait: nothing waits before it, and its link has room. */
  get hasRoom(): boolean {
    return this.#waiting.length === 0 && this.#link.hasRoom;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  whenRoom(send: () => void): void {
    this.#waiting.push(send);
  }

  /** Sends of what waits as much as there is room for. */
  sendWaiting(): void {
    const waiting = this.#waiting;
    let sent = 0;
    while (sent < waiting.length && this.#link.hasRoom) waiting[sent++]?.();
    this.#waiting = waiting.slice(sent);
  }
}
