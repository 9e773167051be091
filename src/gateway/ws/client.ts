import type { ApiKey } from "../auth/key-directory.ts";
import type { Push } from "./push.ts";

/** Where a client's pushes go. */
export interface Link {
  readonly remoteAddress: string;
  send(push: Push): void;
}

/** One connection as channels know it: where it is sent to, whose it is and how much it follows. */
export class Client {
  readonly #link: Link;
  /** The key that it has logged in with. */
  key: ApiKey | undefined;
  /** Names that it follows over all channels. */
  subscriptions = 0;

  constructor(link: Link) {
    this.#link = link;
  }

  get remoteAddress(): string {
    return this.#link.remoteAddress;
  }

  send(push: Push): void {
    this.#link.send(push);
  }
}
