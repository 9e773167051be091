import { CREDIT_CELL } from "../../../../src/engine/credit/codes.ts";
import { creditOf } from "../../../../src/engine/credit/credit-state.ts";
import { interestDue } from "../../../../src/engine/credit/loan.ts";
import type { EngineEvent, RareEvent } from "../../../../src/engine/event.ts";
import { CELL } from "../../../../src/engine/ledger/cell.ts";
import type { Market } from "../../../../src/engine/listing/market.ts";
import { debtOf } from "../../../../src/engine/payments/deposit-debt.ts";
import { payments } from "../../../../src/engine/payments/payments.ts";
import { reversibleOf } from "../../../../src/engine/payments/reversible.ts";
import { SAVINGS_CELL } from "../../../../src/engine/savings/codes.ts";
import { PLAY_PARTS } from "../../parts.ts";
import { toUsdt } from "../funds.ts";
import { equityOf, unitsOf, worthOf } from "../worth.ts";
import { type Court, type Law, movesMoney } from "./law.ts";

/**
 * Cells of the venue, one of each asset, that only what is told below may lower. The insurance fund of futures has a
 * law of its own.
 */
const WATCHED: readonly (readonly [name: string, kind: number])[] = [
  ["fees", CELL.fee],
  ["the margin fund", CELL.insurance_margin],
  ["the lending pool", CELL.lending_pool],
  ["the credit pool", CREDIT_CELL.credit_pool],
  ["interest", CELL.interest],
  ["interest that is put aside", SAVINGS_CELL.interest_due],
];

/** What rounding may leave, a hundred units of the dearest currency. */
const SLACK = 100n * 6_000_000n * 10_000n;
/** What of a deposit that may be taken back trades may cost, in hundredths. Source: domain 7.1. */
const TRADED = 2n;

/**
 * A1 of the venue's own money: what it holds, and what it is owed by those who can pay it, never becomes less by a
 * command. A borrower is worth no more than what backs the loan: a margin account what lies in it, a user with credit
 * or with deposits that a chain could take back what he owns. The path of the fair prices may leave something unpaid;
 * no action may.
 */
export class Treasury implements Law {
  private readonly court: Court;
  /** At the fair prices, and by what sources have said last. */
  private before: readonly [fair: bigint, told: bigint] | undefined;
  /** What lawfully left the cells by the command under way. */
  private paid = 0n;
  private lost = 0n;
  private hasMoved = false;
  /** What sources had said when `before` was worked out. */
  private tellings = 0;
  private readonly settled = new Set<number>();

  constructor(court: Court) {
    this.court = court;
  }

  pricesMove(): () => void {
    return () => {
      // Worked out when sources have told the new ones.
      this.before = undefined;
    };
  }

  look(): void {
    this.paid = 0n;
    this.hasMoved = false;
    const { tellings } = this.court.stage;
    if (this.tellings !== tellings) this.before = undefined;
    this.tellings = tellings;
    this.before ??= this.both();
  }

  see(event: EngineEvent): void {
    if (movesMoney(event)) this.hasMoved = true;
    if (event.kind === "json") this.hear(event.event);
    else if (event.kind === "posting" && event.posting === "savings_interest" && event.userId > 0)
      this.paid += worthOf(this.court.stage, event.assetId, event.available);
  }

  judge(): string[] {
    if (!this.hasMoved) return [];
    const [fair, told] = this.before as readonly [bigint, bigint];
    const after = this.both();
    const [byFair, byIndex] = [fair - after[0], told - after[1]];
    const lost = (byFair < byIndex ? byFair : byIndex) - this.paid;
    this.before = after;
    if (lost > 0n) this.lost += lost;
    return lost > SLACK
      ? [`A1: the venue lost ${toUsdt(lost).toFixed(4)} USDT of its own, or of what it is owed.`]
      : [];
  }

  *figures(): Generator<readonly [string, number]> {
    if (this.lost > SLACK) yield ["the venue's own loss", toUsdt(this.lost)];
  }

