/**
 * A venue at a chain of which one node lies. Everything follows from the seed. After every round: nobody was credited
 * without a payment, no withdrawal that was paid was given back, none was paid twice. Once the liar tells the truth,
 * all that waited comes to its end.
 */

import { getAddress, type Hex } from "viem";
import { EvmChain } from "../../src/chains/evm/evm-chain.ts";
import type { RpcNode } from "../../src/chains/evm/json-rpc.ts";
import type { Command } from "../../src/engine/command.ts";
import { depthOf } from "../../src/engine/payments/chain-terms.ts";
import { payments } from "../../src/engine/payments/payments.ts";
import { isOpen } from "../../src/engine/payments/withdrawal.ts";
import { CHAIN, PaymentsVenue } from "../support/payments-venue.ts";
import type { Done } from "../support/venue.ts";
import { xorshift } from "../support/xorshift.ts";
import { ChainWorkerVenue } from "./chain-worker-venue.ts";
import { Liar } from "./liar.ts";
import { digest, SMALL_CHAIN_ID, SmallEvm, TOKEN, TOKEN_DECIMALS } from "./small-evm.ts";

export const PLACES = ["first", "second", "only"] as const;
export type Place = (typeof PLACES)[number];

export interface Played {
  /** What must never happen and did, with the round; undefined: nothing. */
  readonly breach: string | undefined;
  /** How often each lie was told, and what else happened, by name. */
  readonly counts: ReadonlyMap<string, number>;
}

const NAME = "EVM";
const SEED = "test test test test test test test test test test test junk";
/** Where the two nodes are said to be; nobody connects there. */
const LIAR = "http://liar.invalid";
const HONEST = "http://honest.invalid";

/** Rounds of honesty after which nothing may wait any more. */
const HONEST_ROUNDS = 40;
const FROZEN = addressOf("frozen");
const OUTSIDE = [FROZEN, ...Array.from({ length: 4 }, (_, at) => addressOf(`outside ${at}`))];
const DECIMALS: Readonly<Record<string, number>> = { ETH: 18, TOK: TOKEN_DECIMALS };

/** Hears of every credit and every withdrawal's end. */
class ToldVenue extends PaymentsVenue {
  /** Deposits that were credited, and withdrawals whose money was given back, by what was told of them. */
  readonly credited: Record<string, unknown>[] = [];
  readonly givenBack = new Set<number>();
  /** By payment: all that was signed for it. */
  readonly signed = new Map<string, Set<string>>();

  override execute(command: Command): Done {
    const done = super.execute(command);
    for (const event of done.events) {
      if (event.kind !== "json") continue;
      const told = event.event;
      if (told.type === "deposit_moved" && told.status === "finished" && told.chain === NAME)
        this.credited.push({ ...told });
      if (told.type === "withdrawal_moved" && told.status === "failed") this.givenBack.add(told.withdrawId);
      if (told.type === "payment_signed") {
        const all = this.signed.get(told.paymentId) ?? new Set();
        this.signed.set(told.paymentId, all.add(told.txId));
      }
    }
    return done;
  }
}

class LiedTo extends ChainWorkerVenue {
  readonly evm = new SmallEvm();
  readonly told: ToldVenue;
  readonly liar: Liar;
  readonly place: Place;
  /** Whom the liar wants to see credited. */
  readonly friends = [addressOf("friend")];

  constructor(random: () => number, place: Place) {
    const told = new ToldVenue();
    super(told, NAME);
    this.told = told;
    this.place = place;
    this.evm.frozen.add(FROZEN);
    const settings = { ...CHAIN, chain: NAME, withdrawalFee: "0.01" };
    told.accept({ kind: "list_asset", ccy: "ETH", scale: 10, chains: [settings] });
    told.accept({ kind: "list_asset", ccy: "TOK", scale: 8, chains: [{ ...settings, identity: TOKEN }] });
    for (const ccy of ["ETH", "TOK"]) told.deposit(told.ann, ccy, "100000");
    this.liar = new Liar({ truth: this.evm, random, friends: this.friends });
    this.restart();
  }

  restart(): void {
    const honest: RpcNode = { name: "honest", call: (method, params) => this.evm.call(method, params) };
    const rpc = { first: [LIAR, HONEST], second: [HONEST, LIAR], only: [LIAR] }[this.place];
    const amounts = {
      hot: new Map(),
      coldAddress: "",
      sweepMin: new Map(),
      decimals: new Map([["TOK", TOKEN_DECIMALS]]),
    };
    const times = { pollMs: 1_000, treasuryMs: 0, staleAfterMs: 0, stuckAfterMs: 60_000 };
    this.begin(
      new EvmChain({
        terms: {
          rpc,
          chainId: SMALL_CHAIN_ID,
          coin: "ETH",
          maxFeeGwei: 500,
          startBlock: 0,
          oneNode: "hold",
          ...amounts,
          ...times,
        },
        state: this.venue.state,
        book: this.book,
        seed: SEED,
        now: () => this.venue.timeMs,
        safeConfirmations: (ccy) => this.safeConfirmations(ccy),
        depth: () => depthOf(this.venue.state, NAME),
        connect: (url) => (url === LIAR ? this.liar : honest),
        log: { warn: () => {} },
      }),
    );
  }

