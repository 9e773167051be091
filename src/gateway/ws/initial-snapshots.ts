import type { Client, Waiting } from "./client.ts";

/**
 * First pushes of one channel, each of which waits until its connection has room for it. So anyone who follows
 * everything over a slow line gets one after the other instead of more at once than may wait. What waits is not made
 * yet: when its turn comes, it tells how things are then.
 */
export class InitialSnapshots<Topic> implements Waiting {
  readonly #waiting = new Map<Client, Set<Topic>>();
  readonly #sendInitial: (client: Client, topic: Topic) => void;

  /** `sendInitial` makes and sends the first push of a topic. */
  constructor(sendInitial: (client: Client, topic: Topic) => void) {
    this.#sendInitial = sendInitial;
  }

  /** Greets at once where there is room, else in turn; anyone who waits for the same already waits once. */
  add(client: Client, topic: Topic): void {
    if (client.hasRoom) {
      this.#sendInitial(client, topic);
      return;
    }
    const topics = this.#waiting.get(client);
    if (topics?.has(topic) === true) return;
    if (topics === undefined) this.#waiting.set(client, new Set([topic]));
    else topics.add(topic);
    client.whenRoom(this);
  }

  sendNext(client: Client): boolean {
    const next = this.#waiting.get(client)?.values().next();
    if (next === undefined || next.done === true) return false;
    // What fails is not tried again.
    this.drop(client, next.value);
    this.#sendInitial(client, next.value);
    return true;
  }

  /** Whether a client has yet to be greeted: until then it is sent nothing of the topic. */
  awaits(client: Client, topic: Topic): boolean {
    return this.#waiting.size > 0 && this.#waiting.get(client)?.has(topic) === true;
  }

  /** The client follows the topic no more, or has been greeted. */
  drop(client: Client, topic: Topic): void {
    const topics = this.#waiting.get(client);
    topics?.delete(topic);
    if (topics?.size === 0) this.#waiting.delete(client);
  }

  /** The client has gone. */
  leave(client: Client): void {
    this.#waiting.delete(client);
  }
}
