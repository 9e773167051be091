/** Translates the blocks of a chain into commands of the venue. */
import type { JsonCommand } from "../engine/command.ts";
import { parseDecimal } from "../engine/money/decimal.ts";
import { isOfVenue } from "../engine/payments/addresses.ts";
import { termsOn } from "../engine/payments/chain-terms.ts";
import { keyOf } from "../engine/payments/deposit.ts";
import { payments } from "../engine/payments/payments.ts";
import type { State } from "../engine/state.ts";
import type { Chain, Point, Sighting, Transfer } from "./chain.ts";

export interface ChainEvents {
  readonly sighting: Sighting;
  /** Deposits that are gone, then those that were seen, and what is to be swept of them. */
  readonly commands: readonly JsonCommand[];
}

/** Reads a chain on from `point`. */
export async function chainEventsIn(state: State, chain: Chain, point: Point | undefined): Promise<ChainEvents> {
  const addresses = { has: (address: string) => isOfVenue(state, chain.name, address) };
  const sighting = await chain.watch(point, addresses);
  const seen = sighting.transfers.flatMap((transfer) => fitting(state, transfer));
  return { sighting, commands: [...gone(state, chain.name, sighting, seen), ...arrivals(state, chain, seen)] };
}

/**
 * Returns the commands that record up to which block a chain was read. They stand behind all that was found up to
 * there.
 */
export function commandsOf(chain: string, { height, hash }: Point): JsonCommand[] {
  return [
    { kind: "chain_head", chain, height },
    { kind: "note_chain", chain, height, hash },
  ];
}

/**
 * An amount as the ledger can hold it: decimals beyond the asset's are cut off, the venue holds the rest. Nothing is
 * left of dust.
 */
function fitting(state: State, transfer: Transfer): Transfer[] {
  const asset = state.assetByCcy.get(transfer.ccy);
  if (asset === undefined) return [];
  const [whole = "0", fraction = ""] = transfer.amount.split(".");
  const amount = asset.scale === 0 ? whole : `${whole}.${fraction.slice(0, asset.scale).padEnd(asset.scale, "0")}`;
  return /[1-9]/.test(amount) ? [{ ...transfer, amount }] : [];
}

/** Deposits that stood in blocks which were read again, and are in none of them. */
function gone(state: State, chain: string, { from, to }: Sighting, seen: readonly Transfer[]): JsonCommand[] {
  const there = new Set(seen.map((transfer) => keyOf({ chain, ...transfer })));
  const commands: JsonCommand[] = [];
  for (const deposit of payments.of(state).deposits.values()) {
    const { height, txId, output, toAddress } = deposit;
    const wasRead = deposit.chain === chain && height >= from && height <= to.height;
    // What is cancelled has a height for being forgotten by, and stands in no block.
    if (!wasRead || deposit.status === "cancelled" || there.has(keyOf(deposit))) continue;
    commands.push({ kind: "deposit_gone", chain, txId, output, toAddress });
  }
  return commands;
}

function arrivals(state: State, { name: chain, holdsDeposits }: Chain, seen: readonly Transfer[]): JsonCommand[] {
  const { chains, depositByKey } = payments.of(state);
  const doubt = holdsDeposits ? { needsReview: true } : {};
  return seen.flatMap((transfer): JsonCommand[] => {
    const { txId, output, toAddress, memo, ccy, amount, height } = transfer;
    const known = depositByKey.get(keyOf({ chain, ...transfer }));
    if (known !== undefined && known.height === height && known.status !== "cancelled") return [];
    const payment = { chain, txId, output, toAddress, memo, ccy, amount, height };
    const deposit: JsonCommand = { kind: "deposit_seen", ...payment, ...doubt };
    const owner = chains.get(chain)?.owners.get(`${toAddress}\n`);
    if (owner === undefined || !isWorthSweeping(state, chain, transfer)) return [deposit];
    const { userId } = owner;
    const renewals = chains.get(chain)?.ofUsers.get(userId)?.indexOf(owner) ?? 0;
    return [deposit, { kind: "note_unswept", chain, address: toAddress, ccy, userId, renewals, height }];
  });
}

/**
 * Whether an amount is worth sweeping: at least the least deposit. A smaller one waits for more to come: nobody can
 * make the venue look after dust.
 */
function isWorthSweeping(state: State, chain: string, { ccy, amount }: Transfer): boolean {
  const asset = state.assetByCcy.get(ccy);
  const least = asset === undefined ? undefined : termsOn(asset, chain)?.minDeposit;
  return asset !== undefined && least !== undefined && (parseDecimal(amount, asset.scale) ?? 0n) >= least;
}
