/**
 * A node that lies: in every field of every answer, by answers to other calls, by errors and by silence. All of it
 * follows from a seed.
 */
import { RpcError, type RpcNode } from "../../src/chains/evm/json-rpc.ts";
import { TRANSFER_TOPIC } from "../../src/chains/evm/transfer-report.ts";
import { digest, hex, type SmallEvm, TOKEN, word, wordOf } from "./small-evm.ts";

type Json = unknown;

export interface LiarOptions {
  readonly truth: SmallEvm;
  readonly random: () => number;
  /** Addresses whose owners would gain. */
  readonly friends: readonly string[];
}

/** Takes the place of any value. */
const ODD: readonly Json[] = [
  ...[null, "", "0x", "0x0", "0x1", "0x2", "-0x1", "0xg", `0x${"f".repeat(64)}`, `0x${"f".repeat(65)}`, "0xffffffffff"],
  ...[0, -1, 1e308, true, [], {}, [[]], "latest", `0x${"00".repeat(20)}`, `0x${"11".repeat(32)}`, [null], [{}]],
];

/** Inventions that are kept; then the liar begins anew. */
const KEPT_MAX = 1_000;
const COINS = 5_000n * 10n ** 18n;
const TOKENS = 5_000n * 10n ** 6n;

export class Liar implements RpcNode {
  readonly name = "liar";
  /** Share of calls that are answered with a lie. */
  share = 0;
  /** The only method that it lies in; undefined: in all of them. */
  method: string | undefined;
  /** Fields that were lied in, as `method path`, and other lies by their names. */
  readonly told = new Map<string, number>();
  readonly #options: LiarOptions;
  readonly #last = new Map<string, Json>();
  /** Receipts of what was invented, which stay the same. */
  readonly #invented = new Map<string, Json>();
  #inventions = 0;

