import type { AssetChain } from "../../src/engine/listing/command-schemas.ts";
import type { DepositGone, DepositSeen, Withdraw } from "../../src/engine/payments/command-schemas.ts";
import { payments } from "../../src/engine/payments/payments.ts";
import { type Done, Venue } from "./venue.ts";

/** How an asset moves on the chain of these tests: credited after 2 blocks, for good after 4. */
export const CHAIN: AssetChain = {
  chain: "TEST",
  minDepositAmount: "0.001",
  minWithdrawAmount: "0.01",
  depositEnabled: true,
  withdrawEnabled: true,
  depositDelayMinutes: 0,
  safeConfirmations: 2,
  irreversibleConfirmations: 4,
  deflationRate: "0",
  withdrawalFee: "0.0005",
  withdrawalPrecision: 6,
  memo: "",
  isMemoRequiredForDeposit: false,
  explorerAssetUrl: "",
  identity: "",
};

/**
 * A venue whose BTC moves on the chain TEST and with memos on MEMO, with users ann (1) and ben (2); ann's address is
 * `a1`.
 */
export class PaymentsVenue extends Venue {
  readonly ann: number;
  readonly ben: number;

  constructor(more: Partial<AssetChain> = {}, rulesVersion?: number) {
    super(undefined, rulesVersion);
    const memos = { ...CHAIN, chain: "MEMO", isMemoRequiredForDeposit: true };
    this.accept({ kind: "list_asset", ccy: "BTC", scale: 8, maxUnits: "1000", chains: [{ ...CHAIN, ...more }, memos] });
    this.listAsset("USDT");
    this.ann = this.addUser("ann");
    this.ben = this.addUser("ben");
    this.address(this.ann, "a1");
  }

  address(userId: number, address: string, renewals = 0, chain = "TEST", memo = ""): Done {
    return this.execute({ kind: "assign_address", userId, chain, renewals, address, memo });
  }

  seen(txId: string, amount: string, height: number, more: Partial<DepositSeen> = {}): Done {
    const payment = { chain: "TEST", txId, output: 0, toAddress: "a1", memo: "", ccy: "BTC", amount, height };
    return this.execute({ kind: "deposit_seen", ...payment, ...more });
  }

  gone(txId: string, more: Partial<DepositGone> = {}): Done {
    return this.execute({ kind: "deposit_gone", chain: "TEST", txId, output: 0, toAddress: "a1", ...more });
  }

  head(height: number, chain = "TEST"): Done {
    return this.accept({ kind: "chain_head", chain, height });
  }

  status(depositId: number): string | undefined {
    return payments.of(this.state).deposits.get(depositId)?.status;
  }

  /** Lets ann's keys withdraw to `x1` on both chains, and to ben. */
  allow(): void {
    for (const [chain, address] of [
      ["TEST", "x1"],
      ["MEMO", "x1"],
      ["", "ben"],
    ] as const) {
      this.accept({ kind: "allow_withdraw_address", userId: this.ann, chain, address, memo: "", remark: "" });
    }
  }

  withdraw(amount: string, more: Partial<Withdraw> = {}): Done {
    const wish = { ccy: "BTC", method: "on_chain", chain: "TEST", toAddress: "x1", memo: "", remark: "" };
    return this.execute({ kind: "withdraw", userId: this.ann, amount, needsReview: false, ...wish, ...more });
  }

  withdrawalStatus(withdrawId: number): string | undefined {
    return payments.of(this.state).withdrawals.get(withdrawId)?.status;
  }
}

/** What happened of a type, in the order of its telling. */
export function told(done: Done, type: string): readonly Record<string, unknown>[] {
  return done.events.flatMap((event) =>
    event.kind === "json" && event.event.type === type ? [event.event as unknown as Record<string, unknown>] : [],
  );
}
