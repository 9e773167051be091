/**
 * The nodes that an EVM chain is asked through. The first one is asked for everything; the others must agree with it on every block that
 * the venue acts on, so that one node that lags or lies holds things up and does no harm.
 */
import { ChainTrouble, type Point } from "../chain.ts";
import { type BaseError, type Block, createPublicClient, type Hash, http, type PublicClient } from "./viem.ts";

const TIMEOUT_MS = 10_000;
const RETRIES = 1;
/** Calls that travel as one request. */
const BATCH = { batchSize: 100, wait: 0 };

export interface NodesOptions {
  readonly name: string;
  readonly urls: readonly string[];
  readonly chainId: number;
  /** A head older than this by the machine's clock is that of a node which has fallen behind; 0: never. */
  readonly staleAfterMs: number;
}

export class Nodes {
  readonly first: PublicClient;
  readonly #others: readonly PublicClient[];
  readonly #options: NodesOptions;

  constructor(options: NodesOptions) {
    this.#options = options;
    const clients = options.urls.map((url) =>
      createPublicClient({ transport: http(url, { timeout: TIMEOUT_MS, retryCount: RETRIES, batch: BATCH }) }),
    );
    this.first = clients[0] as PublicClient;
    this.#others = clients.slice(1);
  }

  /** The last block, of a node of the right chain that is not behind its time. */
  async head(): Promise<Block> {
    const { name, chainId, staleAfterMs } = this.#options;
    const [found, head] = await this.ask((node) => Promise.all([node.getChainId(), node.getBlock()]));
    if (found !== chainId) {
      throw new ChainTrouble(
        `The node of ${name} is one of chain ${found}, not of chain ${chainId}: nothing is done there.`,
      );
    }
    const ageMs = Date.now() - Number(head.timestamp) * 1_000;
    if (staleAfterMs > 0 && ageMs > staleAfterMs) {
      throw new ChainTrouble(`The last block that the node of ${name} knows is ${Math.round(ageMs / 1_000)} s old.`);
    }
    return head;
  }

  /** Throws ChainTrouble unless all nodes have this block at its height. */
  async agreeOn({ height, hash }: Point): Promise<void> {
    const { name } = this.#options;
    const hashes = await Promise.all(this.#others.map((node) => this.#asked(node, (one) => hashAt(one, height))));
    if (hashes.every((other) => other === hash)) return;
    throw new ChainTrouble(`The nodes of ${name} do not agree on block ${height}: nothing of it counts until they do.`);
  }

  /** Asks the first node; what keeps it from answering becomes a ChainTrouble. */
  ask<Answer>(what: (node: PublicClient) => Promise<Answer>): Promise<Answer> {
    return this.#asked(this.first, what);
  }

  async #asked<Answer>(node: PublicClient, what: (node: PublicClient) => Promise<Answer>): Promise<Answer> {
    try {
      return await what(node);
    } catch (cause) {
      if (cause instanceof ChainTrouble) throw cause;
      const { shortMessage, details, message } = cause as Partial<BaseError>;
      const why = [shortMessage ?? message, details].filter((text) => text !== undefined && text !== "").join(" ");
      throw new ChainTrouble(`The node of ${this.#options.name} does not answer as it should: ${why}`, {
        cause,
      });
    }
  }
}

function hashAt(node: PublicClient, height: number): Promise<Hash | undefined> {
  return node.getBlock({ blockNumber: BigInt(height) }).then(
    ({ hash }) => hash ?? undefined,
    (error: { readonly name?: string }) => {
      if (error.name === "BlockNotFoundError") return undefined;
      throw error;
    },
  );
}