  /** What is wrong now; undefined: nothing. */
  breach(): string | undefined {
    const { evm, told } = this;
    for (const { txId, output, toAddress, ccy, amount } of told.credited.splice(0)) {
      const units = unitsOf(String(ccy), String(amount));
      const isPaid = [0n, 1n].some((dust) => evm.everPaid.has(`${txId} ${output} ${toAddress} ${units + dust}`));
      if (!isPaid || this.place === "only") return `${amount} ${ccy} were credited by ${txId}.`;
    }
    for (const [paymentId, txIds] of told.signed) {
      const paid = [...txIds].filter((txId) => evm.find(txId)?.mined.isSuccess === true);
      if (paid.length > 1) return `${paymentId} was paid ${paid.length} times.`;
      const withdrawId = paymentId.startsWith("withdrawal ") ? Number(paymentId.slice("withdrawal ".length)) : 0;
      if (paid.length > 0 && told.givenBack.has(withdrawId)) return `${paymentId} was paid and given back.`;
    }
    const strange = this.complaints.find((text) => text.includes("the worker of the chain failed"));
    return strange === undefined ? undefined : `The worker failed instead of waiting: ${strange}`;
  }

  get open(): number {
    return [...payments.of(this.venue.state).withdrawals.values()].filter(isOpen).length;
  }
}

/** `method`: the only one that is lied in; in all of them unless given. */
export async function playLies(seed: number, place: Place, rounds: number, method?: string): Promise<Played> {
  const random = xorshift(seed * 2_654_435_761);
  for (let at = 0; at < 8; at++) random();
  const venue = new LiedTo(random, place);
  const { evm, told, liar } = venue;
  liar.method = method;
  const counts = liar.told;
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const pick = <One>(from: readonly One[]) => from[Math.floor(random() * from.length)] as One;
  const addresses: string[] = [];
  for (const userId of [told.ann, told.ben]) addresses.push(await venue.address(userId));
  const hot = venue.worker.chain.hotAddress;
  evm.pay(hot, 10n ** 24n);
  evm.payToken(hot, 10n ** 15n);
  evm.mine();
  venue.friends.push(...addresses);
  const found = (breach: string, round: number): Played => ({ breach: `round ${round}: ${breach}`, counts });

  for (let round = 1; round <= rounds; round++) {
    liar.share = pick([0, 0.02, 0.1, 0.5, 1]);
    const action = random();
    if (action < 0.2) evm.pay(pick(addresses), BigInt(1 + Math.floor(random() * 1e6)) * 10n ** 13n);
    else if (action < 0.3) evm.payToken(pick(addresses), BigInt(1 + Math.floor(random() * 1e9)));
    else if (action < 0.5 && venue.open < 20) {
      count("a withdrawal");
      venue.withdraw(told.ann, pick(["ETH", "TOK"]), "1.5", pick(OUTSIDE));
    } else if (action < 0.55) evm.reorganise(1 + Math.floor(random() * 3), () => random() < 0.5);
    else if (action < 0.6) told.wait(61_000);
    else if (action < 0.65) venue.restart();
    if (random() < 0.5) evm.mine();
    await venue.round();
    if (venue.worker.trouble !== "") count("a round that waits");
    const breach = venue.breach();
    if (breach !== undefined) return found(breach, round);
  }
  liar.share = 0;
  venue.restart();
  for (let round = 0; round < HONEST_ROUNDS; round++) {
    evm.mine();
    await venue.round();
  }
  const breach = venue.breach();
  if (breach !== undefined) return found(breach, rounds);
  count(`given back: ${told.givenBack.size > 0}`);
  if (place !== "only") {
    if (venue.worker.trouble !== "") return found(`still in trouble: ${venue.worker.trouble}`, rounds);
    if (venue.open > 0) return found(`${venue.open} withdrawals still wait.`, rounds);
    const short = evm.head.accounts.coins.get(addresses[0] ?? "") ?? 0n;
    if (short > 10n ** 18n) return found("Deposits were not swept.", rounds);
  }
  return { breach: undefined, counts };
}

/** Units of the chain that an amount of the ledger stands for. */
function unitsOf(ccy: string, amount: string): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  const decimals = DECIMALS[ccy] ?? 0;
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
}

function addressOf(name: string): string {
  return getAddress(`0x${digest(name).slice(26)}` as Hex);
}
