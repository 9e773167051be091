import type { Command } from "../../../../src/engine/command.ts";
import { debtOf } from "../../../../src/engine/payments/deposit-debt.ts";
import type { Kept, PlayPart } from "../play-part.ts";
import type { Stage } from "../stage.ts";
import { worthOf } from "../worth.ts";
import { lateDebt } from "./late-debt.ts";

/** The chain of these plays: a deposit is credited after 2 blocks, and settled after 4. */
export const CHAIN = "SIM";

/** Money over chains, in plays that are about it. */
export const wallet: PlayPart = {
  name: "wallet",
  strategies: [lateDebt],
  laws: [],
  forItsOwn: () => chainsOf(["BTC", "USDT"], CHAIN),
  accounts: owed,
};

/** Lets currencies come and go over a chain, and between users. */
export function chainsOf(ccys: readonly string[], chain: string): Command[] {
  return ccys.flatMap((ccy) => moving(ccy, chain));
}

function moving(ccy: string, chain: string): Command[] {
  const settings = {
    chain,
    minDepositAmount: "0.001",
    minWithdrawAmount: "0.001",
    depositEnabled: true,
    withdrawEnabled: true,
    depositDelayMinutes: 0,
    safeConfirmations: 2,
    irreversibleConfirmations: 4,
    deflationRate: "0",
    withdrawalFee: "0",
    withdrawalPrecision: 8,
    memo: "",
    isMemoRequiredForDeposit: false,
    explorerAssetUrl: "",
    identity: "",
  };
  return [
    { kind: "set_asset_chain", ccy, settings },
    { kind: "set_inter_transfer", ccy, enabled: true },
  ];
}

/** What is owed to a chain. */
function* owed(stage: Stage, userId: number): Generator<Kept> {
  for (const { id } of stage.state.assets) {
    const debt = debtOf(stage.state, userId, id);
    if (debt > 0n) yield { equity: -worthOf(stage, id, debt), isBacked: true };
  }
}
