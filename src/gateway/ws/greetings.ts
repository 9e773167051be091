import type { Client } from "./client.ts";

/**
 * First pushes of one channel, each of which waits until its connection has room for it. So whoever follows everything over a
 * slow line gets one after the other instead of more at once than may wait. What waits is not made yet: when its turn comes, it
 * tells how things are then.
 */
export class Greetings<Topic> {
  readonly #waiting = new Map<Client, Set<Topic>>();
  readonly #greet: (client: Client, topic: Topic) => void;

  /** `greet` makes and sends the first push of a topic. */
  constructor(greet: (client: Client, topic: Topic) => void) {
    this.#greet = greet;
  }

  /** Greets at once where there is room, else in turn; whoever waits for the same already waits once. */
  add(client: Client, topic: Topic): void {
    if (client.hasRoom) {
      this.#greet(client, topic);
      return;
    }
    const topics = this.#waiting.get(client);
    if (topics?.has(topic) === true) return;
    if (topics === undefined) this.#waiting.set(client, new Set([topic]));
    else topics.add(topic);
    client.whenRoom(() => {
      if (this.drop(client, topic)) this.#greet(client, topic);
    });
  }

  /** Whether a client has yet to be greeted: until then it is sent nothing of the topic. */
  awaits(client: Client, topic: Topic): boolean {
    return this.#waiting.size > 0 && this.#waiting.get(client)?.has(topic) === true;
  }

  /** False when it did not wait. */
  drop(client: Client, topic: Topic): boolean {
    const topics = this.#waiting.get(client);
    if (topics?.delete(topic) !== true) return false;
    if (topics.size === 0) this.#waiting.delete(client);
    return true;
  }

  /** The client has gone. */
  leave(client: Client): void {
    this.#waiting.delete(client);
  }
}
