import type { PrivateFeed } from "../../feeds/private-feed.ts";
import type { ApiKey } from "../auth/key-directory.ts";
import type { Client } from "./client.ts";

/** Who is logged in, by account and by key; the accounts are watched for as long as somebody is. */
export class Sessions {
  readonly #feed: Pick<PrivateFeed, "watch" | "unwatch">;
  readonly #byUser = new Map<number, Set<Client>>();

  constructor(feed: Pick<PrivateFeed, "watch" | "unwatch">) {
    this.#feed = feed;
  }

  begin(client: Client, key: ApiKey): void {
    client.key = key;
    const clients = this.#byUser.get(key.userId);
    if (clients !== undefined) {
      clients.add(client);
      return;
    }
    this.#byUser.set(key.userId, new Set([client]));
    this.#feed.watch(key.userId);
  }

  end(client: Client): void {
    const { key } = client;
    if (key === undefined) return;
    client.key = undefined;
    const clients = this.#byUser.get(key.userId) as Set<Client>;
    clients.delete(client);
    if (clients.size > 0) return;
    this.#byUser.delete(key.userId);
    this.#feed.unwatch(key.userId);
  }

  /** The connections of an account. */
  of(userId: number): Iterable<Client> {
    return this.#byUser.get(userId) ?? [];
  }

  /** Every connection that is logged in and of which there is something to say, with that, in a list of its own. */
  those<Said>(say: (key: ApiKey, client: Client) => Said | undefined): [Client, Said][] {
    const found: [Client, Said][] = [];
    for (const clients of this.#byUser.values()) {
      for (const client of clients) {
        const said = say(client.key as ApiKey, client);
        if (said !== undefined) found.push([client, said]);
      }
    }
    return found;
  }
}
