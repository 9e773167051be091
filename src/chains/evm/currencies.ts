/** The currencies of an EVM chain: its own coin, and tokens by the contracts that listings name. */
import type { Asset } from "../../engine/listing/asset.ts";
import { INT64_MAX } from "../../engine/money/int64.ts";
import type { State } from "../../engine/state.ts";
import { PaymentHeld } from "../chain.ts";
import { decimalsIn, quantity, wordIn } from "./answers.ts";
import { hexOf, type Nodes } from "./nodes.ts";
import { type Address, encodeFunctionData, erc20Abi, formatUnits, getAddress, isAddress, parseUnits } from "./viem.ts";

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

export interface CurrenciesOptions {
  readonly state: State;
  readonly nodes: Nodes;
  readonly chain: string;
  /** Name of the chain's own coin. */
  readonly coin: string;
  /** Decimals of tokens by currency, where the settings name them. */
  readonly decimals: ReadonlyMap<string, number>;
  /** Whether one node's word is enough. */
  readonly trustsOneNode: boolean;
  /** The block at which balances are read. */
  at(): Promise<number>;
}

export class Currencies {
  readonly #state: State;
  readonly #nodes: Nodes;
  readonly #chain: string;
  /** Name of the chain's own coin. */
  readonly coin: string;
  /** Decimals of contracts, which never change, as all nodes have stated them. */
  readonly #decimals = new Map<Address, number>();
  readonly #options: CurrenciesOptions;

  constructor(options: CurrenciesOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#nodes = options.nodes;
    this.#chain = options.chain;
    this.coin = options.coin;
  }

  /** All of them, as they are listed now. */
  async all(): Promise<Currency[]> {
    const found = await Promise.all(this.#state.assets.map((asset) => this.#moving(asset)));
    return found.filter((currency) => currency !== undefined);
  }

  /** One of them, whatever the nodes say of the others. */
  async named(ccy: string): Promise<Currency> {
    const asset = this.#state.assetByCcy.get(ccy);
    const found = asset === undefined ? undefined : await this.#moving(asset);
    if (found !== undefined) return found;
    throw new PaymentHeld(`${ccy} does not move on ${this.#chain}: the listing names no contract of it.`);
  }

  /** Undefined where the listing says nothing of the chain, or nothing that can be found there. */
  async #moving({ ccy, scale, chains }: Asset): Promise<Currency | undefined> {
    const settings = chains.find(({ chain }) => chain === this.#chain);
    if (settings === undefined) return undefined;
    if (ccy === this.coin) return { ccy, token: undefined, decimals: COIN_DECIMALS, scale };
    // A token whose contract nobody has named cannot be told from any other.
    if (!isAddress(settings.identity, { strict: false })) return undefined;
    const token = getAddress(settings.identity);
    const decimals = await this.#decimalsOf(ccy, token);
    return decimals === undefined ? undefined : { ccy, token, decimals, scale };
  }

  /**
   * Undefined where the listing names what is no token: that holds up nobody but its own deposits. A wrong number would
   * pay a multiple of what is owed, so one node is not enough where its word is not enough for a deposit.
   */
  async #decimalsOf(ccy: string, token: Address): Promise<number | undefined> {
    const given = this.#options.decimals.get(ccy);
    const known = given ?? this.#decimals.get(token);
    if (known !== undefined) return known;
    if (!this.#nodes.isAttested && !this.#options.trustsOneNode) {
      throw new PaymentHeld(
        `A single node of ${this.#chain} says how many decimals ${ccy} has: name them in the term decimals, or ` +
          "a second node in rpc.",
      );
    }
    const params = [{ to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: "decimals" }) }, "latest"];
    const decimals = await this.#nodes.agree(`the decimals of ${ccy}`, "eth_call", params, decimalsIn, (error) =>
      error.isRevert ? { answer: undefined } : undefined,
    );
    if (decimals !== undefined) this.#decimals.set(token, decimals);
    return decimals;
  }

  /** More than the ledger could ever write down is no balance. */
  #sound({ ccy, decimals, scale }: Currency, held: bigint): bigint {
    const units = decimals < scale ? held * 10n ** BigInt(scale - decimals) : held / 10n ** BigInt(decimals - scale);
    if (units <= INT64_MAX) return held;
    throw new PaymentHeld(`Nobody on ${this.#chain} can hold ${held} units of ${ccy}.`);
  }

  /** The balance of an address, in the chain's units, at the last block that was read. */
  async balance(currency: Currency, address: Address): Promise<bigint> {
    const { ccy, token } = currency;
    const at = hexOf(await this.#options.at());
    const fact = `what ${address} holds of ${ccy}`;
    if (token === undefined) {
      return this.#sound(currency, await this.#nodes.agree(fact, "eth_getBalance", [address, at], quantity));
    }
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [address] });
    const held = await this.#nodes.agree(fact, "eth_call", [{ to: token, data }, at], wordIn);
    if (held !== undefined) return this.#sound(currency, held);
    throw new PaymentHeld(`The contract of ${ccy} on ${this.#chain} does not say what ${address} holds.`);
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
