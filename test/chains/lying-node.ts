/** A node of JSON-RPC in front of a true one: it passes every call on, and may answer otherwise. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Changes what the true node answered to a call. */
export type Lie = (call: { readonly method: string; readonly params: readonly unknown[] }, truth: unknown) => unknown;

interface Message {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

export class LyingNode {
  readonly #truth: string;
  readonly #server: Server;
  lie: Lie = (_, truth) => truth;

  private constructor(truth: string) {
    this.#truth = truth;
    this.#server = createServer((request, response) => {
      const answer = text(request).then(async (body) => {
        const asked = JSON.parse(body) as Message | readonly Message[];
        const answers = Array.isArray(asked)
          ? await Promise.all(asked.map((one) => this.#answer(one)))
          : await this.#answer(asked as Message);
        response.setHeader("content-type", "application/json").end(JSON.stringify(answers));
      });
      answer.catch(() => response.destroy());
    });
  }

  static async before(truth: string): Promise<LyingNode> {
    const node = new LyingNode(truth);
    await new Promise<void>((resolve) => node.#server.listen(0, "127.0.0.1", resolve));
    node.#server.unref();
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The answer of the true node, fetched as JSON-RPC. */
  async ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return ((await this.#fetch({ id: 1, method, params })) as { result?: unknown }).result;
  }

  async #answer(message: Message): Promise<unknown> {
    const answer = (await this.#fetch(message)) as { result?: unknown };
    if (!("result" in answer)) return answer;
    return { ...answer, result: this.lie(message, answer.result) };
  }

  async #fetch({ id, method, params }: Message): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const headers = { "content-type": "application/json" };
    return await (await fetch(this.#truth, { method: "POST", headers, body })).json();
  }
}
