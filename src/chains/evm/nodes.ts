/**
 * The nodes that an EVM chain is asked through. Nothing that one of them says moves money: all of them must state a
 * fact alike, field by field, so that one that lags, lies or is silent holds things up and does no harm. See
 * docs/decisions/0022-nodes-agree-on-each-fact.md.
 */
import { ChainTrouble } from "../chain.ts";
import { distinctNodes } from "../distinct-nodes.ts";
import { type Header, headerAt, headIn, heightIn, type Reader } from "./answers.ts";
import { HttpNode, RpcError, type RpcNode } from "./json-rpc.ts";

export interface NodesOptions {
  readonly name: string;
  readonly urls: readonly string[];
  readonly chainId: number;
  /** A head older than this by the machine's clock is that of a node which has fallen behind; 0: never. */
  readonly staleAfterMs: number;
  /** Makes the way to a node; over HTTP unless given. */
  readonly connect?: ((url: string) => RpcNode) | undefined;
}

/** The answer of one node: a value, or the error that it answered with. */
export type Answered<Answer> = { readonly answer: Answer } | { readonly error: RpcError };

export class Nodes {
  readonly #nodes: readonly RpcNode[];
  readonly #options: NodesOptions;

  constructor(options: NodesOptions) {
    this.#options = options;
    const connect = options.connect ?? ((url) => new HttpNode(url));
    // Named twice a node counts once.
    this.#nodes = distinctNodes(options.urls).map(connect);
  }

  /** Whether more than one node stands behind what they agree on. */
  get isAttested(): boolean {
    return this.#nodes.length > 1;
  }

  /** The last block that all nodes have, as far as their word goes: they still have to agree on what it is. */
  async head(): Promise<number> {
    const { name, chainId, staleAfterMs } = this.#options;
    const heads = await Promise.all(
      this.#nodes.map(async (node) => {
        const [found, head] = await Promise.all([
          this.#ask(node, "eth_chainId", [], heightIn),
          this.#ask(node, "eth_getBlockByNumber", ["latest", false], headIn),
        ]);
        if (found !== chainId) {
          throw new ChainTrouble(
            `The node ${node.name} of ${name} is one of chain ${found}, not of chain ${chainId}: nothing is ` +
              "done there.",
          );
        }
        const ageMs = Date.now() - head.timeMs;
        if (staleAfterMs > 0 && ageMs > staleAfterMs) {
          throw new ChainTrouble(
            `The last block that the node ${node.name} of ${name} knows is ${Math.round(ageMs / 1_000)} s old.`,
          );
        }
        return head.height;
      }),
    );
    return Math.min(...heads);
  }

  headerAt(height: number): Promise<Header> {
    return this.agree(`block ${height}`, "eth_getBlockByNumber", [hexOf(height), false], headerAt(height));
  }

  /**
   * Returns the answer that all nodes give alike; `fact` names it in messages. An error that they all give is made an
   * answer by `failed`, if it can be.
   */
  async agree<Answer>(
    fact: string,
    method: string,
    params: readonly unknown[],
    read: Reader<Answer>,
    failed: (error: RpcError) => { readonly answer: Answer } | undefined = () => undefined,
  ): Promise<Answer> {
    const all = await this.askAll(method, params, read);
    const answers = all.map((one, at) => {
      const answered = "error" in one ? failed(one.error) : one;
      if (answered === undefined) throw this.#trouble(this.#nodes[at] as RpcNode, (one as { error: RpcError }).error);
      return answered.answer;
    });
    const [first] = answers;
    const text = canonical(first);
    if (answers.every((answer) => canonical(answer) === text)) return first as Answer;
    throw new ChainTrouble(
      `The nodes of ${this.#options.name} do not agree on ${fact}: nothing is done there until they do.`,
    );
  }

  /**
   * Returns the answer of each node, in their order. Throws ChainTrouble when one of them gives no answer that can be
   * read.
   */
  askAll<Answer>(
    method: string,
    params: readonly unknown[],
    read: Reader<Answer>,
  ): Promise<readonly Answered<Answer>[]> {
    return Promise.all(
      this.#nodes.map((node) =>
        this.#ask(node, method, params, read).then(
          (answer) => ({ answer }),
          (error: unknown) => {
            if (error instanceof ChainTrouble && error.cause instanceof RpcError) return { error: error.cause };
            throw error;
          },
        ),
      ),
    );
  }

  /**
   * Tells all nodes something. Those that refused it, by their errors; throws ChainTrouble when nobody could be
   * reached.
   */
  async tell(method: string, params: readonly unknown[]): Promise<readonly string[]> {
    const told = await Promise.allSettled(this.#nodes.map((node) => this.#ask(node, method, params, () => undefined)));
    const faults = told.flatMap((one) => (one.status === "rejected" ? [one.reason as ChainTrouble] : []));
    const isHeard = faults.length < told.length || faults.some(({ cause }) => cause instanceof RpcError);
    if (!isHeard) throw faults[0];
    return faults.map(({ message }) => message);
  }

  async #ask<Answer>(node: RpcNode, method: string, params: readonly unknown[], read: Reader<Answer>): Promise<Answer> {
    try {
      return read(await node.call(method, params));
    } catch (cause) {
      throw this.#trouble(node, cause);
    }
  }

  #trouble(node: RpcNode, cause: unknown): ChainTrouble {
    const why = cause instanceof Error ? cause.message : String(cause);
    return new ChainTrouble(
      `The node ${node.name} of ${this.#options.name} does not answer as it should: ${why.slice(0, WHY_CHARS_MAX)}`,
      { cause },
    );
  }
}

/** The most characters of a node's own words that go into messages and logs. */
const WHY_CHARS_MAX = 400;

export function hexOf(whole: number | bigint): string {
  return `0x${whole.toString(16)}`;
}

/** Readers make their records in one order of fields, so equal answers have equal texts. */
function canonical(answer: unknown): string {
  return JSON.stringify(answer, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)) ?? "";
}
