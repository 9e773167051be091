import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { gunzipSync } from "node:zlib";
import { type ClientOptions, WebSocket } from "ws";
import type { ApiKeyPair } from "./api-client.ts";

// biome-ignore lint/suspicious/noExplicitAny: as in ApiClient, a test looks at what came.
export type Message = any;

/** How long a message may take that must come; generous, because test machines are slow and shared. */
const MESSAGE_MS = 120_000;

/** A client of the venue's sockets: the plain `ws` package and gunzip, as any program would do it. */
export class SocketClient {
  readonly webSocket: WebSocket;
  /** Everything that came, in its order; tests take from the front. */
  readonly #messages: Message[] = [];
  /** Who waits for a message, or for the end; several may at once. */
  readonly #waiting = new Set<() => void>();
  #nextId = 1;
  /** Status code with which the connection was closed. */
  closeCode: number | undefined;

  static async connect(base: string, path = "/v2/spot", options: ClientOptions = {}): Promise<SocketClient> {
    return await new SocketClient(base, path, options).opened();
  }

  protected constructor(base: string, path: string, options: ClientOptions) {
    const webSocket = new WebSocket(base.replace(/^http/, "ws") + path, options);
    this.webSocket = webSocket;
    webSocket.on("message", (data: Buffer, isBinary) => {
      this.#messages.push(JSON.parse(this.textOf(data, isBinary)));
      this.#wake();
    });
    webSocket.on("close", (code) => {
      this.closeCode = code;
      this.#wake();
    });
    webSocket.on("error", () => {});
  }

  protected async opened(): Promise<this> {
    await once(this.webSocket, "open");
    return this;
  }

  protected textOf(data: Buffer, isBinary: boolean): string {
    assert.ok(isBinary, "every frame of the venue is binary");
    return gunzipSync(data).toString("utf8");
  }

  /** Sends a request and gives its answer; what came before it stays to be taken. */
  async ask(method: string, params: object = {}): Promise<Message> {
    const id = this.#nextId++;
    this.send({ id, method, params });
    return await this.take((message) => message.id === id);
  }

  /** As `ask`, for a request that must be acknowledged without data. */
  async must(method: string, params: object = {}): Promise<void> {
    const { id, ...answer } = await this.ask(method, params);
    assert.deepEqual(answer, { code: 0, message: "OK" }, `${method} ${id}`);
  }

  /** Logs in as the contract says. */
  signParams({ accessId, secret }: ApiKeyPair, timestamp: number): object {
    const signature = createHmac("sha256", secret).update(String(timestamp)).digest("hex");
    return { access_id: accessId, signed_str: signature, timestamp };
  }

  send(request: unknown): void {
    this.webSocket.send(typeof request === "string" || Buffer.isBuffer(request) ? request : JSON.stringify(request));
  }

  /** The next push of a channel; gives its data. */
  async push(method: string): Promise<Message> {
    return (await this.take((message) => message.method === method)).data;
  }

  /** The first message that fits; it is taken out. */
  async take(fits: (message: Message) => boolean): Promise<Message> {
    const deadline = Date.now() + MESSAGE_MS;
    for (;;) {
      const at = this.#messages.findIndex(fits);
      if (at >= 0) return this.#messages.splice(at, 1)[0];
      const left = deadline - Date.now();
      if (this.closeCode !== undefined) throw new Error(`The connection was closed with ${this.closeCode}.`);
      if (left <= 0) throw new Error(`Nothing fitting came; waiting: ${JSON.stringify(this.#messages)}`);
      await this.#arrival(left);
    }
  }

  /** Everything that has come by now: what was sent before the answer to a ping. */
  async taken(): Promise<Message[]> {
    await this.ask("server.ping");
    return this.#messages.splice(0);
  }

  /** Waits until the venue has closed the connection; gives the status code. */
  async closed(): Promise<number> {
    while (this.closeCode === undefined) await this.#arrival(MESSAGE_MS);
    return this.closeCode;
  }

  async close(): Promise<void> {
    if (this.closeCode !== undefined) return;
    this.webSocket.terminate();
    await this.closed();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  async #arrival(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }
}
