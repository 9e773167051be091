import type { PrivateFeed } from "../../feeds/private-feed.ts";
import type { ApiKey } from "../auth/key-directory.ts";
import type { Client } from "./client.ts";

const NOBODY: readonly Client[] = [];

/** Who is logged in, by account and by key; the accounts are watched for as long as somebody is. */
export class Sessions {
  readonly #feed: Pick<PrivateFeed, "watch" | "unwatch">;
  /** Lists that are replaced and never changed, so that anyone who goes through one may end sessions meanwhile. */
  readonly #byUser = new Map<number, readonly Client[]>();

  constructor(feed: Pick<PrivateFeed, "watch" | "unwatch">) {
    this.#feed = feed;
  }

  begin(client: Client, key: ApiKey): void {
    client.key = key;
    const clients = this.#byUser.get(key.userId);
    this.#byUser.set(key.userId, [...(clients ?? []), client]);
    if (clients === undefined) this.#feed.watch(key.userId);
  }

  end(client: Client): void {
    const { key } = client;
    if (key === undefined) return;
    client.key = undefined;
    const others = this.of(key.userId).filter((other) => other !== client);
    if (others.length > 0) {
      this.#byUser.set(key.userId, others);
      return;
    }
    this.#byUser.delete(key.userId);
    this.#feed.unwatch(key.userId);
  }

  has(userId: number): boolean {
    return this.#byUser.has(userId);
  }

  /** The connections of an account, as they are now: what comes and goes later is not in the list. */
  of(userId: number): readonly Client[] {
    return this.#byUser.get(userId) ?? NOBODY;
  }

  /** Every connection that is logged in and of which there is something to say, with that, in a list of its own. */
  those<Rendered>(render: (key: ApiKey, client: Client) => Rendered | undefined): [Client, Rendered][] {
    const found: [Client, Rendered][] = [];
    for (const clients of this.#byUser.values()) {
      for (const client of clients) {
        const said = render(client.key as ApiKey, client);
        if (said !== undefined) found.push([client, said]);
      }
    }
    return found;
  }
}
