/** Moves the venue's own money on an EVM chain: to the hot wallet, and the surplus there to cold storage. */
import type { Payment, Unswept } from "../../engine/chains/chain-book.ts";
import type { HotOptions } from "../chain-terms.ts";
import type { PaymentBook } from "../payment-book.ts";
import { type Currencies, type Currency, toAmount, toUnits } from "./currencies.ts";
import type { Account, Keys } from "./keys.ts";
import { PLAIN_GAS, type Sender } from "./sender.ts";
import type { Address } from "./viem.ts";

/** Gas that a token's transfer is given the coins for; what is left of them stays there for the next. */
const TOKEN_GAS = 100_000n;
/** New addresses that are looked at in one round. */
const LOOKED_AT_MAX = 100;

export interface TreasuryOptions {
  readonly book: PaymentBook;
  readonly keys: Keys;
  readonly sender: Sender;
  readonly currencies: Currencies;
  /** By currency. */
  readonly hot: ReadonlyMap<string, HotOptions>;
  /** Empty: nothing is brought to cold storage. */
  readonly coldAddress: string;
  /** Least amounts worth a transaction, by currency; absent: any. */
  readonly sweepMin: ReadonlyMap<string, string>;
  safeConfirmations(ccy: string): number;
  /** The last block that was read. */
  height(): number;
}

export class Treasury {
  readonly #options: TreasuryOptions;
  /** Addresses that hold too little to be swept, with the block up to which that was seen. */
  readonly #dust = new Map<string, number>();

  constructor(options: TreasuryOptions) {
    this.#options = options;
  }

  async keep(): Promise<void> {
    await this.#press();
    await this.#sweep();
    await this.#fillCold();
  }

  /** Hands over again what is out, and offers more for the first of each sender that waits. */
  async #press(): Promise<void> {
    const { book, sender } = this.#options;
    const stood = new Map<string, number>();
    for (const payment of book.all()) {
      const { fromAddress, nonce } = payment;
      const count = stood.get(fromAddress) ?? (await sender.stood(fromAddress as Address));
      stood.set(fromAddress, count);
      if (nonce < count) continue;
      await sender.handOver(payment);
      const account = this.#accountOf(payment);
      if (nonce === count && account !== undefined) await sender.replaceStuck(payment, account);
    }
  }

  #accountOf({ fromAddress, ccy }: Payment): Account | undefined {
    const { keys, book } = this.#options;
    if (fromAddress === keys.hot.address) return keys.hot;
    const entry = book.known?.unswept.get(`${fromAddress} ${ccy}`);
    return entry === undefined ? undefined : keys.ofUser(entry.userId, entry.renewals);
  }

  async #sweep(): Promise<void> {
    const { book, safeConfirmations, height } = this.#options;
    let looked = 0;
    for (const entry of [...(book.known?.unswept.values() ?? [])]) {
      const { address, ccy } = entry;
      if (height() - entry.height + 1 < safeConfirmations(ccy)) continue;
      if (this.#dust.get(`${address} ${ccy}`) === entry.height) continue;
      if (book.all().some((payment) => payment.fromAddress === address || payment.toAddress === address)) continue;
      if (++looked > LOOKED_AT_MAX) return;
      const currency = await this.#options.currencies.named(ccy);
      if (currency.token === undefined) await this.#sweepCoins(entry, currency);
      else await this.#sweepTokens(entry, currency);
    }
  }

  /** All of it but the fee, which is offered exactly, so that nothing is left. */
  async #sweepCoins(entry: Unswept, currency: Currency): Promise<void> {
    const { keys, sender, currencies } = this.#options;
    const account = keys.ofUser(entry.userId, entry.renewals);
    const { maxFeePerGas } = await sender.fees();
    const held = await currencies.balance(currency, account.address);
    const units = held - PLAIN_GAS * maxFeePerGas;
    if (this.#isTooLittle(entry, currency, units)) return await this.#leave(entry, held <= PLAIN_GAS * maxFeePerGas);
    const fees = { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas };
    await this.#bringHome(entry, account, currency, units, fees);
  }

  /** Tokens pay no gas: the hot wallet sends the coins for it first. */
  async #sweepTokens(entry: Unswept, currency: Currency): Promise<void> {
    const { keys, sender, currencies, book } = this.#options;
    const account = keys.ofUser(entry.userId, entry.renewals);
    const units = await currencies.balance(currency, account.address);
    if (this.#isTooLittle(entry, currency, units)) return await this.#leave(entry, units === 0n);
    const fees = await sender.fees();
    const coin = await currencies.named(currencies.coin);
    const needed = TOKEN_GAS * fees.maxFeePerGas;
    const held = await currencies.balance(coin, account.address);
    if (held >= needed) return await this.#bringHome(entry, account, currency, units, fees);
    // A unit of the ledger more, because that is coarser than the chain.
    const amount = toAmount(coin, needed - held + 10n ** BigInt(Math.max(coin.decimals - coin.scale, 0)));
    const paymentId = `gas ${account.address} ${book.nextNonce(keys.hot.address)}`;
    const toAddress = account.address;
    await sender.pay({ paymentId, purpose: "gas", account: keys.hot, currency: coin, toAddress, amount });
  }

  async #bringHome(
    { ccy, address }: Unswept,
    account: Account,
    currency: Currency,
    units: bigint,
    fees: { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint },
  ): Promise<void> {
    const { keys, sender, book } = this.#options;
    const paymentId = `sweep ${address} ${ccy} ${book.nextNonce(account.address)}`;
    const toAddress = keys.hot.address;
    const amount = toAmount(currency, units);
    await sender.pay({ paymentId, purpose: "sweep", account, currency, toAddress, amount, fees });
  }

  #isTooLittle({ ccy }: Unswept, currency: Currency, units: bigint): boolean {
    const least = toUnits(currency, this.#options.sweepMin.get(ccy) ?? "0");
    return units <= 0n || units < least || !/[1-9]/.test(toAmount(currency, units));
  }

  /** Looked at again when more comes; forgotten when there is nothing. */
  async #leave({ address, ccy, height }: Unswept, isEmpty: boolean): Promise<void> {
    if (isEmpty) await this.#options.book.forgetUnswept(address, ccy, height);
    else this.#dust.set(`${address} ${ccy}`, height);
  }

  async #fillCold(): Promise<void> {
    const { hot, coldAddress, currencies, keys, sender, book } = this.#options;
    if (coldAddress === "") return;
    for (const [ccy, { most, target }] of hot) {
      if (book.all().some((payment) => payment.purpose === "cold" && payment.ccy === ccy)) continue;
      const currency = await currencies.named(ccy);
      const held = await currencies.balance(currency, keys.hot.address);
      if (held <= toUnits(currency, most)) continue;
      const amount = toAmount(currency, held - toUnits(currency, target));
      const paymentId = `cold ${ccy} ${book.nextNonce(keys.hot.address)}`;
      const toAddress = coldAddress as Address;
      await sender.pay({ paymentId, purpose: "cold", account: keys.hot, currency, toAddress, amount });
    }
  }
}
