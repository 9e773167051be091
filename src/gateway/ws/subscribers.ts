import type { Client } from "./client.ts";

/** Names of a connection, each with whether it was not listed when it was named. */
type Names = Map<string, boolean>;

/**
 * The pattern of names that markets and currencies can have. Any other name is never listed, and nothing is kept of it.
 * Source: domain 1.2.
 */
const LISTABLE = /^[A-Z0-9]{1,40}$/;

export function isListable(name: string): boolean {
  return LISTABLE.test(name);
}

/**
 * Who follows what in one channel, by name of market or currency. Subscriptions add up; an empty list stands for every
 * name, those that are listed later included, and names left after it are exceptions from it. A name that is not listed
 * is followed from when it is.
 */
export class Subscribers {
  readonly #isListed: (name: string) => boolean;
  readonly #byName = new Map<string, Set<Client>>();
  readonly #names = new Map<Client, Names>();
  /** Those who follow everything, but for some names. */
  readonly #everything = new Map<Client, Names>();

  constructor(isListed: (name: string) => boolean) {
    this.#isListed = isListed;
  }

  get isEmpty(): boolean {
    return this.#names.size === 0 && this.#everything.size === 0;
  }

  join(client: Client, names: readonly string[]): void {
    if (names.length === 0) {
      this.leave(client, []);
      this.#everything.set(client, new Map());
      client.count(1);
      return;
    }
    const exceptions = this.#everything.get(client);
    for (const name of names) {
      if (exceptions === undefined) this.#enter(client, name);
      else this.#forget(client, exceptions, name);
    }
  }

  /** An empty list leaves everything. */
  leave(client: Client, names: readonly string[]): void {
    const exceptions = this.#everything.get(client);
    if (names.length === 0) {
      for (const name of [...(this.#names.get(client)?.keys() ?? [])]) this.#part(client, name);
      if (exceptions === undefined) return;
      for (const name of [...exceptions.keys()]) this.#forget(client, exceptions, name);
      this.#everything.delete(client);
      client.count(-1);
      return;
    }
    for (const name of names) {
      if (exceptions === undefined) this.#part(client, name);
      else this.#note(client, exceptions, name);
    }
  }

  follows(client: Client, name: string): boolean {
    const exceptions = this.#everything.get(client);
    return exceptions === undefined ? this.#byName.get(name)?.has(client) === true : !exceptions.has(name);
  }

  /** How many names of a connection are kept. */
  followed(client: Client): number {
    const exceptions = this.#everything.get(client);
    return exceptions === undefined ? (this.#names.get(client)?.size ?? 0) : 1 + exceptions.size;
  }

  /** How many names that are not listed would be kept anew, if these were joined or left. */
  unlistedIn(client: Client, names: readonly string[], isJoining: boolean): number {
    const exceptions = this.#everything.get(client);
    // Who joins takes exceptions back, and who leaves forgets names, except where it is the other way round.
    if ((exceptions === undefined) !== isJoining) return 0;
    const kept = exceptions ?? this.#names.get(client);
    return names.filter((name) => !this.#isListed(name) && isListable(name) && kept?.has(name) !== true).length;
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
    let names = this.#names.get(client);
    if (names === undefined) {
      names = new Map();
      this.#names.set(client, names);
    }
    if (this.#note(client, names, name)) {
      const clients = this.#byName.get(name);
      if (clients === undefined) this.#byName.set(name, new Set([client]));
      else clients.add(client);
    } else if (names.size === 0) this.#names.delete(client);
  }

  #part(client: Client, name: string): void {
    const names = this.#names.get(client);
    if (names === undefined || !this.#forget(client, names, name)) return;
    if (names.size === 0) this.#names.delete(client);
    const clients = this.#byName.get(name) as Set<Client>;
    clients.delete(client);
    if (clients.size === 0) this.#byName.delete(name);
  }

  /** Whether the name is new there, and kept. */
  #note(client: Client, names: Names, name: string): boolean {
    if (names.has(name)) return false;
    const isUnlisted = !this.#isListed(name);
    if (isUnlisted && !isListable(name)) return false;
    names.set(name, isUnlisted);
    client.count(1, isUnlisted ? 1 : 0);
    return true;
  }

  #forget(client: Client, names: Names, name: string): boolean {
    const isUnlisted = names.get(name);
    if (isUnlisted === undefined) return false;
    names.delete(name);
    client.count(-1, isUnlisted ? -1 : 0);
    return true;
  }
}
