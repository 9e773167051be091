import type { Client } from "./client.ts";

/**
 * Who follows what in one channel, by name of market or currency. Subscriptions add up; an empty list stands for every name,
 * those that are listed later included, and names left after it are exceptions from it. Nobody asks whether a name exists.
 */
export class Audience {
  readonly #byName = new Map<string, Set<Client>>();
  readonly #names = new Map<Client, Set<string>>();
  /** Those who follow everything, but for some names. */
  readonly #everything = new Map<Client, Set<string>>();

  get isEmpty(): boolean {
    return this.#names.size === 0 && this.#everything.size === 0;
  }

  join(client: Client, names: readonly string[]): void {
    if (names.length === 0) {
      this.leave(client, []);
      this.#everything.set(client, new Set());
      client.subscriptions++;
      return;
    }
    const exceptions = this.#everything.get(client);
    for (const name of names) {
      if (exceptions === undefined) this.#enter(client, name);
      else if (exceptions.delete(name)) client.subscriptions--;
    }
  }

  /** An empty list leaves everything. */
  leave(client: Client, names: readonly string[]): void {
    if (names.length === 0) {
      for (const name of this.#names.get(client) ?? []) this.#part(client, name);
      const exceptions = this.#everything.get(client);
      if (exceptions === undefined) return;
      this.#everything.delete(client);
      client.subscriptions -= 1 + exceptions.size;
      return;
    }
    const exceptions = this.#everything.get(client);
    for (const name of names) {
      if (exceptions === undefined) {
        this.#part(client, name);
      } else if (!exceptions.has(name)) {
        exceptions.add(name);
        client.subscriptions++;
      }
    }
  }

  follows(client: Client, name: string): boolean {
    const exceptions = this.#everything.get(client);
    return exceptions === undefined ? this.#byName.get(name)?.has(client) === true : !exceptions.has(name);
  }

  /** Whether anybody follows a name. */
  isHeard(name: string): boolean {
    return this.#everything.size > 0 || this.#byName.has(name);
  }

  /** Everybody who follows a name. */
  each(name: string, visit: (client: Client) => void): void {
    for (const client of this.#byName.get(name) ?? []) visit(client);
    for (const [client, exceptions] of this.#everything) if (!exceptions.has(name)) visit(client);
  }

  /** Those who follow everything without an exception. */
  eachOfEverything(visit: (client: Client) => void): void {
    for (const [client, exceptions] of this.#everything) if (exceptions.size === 0) visit(client);
  }

  /** Those who follow a name and are not among those of everything. */
  eachOfSome(name: string, visit: (client: Client) => void): void {
    for (const client of this.#byName.get(name) ?? []) visit(client);
    for (const [client, exceptions] of this.#everything) {
      if (exceptions.size > 0 && !exceptions.has(name)) visit(client);
    }
  }

  #enter(client: Client, name: string): void {
    let clients = this.#byName.get(name);
    if (clients === undefined) {
      clients = new Set();
      this.#byName.set(name, clients);
    }
    if (clients.has(client)) return;
    clients.add(client);
    client.subscriptions++;
    const names = this.#names.get(client);
    if (names === undefined) this.#names.set(client, new Set([name]));
    else names.add(name);
  }

  #part(client: Client, name: string): void {
    const clients = this.#byName.get(name);
    if (clients?.delete(client) !== true) return;
    if (clients.size === 0) this.#byName.delete(name);
    client.subscriptions--;
    const names = this.#names.get(client) as Set<string>;
    names.delete(name);
    if (names.size === 0) this.#names.delete(client);
  }
}