  /**
   * What a chain takes back that was settled is nobody's action. Rebates, dividends and interest are paid out of cells;
   * laws of their own say how much.
   */
  private hear(event: RareEvent): void {
    const { stage } = this.court;
    const asset = (ccy: string) => stage.state.assetByCcy.get(ccy)?.id ?? 0;
    if (event.type === "deposit_moved") {
      if (event.settled) this.settled.add(event.depositId);
    } else if (event.type === "deposit_taken_back") {
      const { scale = 8 } = stage.state.assetByCcy.get(event.ccy) ?? {};
      if (this.settled.delete(event.depositId))
        this.paid += worthOf(stage, asset(event.ccy), unitsOf(event.owed, scale));
    } else if (event.type === "rebates_paid") {
      for (const { ccy, referrer, referee, upline } of event.paid) {
        this.paid += worthOf(stage, asset(ccy), BigInt(referrer) + BigInt(referee) + BigInt(upline));
      }
    } else if (event.type === "dividend_paid") {
      const { baseAssetId, quoteAssetId } = stage.state.markets[event.marketId] as Market;
      this.paid += worthOf(stage, baseAssetId, BigInt(event.base)) + worthOf(stage, quoteAssetId, BigInt(event.quote));
    } else if (event.type === "adjusted" && event.cell !== null) {
      const { scale = 8 } = stage.state.assetByCcy.get(event.ccy) ?? {};
      if (!event.amount.startsWith("-")) this.paid += worthOf(stage, asset(event.ccy), unitsOf(event.amount, scale));
    }
  }

  private both(): [fair: bigint, told: bigint] {
    const { stage } = this.court;
    const fair = this.worth();
    return [fair, stage.isToldFair() ? fair : stage.asTold(() => this.worth())];
  }

  private worth(): bigint {
    const { stage } = this.court;
    const { state } = stage;
    let worth = 0n;
    for (const { id } of state.assets) {
      for (const [, kind] of WATCHED) worth += worthOf(stage, id, state.ledger.heldByVenue(kind, id));
    }
    for (const { pool, baseAssetId, quoteAssetId } of state.markets) {
      if (pool === undefined) continue;
      worth += worthOf(stage, baseAssetId, state.ledger.available(pool.cells.basePot));
      worth += worthOf(stage, quoteAssetId, state.ledger.available(pool.cells.quotePot));
    }
    return worth + this.claims();
  }

  /** What is owed, as far as it can be paid. */
  private claims(): bigint {
    const { stage } = this.court;
    const { state } = stage;
    let claims = 0n;
    const { accounts } = state.margin;
    for (let row = 0; row < accounts.count; row++) {
      if (!accounts.owes(row)) continue;
      const { baseAssetId, quoteAssetId } = state.markets[accounts.marketId(row)] as Market;
      let [owed, has] = [0n, 0n];
      for (const [isQuote, assetId] of [
        [false, baseAssetId],
        [true, quoteAssetId],
      ] as const) {
        const cell = accounts.cell(row, isQuote);
        has += worthOf(stage, assetId, state.ledger.available(cell) + state.ledger.frozen(cell));
        owed += worthOf(stage, assetId, accounts.principal(row, isQuote) + accounts.interest(row, isQuote));
      }
      claims += owed < has ? owed : has;
    }
    const owing = new Set<number>(creditOf(state).byUser.keys());
    const { reversible, debtors } = payments.of(state);
    for (const holding of reversible.keys()) owing.add(Number(holding.slice(0, holding.indexOf(" "))));
    for (const { userId } of debtors.values()) owing.add(userId);
    for (const userId of owing) claims += this.claimsOn(userId);
    return claims;
  }

  /** Of a user: credit, and what lacks of what chains could take back, or have. */
  private claimsOn(userId: number): bigint {
    const { stage } = this.court;
    const { state } = stage;
    let credit = 0n;
    for (const loan of creditOf(state).loansOf(userId)) {
      credit += worthOf(stage, loan.assetId, loan.principal + interestDue(loan, state.timeMs));
    }
    let chain = 0n;
    for (const { id } of state.assets) {
      chain += worthOf(stage, id, reversibleOf(state, userId, id) + debtOf(state, userId, id));
    }
    if (credit === 0n && chain === 0n) return 0n;
    const lacks = credit + (chain * (100n - TRADED)) / 100n - this.assetsOf(userId);
    return credit - (lacks > 0n ? lacks : 0n);
  }

  private assetsOf(userId: number): bigint {
    const { stage } = this.court;
    let assets = equityOf(stage, userId);
    for (const { accounts } of PLAY_PARTS) {
      for (const { equity } of accounts?.(stage, userId) ?? []) if (equity > 0n) assets += equity;
    }
    return assets;
  }
}