  constructor(options: LiarOptions) {
    this.#options = options;
  }

  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    const invented = method === "eth_getTransactionReceipt" ? this.#invented.get(params[0] as string) : undefined;
    if (invented !== undefined && this.share > 0) return invented;
    const isLie = this.#options.random() < this.share && (this.method ?? method) === method;
    if (isLie && this.#chance(0.15)) return this.#elsewhere(method);
    const truth = await this.#options.truth.call(method, params);
    const before = this.#last.get(method);
    this.#last.set(method, structuredClone(truth));
    if (!isLie) return truth;
    if (before !== undefined && this.#chance(0.1)) return this.#note(`${method} an earlier answer`, before);
    if (this.#chance(0.5)) {
      const invention = this.#invent(method, params, structuredClone(truth));
      if (invention !== undefined) return this.#note(`${method} an invention`, invention);
    }
    return this.#distort(method, structuredClone(truth));
  }

  /** Silence, an error, or an answer to something else. */
  #elsewhere(method: string): Json {
    const kind = this.#pick(["silence", "an error", "a revert", "another answer", "nothing"]);
    this.#note(`${method} ${kind}`, undefined);
    if (kind === "silence") throw new Error("The node did not answer in time.");
    if (kind === "an error") throw new RpcError("internal error", -32_603, {});
    if (kind === "a revert") throw new RpcError("execution reverted", 3, "0x");
    return kind === "nothing" ? null : ([...this.#last.values()].at(Math.floor(this.#options.random() * 10)) ?? null);
  }

  /** A lie that somebody would gain by, and that hangs together. */
  #invent(method: string, params: readonly unknown[], truth: Json): Json | undefined {
    const friend = this.#pick(this.#options.friends);
    if (method === "eth_getBlockByNumber" && truth !== null && params[1] === true) {
      const block = truth as { hash: string; number: string; transactions: Json[] };
      const { hash, value } = this.#receiptOf(block, []);
      block.transactions.push({ hash, from: TOKEN, to: friend, value, blockHash: block.hash });
      return block;
    }
    if (method === "eth_getLogs") {
      const { blockHash } = params[0] as { blockHash: string };
      const number = hex(this.#options.truth.blocks.find(({ hash }) => hash === blockHash)?.height ?? 0);
      const log = {
        ...{ address: TOKEN, topics: [TRANSFER_TOPIC, wordOf(TOKEN), wordOf(friend)], data: word(TOKENS) },
        ...{ blockHash, blockNumber: number, logIndex: "0x7", removed: false },
      };
      const { hash } = this.#receiptOf({ hash: blockHash, number }, [log]);
      return [...(truth as Json[]), { ...log, transactionHash: hash }];
    }
    if (method === "eth_getTransactionReceipt") {
      if (truth !== null) {
        const receipt = truth as { status: string };
        if (this.#chance(0.3)) return null;
        const turned = { ...receipt, status: receipt.status === "0x1" ? "0x0" : "0x1" };
        // A lie that is told once only does no harm where the truth is asked for again.
        if (this.#chance(0.5)) this.#keep(params[0] as string, turned);
        return turned;
      }
      const { height, hash } = this.#pick(this.#options.truth.blocks.slice(-6));
      const place = { transactionHash: params[0], blockHash: hash, blockNumber: hex(height), logs: [] };
      return { ...place, status: this.#pick(["0x0", "0x1"]), gasUsed: "0x5208", effectiveGasPrice: "0x1" };
    }
    if (method === "eth_getTransactionCount") {
      return hex(Math.max(Number(truth) + this.#pick([-2, -1, 1, 2, 1_000_000]), 0));
    }
    if (method === "eth_sendRawTransaction") return digest("never sent");
    return undefined;
  }

  #receiptOf({ hash: blockHash, number }: { hash: string; number: string }, logs: readonly object[]) {
    const hash = digest(`invention ${this.#inventions++}`);
    const place = { transactionHash: hash, blockHash, blockNumber: number };
    const own = logs.map((log) => ({ ...log, transactionHash: hash }));
    this.#keep(hash, { ...place, status: "0x1", gasUsed: "0x5208", effectiveGasPrice: "0x1", logs: own });
    return { hash, value: hex(COINS) };
  }

  #keep(hash: string, receipt: Json): void {
    if (this.#invented.size >= KEPT_MAX) this.#invented.clear();
    this.#invented.set(hash, receipt);
  }

  /** Another value, or none, in one place of the answer. */
  #distort(method: string, truth: Json): Json {
    const places = placesIn(truth);
    const place = places.length === 0 || this.#chance(0.1) ? undefined : this.#pick(places);
    if (place === undefined) return this.#note(`${method} `, this.#otherThan(truth));
    const { parent, key, path } = place;
    this.#note(`${method} ${path}`, undefined);
    if (this.#chance(0.15)) delete parent[key];
    else parent[key] = this.#otherThan(parent[key]);
    return truth;
  }

  #otherThan(value: Json): Json {
    const { friends, truth } = this.#options;
    if (typeof value !== "string" || this.#chance(0.4)) return this.#pick(ODD);
    if (value.length === 42) return this.#pick([...friends, TOKEN]);
    if (value.length === 66)
      return this.#pick([digest(value), this.#pick(truth.blocks).hash, wordOf(this.#pick(friends)), word(COINS)]);
    if (/^0x[0-9a-f]{1,64}$/.test(value)) {
      const whole = BigInt(value);
      return hex(this.#pick([whole + 1n, whole > 0n ? whole - 1n : 1n, whole * 1_000_000n, whole / 2n, COINS]));
    }
    return this.#pick(ODD);
  }

  #note<Answer>(lie: string, answer: Answer): Answer {
    this.told.set(lie, (this.told.get(lie) ?? 0) + 1);
    return answer;
  }

  #chance(share: number): boolean {
    return this.#options.random() < share;
  }

  #pick<One>(from: readonly One[]): One {
    return from[Math.floor(this.#options.random() * from.length)] as One;
  }
}

interface Place {
  readonly parent: Record<string, Json>;
  readonly key: string;
  /** Its fields; places of a list have one name. */
  readonly path: string;
}

function placesIn(value: Json, path = ""): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const parent = value as Record<string, Json>;
  return Object.keys(parent).flatMap((key) => {
    const own = `${path === "" ? "" : `${path}.`}${Array.isArray(value) ? "[]" : key}`;
    return [{ parent, key, path: own }, ...placesIn(parent[key], own)];
  });
}
