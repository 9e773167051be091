/**
 * Calls by which operators look at chains and make things happen on simulated ones, where they act as the outside
 * world.
 */
import { formatDecimal } from "../../../engine/money/decimal.ts";
import {
  blockHash,
  findSimulatedChain,
  heightAt,
  type SimulatedChain,
  type SimulatedTransaction,
} from "../../../engine/simulated-chain/ledger.ts";
import type { State } from "../../../engine/state.ts";
import type { AdminBackend } from "../../admin/backend.ts";
import { type AdminAnswer, type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, listOf, optional, required, text, whole } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { Refused } from "../../refused.ts";

const CHAIN = required(text("CHAIN", 1, 32), "name of the chain");
const ADDRESS_CHARS_MAX = 256;
const DROPPED_MAX = 100;
const BLOCKS_MAX = 100_000;

const transact = call({
  method: "POST",
  path: "/admin/chains/CHAIN/transactions",
  verbs: { "chain pay": "Let somebody outside pay on a simulated chain; the next block takes it up." },
  fields: {
    chain: CHAIN,
    ccy: required(text("CCY", 1, 20), "currency"),
    to_address: required(text("ADDRESS", 1, ADDRESS_CHARS_MAX), "who is paid"),
    memo: optional(text("TEXT", 0, ADDRESS_CHARS_MAX), "memo, where the chain has them"),
    amount: required(decimal("AMOUNT"), "amount"),
  },
  serve: (backend, { chain, ccy, to_address, memo, amount }) =>
    seen(
      backend,
      chain,
      execute(backend, { kind: "simulate_transaction", chain, ccy, toAddress: to_address, memo, amount }, (result) => ({
        tx_id: (result as { txId: string }).txId,
      })),
    ),
});

const mine = call({
  method: "POST",
  path: "/admin/chains/CHAIN/blocks",
  verbs: { "chain mine": "Add blocks to a simulated chain at once, without waiting for their time." },
  fields: { chain: CHAIN, count: required(whole("N", 1, BLOCKS_MAX), "how many") },
  serve: (backend, { chain, count }) =>
    seen(
      backend,
      chain,
      execute(backend, { kind: "mine_blocks", chain, count }, (result) => result as object),
    ),
});

const reorganise = call({
  method: "POST",
  path: "/admin/chains/CHAIN/reorganise",
  verbs: { "chain reorganise": "Put other blocks in the place of the last ones of a simulated chain." },
  fields: {
    chain: CHAIN,
    depth: required(whole("N", 1, BLOCKS_MAX), "how many blocks are replaced"),
    drop: optional(
      listOf(text("TX_ID", 1, ADDRESS_CHARS_MAX), DROPPED_MAX),
      "transactions that the other blocks do not take up",
    ),
  },
  serve: (backend, { chain, depth, drop }) =>
    seen(
      backend,
      chain,
      execute(backend, { kind: "reorganise_chain", chain, depth, drop }, (result) => result as object),
    ),
});

const listTransactions = call({
  method: "GET",
  path: "/admin/chains/CHAIN/transactions",
  verbs: { "chain transactions": "Show what happened on a simulated chain, the newest first." },
  fields: {
    chain: CHAIN,
    address: optional(text("ADDRESS", 1, ADDRESS_CHARS_MAX), "what this address paid and was paid"),
    ...pageFields,
  },
  serve: ({ state, addresses }, { chain: name, address: given, page, limit }) => {
    const chain = findSimulatedChain(state, name);
    if (chain === undefined) return new Refused("chain_not_simulated");
    // Whatever its case, an address is one; what is none is looked for as it stands.
    const address = given === undefined ? undefined : (addresses?.normalized(name, given) ?? given);
    const concerns = ({ fromAddress, toAddress }: SimulatedTransaction) =>
      address === undefined || fromAddress === address || toAddress === address;
    const newest = chain.transactions.filter(concerns).reverse();
    return pageOf("transactions", newest, { page, limit }, (transaction) => rowOf(state, chain, transaction));
  },
});

function rowOf(state: State, chain: SimulatedChain, transaction: SimulatedTransaction): object {
  const { txId, fromAddress, toAddress, memo, ccy, amount, fee, height } = transaction;
  const scale = state.assetByCcy.get(ccy)?.scale ?? 0;
  const head = heightAt(chain, state.timeMs);
  const confirmations = Math.max(head - height + 1, 0);
  return {
    tx_id: txId,
    from_address: fromAddress,
    to_address: toAddress,
    memo,
    ccy,
    amount: formatDecimal(amount, scale),
    fee: formatDecimal(fee, scale),
    height,
    block_hash: confirmations === 0 ? "" : blockHash(chain, height),
    confirmations,
  };
}

/** Answers when the venue has seen what came of it, so that who pays and then asks for the deposit finds it. */
async function seen(backend: AdminBackend, chain: string, answer: Promise<AdminAnswer>): Promise<AdminAnswer> {
  const answered = await answer;
  if (!(answered instanceof Refused)) await backend.chains?.caughtUp(chain);
  return answered;
}

const listChains = call({
  method: "GET",
  path: "/admin/chains",
  verbs: { "chain list": "Show the chains that money moves on, how far each was read, and what troubles it." },
  fields: {},
  serve: ({ chains }) => ({
    chains: (chains?.list() ?? []).map(({ hotAddress: hot_address, ...row }) => ({ ...row, hot_address })),
  }),
});

const reconcile = call({
  method: "GET",
  path: "/admin/audit/chains",
  verbs: { "audit --chains": "Hold what the ledger says is in custody against what chains say is there." },
  fields: {},
  serve: async ({ chains }) => (await chains?.reconcile()) ?? { ok: true, troubles: [], currencies: [] },
});

export const CHAIN_CALLS: readonly AdminCall[] = [transact, mine, reorganise, listTransactions, listChains, reconcile];
