/**
 * The EVM node of the tests: a process of its own on a free port, with rich accounts, and its own calls for moving
 * blocks.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Address, createTestClient, type Hash, type Hex, http, publicActions, walletActions } from "viem";
import { TEST_TOKEN_ABI, TEST_TOKEN_BYTECODE } from "./contracts/test-token.ts";

export const CHAIN_ID = 31_337;
/** Of the rich accounts: not the words that every other test in the world begins with, which are the venue's here. */
const WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const READY_MS = 120_000;

const ARCHITECTURE = process.arch === "x64" ? "amd64" : process.arch;
const FILE = fileURLToPath(
  new URL(`../../node_modules/@foundry-rs/anvil-${process.platform}-${ARCHITECTURE}/bin/anvil`, import.meta.url),
);

/** Why there is no node here, as a test says when it is left out; false when there is one. */
export const NO_ANVIL = existsSync(FILE) ? false : `There is no anvil for ${process.platform}-${process.arch} here.`;

const LOCAL = { id: CHAIN_ID, name: "anvil", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 } } as const;

function clientOf(url: string) {
  const chain = { ...LOCAL, rpcUrls: { default: { http: [url] } } };
  const transport = http(url, { retryCount: 0 });
  return createTestClient({ mode: "anvil", chain, transport, pollingInterval: 20, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
}

export class Anvil {
  readonly url: string;
  readonly client: ReturnType<typeof clientOf>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    this.client = clientOf(url);
  }

  /** Blocks come on demand alone, unless `options` say otherwise. */
  static async start(options: readonly string[] = ["--no-mining"]): Promise<Anvil> {
    const port = await freePort();
    const args = ["--port", String(port), "--chain-id", String(CHAIN_ID), "--silent", "--mnemonic", WORDS, ...options];
    const child = spawn(FILE, args, { stdio: "ignore" });
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    child.unref();
    const anvil = new Anvil(child, `http://127.0.0.1:${port}`);
    for (let waited = 0; waited < READY_MS; waited += 20) {
      if (
        await anvil.client.getChainId().then(
          () => true,
          () => false,
        )
      )
        return anvil;
      await pause(20);
    }
    kill();
    throw new Error("anvil was not ready in time.");
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.ref();
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exited;
  }

  async mine(blocks = 1): Promise<void> {
    await this.client.mine({ blocks });
  }

  /** Puts other, empty blocks in the place of the last ones. */
  async reorganise(depth: number): Promise<void> {
    await this.client.request({ method: "anvil_reorg", params: [depth, []] } as never);
  }

  async rollback(depth: number): Promise<void> {
    await this.client.request({ method: "anvil_rollback", params: [depth] } as never);
  }

  async #rich(): Promise<Address> {
    return (await this.client.getAddresses())[0] as Address;
  }

  async payCoins(to: Address, wei: bigint): Promise<Hash> {
    return await this.client.sendTransaction({ account: await this.#rich(), to, value: wei });
  }

  async payTokens(token: Address, to: Address, units: bigint): Promise<Hash> {
    return await this.client.writeContract({
      ...{ address: token, abi: TEST_TOKEN_ABI, functionName: "transfer", args: [to, units] },
      account: await this.#rich(),
    });
  }

  /** Transfers to this account fail from then on. */
  async freeze(token: Address, account: Address): Promise<void> {
    await this.client.writeContract({
      ...{ address: token, abi: TEST_TOKEN_ABI, functionName: "freeze", args: [account] },
      account: await this.#rich(),
    });
    await this.mine();
  }

  /** A token of 6 decimals; the rich account holds a million. */
  async deployToken(): Promise<Address> {
    const hash = await this.client.deployContract({
      ...{ abi: TEST_TOKEN_ABI, bytecode: TEST_TOKEN_BYTECODE as Hex, args: [6, 1_000_000_000_000n] },
      account: await this.#rich(),
    });
    await this.mine();
    const { contractAddress } = await this.client.getTransactionReceipt({ hash });
    if (contractAddress == null) throw new Error("The token was not deployed.");
    return contractAddress;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
