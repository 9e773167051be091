/** What moves on an EVM chain: its own coin, and tokens by the contracts that listings name. */
import type { State } from "../../engine/state.ts";
import { ChainTrouble } from "../chain.ts";
import type { Nodes } from "./nodes.ts";
import { type Address, erc20Abi, formatUnits, getAddress, isAddress, parseUnits } from "./viem.ts";

const COIN_DECIMALS = 18;

export interface Currency {
  readonly ccy: string;
  /** Undefined: the chain's own coin. */
  readonly token: Address | undefined;
  /** Decimals that the chain counts in. */
  readonly decimals: number;
  /** Decimals that the ledger keeps. */
  readonly scale: number;
}

export class Currencies {
  readonly #state: State;
  readonly #nodes: Nodes;
  readonly #chain: string;
  /** Name of the chain's own coin. */
  readonly coin: string;
  /** Decimals of contracts, which never change. */
  readonly #decimals = new Map<Address, number>();

  constructor(options: {
    readonly state: State;
    readonly nodes: Nodes;
    readonly chain: string;
    readonly coin: string;
  }) {
    this.#state = options.state;
    this.#nodes = options.nodes;
    this.#chain = options.chain;
    this.coin = options.coin;
  }

  /** All of them, as they are listed now. */
  async all(): Promise<Currency[]> {
    const listed = this.#state.assets.flatMap(({ ccy, scale, chains }) => {
      const settings = chains.find(({ chain }) => chain === this.#chain);
      return settings === undefined ? [] : [{ ccy, scale, identity: settings.identity }];
    });
    const found = listed.map(async ({ ccy, scale, identity }): Promise<Currency[]> => {
      if (ccy === this.coin) return [{ ccy, token: undefined, decimals: COIN_DECIMALS, scale }];
      // A token whose contract nobody has named cannot be told from any other.
      if (!isAddress(identity, { strict: false })) return [];
      const token = getAddress(identity);
      const decimals = await this.#decimalsOf(token);
      return decimals === undefined ? [] : [{ ccy, token, decimals, scale }];
    });
    return (await Promise.all(found)).flat();
  }

  async named(ccy: string): Promise<Currency> {
    const found = (await this.all()).find((currency) => currency.ccy === ccy);
    if (found !== undefined) return found;
    throw new ChainTrouble(`${ccy} does not move on ${this.#chain}: the listing names no contract of it.`);
  }

  /** Undefined where the listing names what is no token: that holds up nobody but its own deposits. */
  async #decimalsOf(token: Address): Promise<number | undefined> {
    const known = this.#decimals.get(token);
    if (known !== undefined) return known;
    const decimals = await this.#nodes.ask((node) =>
      node.readContract({ address: token, abi: erc20Abi, functionName: "decimals" }).catch((error: unknown) => {
        if (isNoToken(error)) return undefined;
        throw error;
      }),
    );
    if (decimals !== undefined) this.#decimals.set(token, decimals);
    return decimals;
  }

  /** What an address holds, in the chain's units. */
  balance({ token }: Currency, address: Address): Promise<bigint> {
    return this.#nodes.ask((node) =>
      token === undefined
        ? node.getBalance({ address })
        : node.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [address] }),
    );
  }
}

export function toUnits({ decimals }: Currency, amount: string): bigint {
  return parseUnits(amount, decimals);
}

/** As the ledger writes it: what the chain counts more finely is cut off. */
export function toAmount({ decimals, scale }: Currency, units: bigint): string {
  const [whole = "0", fraction = ""] = formatUnits(units, decimals).split(".");
  return scale === 0 ? whole : `${whole}.${fraction.slice(0, scale).padEnd(scale, "0")}`;
}

/** The node has answered, and nothing that counts decimals lies at the address. */
function isNoToken(error: unknown): boolean {
  const { walk } = error as { walk?(fits: (cause: unknown) => boolean): unknown };
  const names: readonly (string | undefined)[] = ["ContractFunctionZeroDataError", "ContractFunctionRevertedError"];
  return walk?.call(error, (cause) => names.includes((cause as { name?: string }).name)) != null;
}
