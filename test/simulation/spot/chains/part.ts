import type { Command } from "../../../../src/engine/command.ts";
import { formatDecimal } from "../../../../src/engine/money/decimal.ts";
import { balanceOn, findSimulatedChain, heightAt } from "../../../../src/engine/simulated-chain/ledger.ts";
import type { Draw } from "../draw.ts";
import { ASSETS } from "../markets.ts";
import type { SpotPart } from "../part.ts";
import { CHAIN } from "../payments/model.ts";
import type { Settings } from "../settings.ts";
import type { Step } from "../step.ts";
import { begin, broadcast, heldBy, kept, mine, pay, top, turn } from "./blocks.ts";
import { HOT } from "./reading.ts";

/**
 * The chain in the box under deposits and withdrawals, which a worker reads: blocks, payments and turns. Domain 7,
 * design 14.
 */
export const chains: SpotPart = {
  name: "chains",
  setup,
  // Time for blocks, and for what waits for its minute.
  about: { users: 3, waits: [1_000, 31_000, 61_000, 3_600_000], waitPercent: 20 },
  actions: {
    chain_paid: { often: { usual: [0, 2, 5] }, make: (draw) => ({ command: paidBySomebody(draw) }) },
    chain_mined: {
      often: { usual: [0, 2, 5] },
      make: ({ random }) => ({
        command: {
          kind: "mine_blocks",
          chain: random.chance(97) ? CHAIN : "NONE",
          count: random.pick([1, 1, 1, 2, 3, random.pick([0, 6, 100_001])]),
        },
      }),
    },
    chain_turned: {
      often: { usual: [0, 1, 2] },
      make: ({ random }) => ({
        command: { kind: "reorganise_chain", chain: CHAIN, depth: random.pick([1, 2, 2, 3, 4, 6, 0, 10_001]) },
        pick: random.whole(0, 9_999),
      }),
    },
    chain_read: {
      often: { usual: [0, 8, 20] },
      make: ({ random }) => ({
        command: { kind: "chain_head", chain: CHAIN, height: 0 },
        pick: random.whole(0, 9_999),
        reads: true,
      }),
    },
    deposit_spent: {
      often: { usual: [0, 0, 4] },
      make: ({ random }) => ({ ...spentOrGone(random.chance(50)), pick: random.whole(0, 3) }),
    },
    chain_spent: { often: { usual: [0, 0, 1] }, make: (draw) => ({ command: spentByVenue(draw) }) },
  },
  ofVenue: {
    start_simulated_chain: begin,
    simulate_transaction: pay,
    broadcast_simulated: broadcast,
    mine_blocks: mine,
    reorganise_chain: turn,
  },
  compare: (state, venue, differ) => {
    const chain = findSimulatedChain(state, CHAIN);
    if (chain === undefined) return differ("whether the chain has begun", false, kept(venue).began !== undefined);
    const { transactions, turns } = kept(venue);
    differ("blocks", heightAt(chain, state.timeMs), top(venue));
    differ("turns of the chain", chain.forks, turns);
    const said = (txId: string, height: number, amount: bigint) => `${txId} in ${height} of ${amount}`;
    differ(
      "transactions",
      chain.transactions.map(({ txId, height, amount }) => said(txId, height, amount)).join(),
      transactions.map(({ txId, height, amount }) => said(txId, height, amount)).join(),
    );
    const addresses = new Set([HOT, ...transactions.flatMap(({ from, to }) => (from === "" ? [to] : [from, to]))]);
    for (const address of addresses) {
      for (const asset of venue.assets) {
        const what = `what ${address} has on the chain in ${asset.ccy}`;
        differ(what, balanceOn(chain, address, asset.ccy), heldBy(venue, address, asset));
      }
    }
  },
  faults: [
    {
      name: "what a dropped transaction moved stays moved",
      file: "simulated-chain/ledger.ts",
      code: "move(chain, transaction, -1n);",
      instead: "",
    },
    {
      name: "blocks that are asked for do not come",
      file: "simulated-chain/commands.ts",
      code: "chain.extra += count;",
      instead: "",
    },
    {
      name: "a sender pays twice by one nonce",
      file: "simulated-chain/commands.ts",
      code: "if (chain.byNonce.has(",
      instead: "if (chain.count < 0 && chain.byNonce.has(",
    },
    {
      name: "a chain takes no fee of who pays over it",
      file: "simulated-chain/ledger.ts",
      code: "-sign * (amount + fee)",
      instead: "-sign * amount",
    },
    {
      name: "a snapshot forgets what addresses hold on a chain",
      file: "simulated-chain/section.ts",
      code: "chain.balances.set(key, BigInt(units));",
      instead: "chain.balances.set(key, 0n * BigInt(units));",
    },
    {
      name: "a deposit that its chain has dropped stays credited",
      file: "payments/see-deposit.ts",
      code: 'if (status === "finished") takeBack(state, deposit);',
      instead: "",
    },
    {
      name: "what is missing of a deposit that was taken back is nobody's debt",
      file: "payments/deposit-debt.ts",
      code: "if (owed > 0n) {",
      instead: "if (owed < 0n) {",
    },
    {
      name: "a debt is not paid by the next deposit",
      file: "payments/confirm-deposit.ts",
      code: "  collectDebt(state, userId, assetId);",
      instead: "",
    },
  ],
};

function setup({ seed, funds, scale }: Settings): Command[] {
  const blockMs = [1_000, 60_000, 86_400_000][seed % 3] as number;
  const few = formatDecimal(funds / 10n, scale);
  return [
    { kind: "start_simulated_chain", chain: CHAIN, seed, blockMs },
    { kind: "simulate_transaction", chain: CHAIN, ccy: "USDT", toAddress: HOT, amount: few },
  ];
}

function paidBySomebody(draw: Draw): Command {
  const { random, settings } = draw;
  const few = formatDecimal(settings.funds / random.pick([3n, 10n, 100n]), settings.scale);
  const own = `a${draw.userId()}-${random.pick([0, 0, 0, 1])}`;
  return {
    kind: "simulate_transaction",
    chain: random.chance(97) ? CHAIN : "NONE",
    ccy: random.chance(80) ? "USDT" : random.pick([...ASSETS, "NONE"]),
    toAddress: random.chance(70) ? own : random.pick([HOT, HOT, "elsewhere", ""]),
    amount: random.chance(90) ? few : random.pick(["0", "0.0100001", "0.01", "9223372036854775807", "x"]),
  };
}

/** A transaction of the venue that belongs to no withdrawal: a nonce may be taken, a balance too small. */
function spentByVenue({ random, settings }: Draw): Command {
  return {
    kind: "broadcast_simulated",
    chain: CHAIN,
    txId: random.pick(["s1", "s2", "s3", ""]),
    fromAddress: random.pick([HOT, HOT, "a1-0", ""]),
    nonce: random.whole(1, 6),
    ccy: random.chance(90) ? "USDT" : "NONE",
    toAddress: random.pick(["y", "y", HOT, ""]),
    memo: "",
    amount: formatDecimal(settings.funds / random.pick([1_000n, 100n, 1n]), settings.scale),
  };
}

/** A credited deposit is spent, or taken back: one after the other leaves a debt. */
function spentOrGone(isSpent: boolean): Pick<Step, "command" | "all"> {
  if (!isSpent) return { command: { kind: "deposit_gone", chain: CHAIN, txId: "none", output: 0, toAddress: "a1-0" } };
  return { command: { kind: "adjust_balance", userId: 1, ccy: "USDT", amount: "-1", note: "spent" }, all: true };
}
