/**
 * The chains that a dying venue pays on: what it is started with, how blocks come, and what stands in them in the end.
 */

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type Address, formatEther, getAddress, parseEther } from "viem";
import { Anvil, CHAIN_ID } from "../chains/anvil.ts";
import type { VenueProcess } from "../support/venue-process.ts";

export const CHAIN = "KILLED";
export const COIN = "COIN";

/** Where in the handing over of a transaction the process dies. */
export type Step = "before" | "after";

export interface PaymentWorld {
  readonly name: string;
  /** Somebody outside, to whom all is paid. */
  readonly outside: string;
  /** Options that a venue is started with. */
  readonly options: readonly string[];
  /** Gives an address of the venue coins to pay with. */
  fund(venue: VenueProcess, address: string): Promise<void>;
  mine(venue: VenueProcess): Promise<void>;
  /**
   * Calls back at this step of a transaction that is handed over, after so many others; undefined where no step can be
   * told from outside.
   */
  readonly at: ((step: Step, others: number, die: () => void) => void) | undefined;
  /** Amounts that were paid to `outside`, in the order of the chain. */
  paid(venue: VenueProcess): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export class SimulatedWorld implements PaymentWorld {
  readonly name = "simulated";
  readonly outside = `sim${"0".repeat(40)}`;
  readonly options = [];
  readonly at = undefined;

  async fund(venue: VenueProcess, address: string): Promise<void> {
    await venue.admin(`/admin/chains/${CHAIN}/transactions`, { ccy: COIN, to_address: address, amount: "100000" });
  }

  async mine(venue: VenueProcess): Promise<void> {
    await venue.admin(`/admin/chains/${CHAIN}/blocks`, { count: 1 });
  }

  async paid(venue: VenueProcess): Promise<readonly string[]> {
    const amounts: string[] = [];
    for (let page = 1; ; page++) {
      const path = `/admin/chains/${CHAIN}/transactions?address=${this.outside}&limit=1000&page=${page}`;
      const { transactions, has_next } = await venue.admin(path);
      for (const { amount } of transactions) amounts.push(Number(amount).toFixed(8));
      if (!has_next) return amounts.reverse();
    }
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

export class EvmWorld implements PaymentWorld {
  readonly name = "evm";
  readonly outside = getAddress("0x000000000000000000000000000000000000dEaD");
  readonly options: readonly string[];
  readonly #anvil: Anvil;
  readonly #proxy: Server;
  #armed: { readonly step: Step; others: number; readonly die: () => void } | undefined;

  private constructor(anvil: Anvil, proxy: Server, url: string) {
    this.#anvil = anvil;
    this.#proxy = proxy;
    const terms = {
      rpc: url,
      one_node: "trust",
      chain_id: CHAIN_ID,
      coin: COIN,
      poll_ms: 30,
      sweep_ms: 500,
      stale_after_ms: 0,
      start_block: 0,
    };
    this.options = ["--chains", JSON.stringify({ [CHAIN]: terms })];
    proxy.on("request", (request, response) => {
      void this.#forward(request).then((text) => {
        if (text === undefined) response.destroy();
        else response.setHeader("content-type", "application/json").end(text);
      });
    });
  }

  static async open(): Promise<EvmWorld> {
    const proxy = createServer().listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const { port } = proxy.address() as { port: number };
    return new EvmWorld(await Anvil.start(), proxy, `http://127.0.0.1:${port}`);
  }

  readonly at = (step: Step, others: number, die: () => void): void => {
    this.#armed = { step, others, die };
  };

  async fund(_venue: VenueProcess, address: string): Promise<void> {
    await this.#anvil.payCoins(address as Address, parseEther("5000"));
    await this.#anvil.mine();
  }

  async mine(): Promise<void> {
    await this.#anvil.mine();
  }

  async paid(): Promise<readonly string[]> {
    const { client } = this.#anvil;
    const amounts: string[] = [];
    const head = await client.getBlockNumber();
    for (let height = 0n; height <= head; height++) {
      const { transactions } = await client.getBlock({ blockNumber: height, includeTransactions: true });
      for (const { to, value } of transactions) {
        if (to !== null && getAddress(to) === this.outside) amounts.push(Number(formatEther(value)).toFixed(8));
      }
    }
    return amounts;
  }

  async stop(): Promise<void> {
    this.#proxy.closeAllConnections();
    this.#proxy.close();
    await this.#anvil.stop();
  }

  /** Undefined: the venue gets no answer, because it is dead. */
  async #forward(request: IncomingMessage): Promise<string | undefined> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const isHandedOver = body.includes("eth_sendRawTransaction") && this.#armed !== undefined;
    const armed = isHandedOver && (this.#armed as { others: number }).others-- === 0 ? this.#armed : undefined;
    if (armed !== undefined) this.#armed = undefined;
    if (armed?.step === "before") {
      armed.die();
      return undefined;
    }
    const answer = await fetch(this.#anvil.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    })
      .then((response) => response.text())
      .catch(() => undefined);
    if (armed === undefined) return answer;
    armed.die();
    return undefined;
  }
}
