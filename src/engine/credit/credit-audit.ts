import type { Audit, Hearing } from "../audit/audit.ts";
import { cellName, type Report, spotCellName } from "../audit/ledger-audit.ts";
import type { EngineEvent, RareEvent } from "../event.ts";
import { CELL, VENUE } from "../ledger/cell.ts";
import { parseDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import { CREDIT_CELL } from "./codes.ts";
import { creditOf } from "./credit-state.ts";

const HOUR_MS = 3_600_000;
const HOURS_OF_DAY_E8 = 2_400_000_000n;

interface Followed {
  readonly userId: number;
  readonly rateE8: bigint;
  readonly createdAt: number;
  principal: bigint;
  interest: bigint;
  hours: number;
}

type Told<Type extends RareEvent["type"]> = Extract<RareEvent, { readonly type: Type }>;

/**
 * Follows every loan by events alone: what it must have cost by the hour, and the reason for what is lent and repaid.
 */
export class CreditAudit implements Audit {
  private readonly state: State;
  private readonly loans = new Map<number, Followed>();

  constructor(state: State) {
    this.state = state;
    for (const [loanId, loan] of creditOf(state).loans) {
      this.loans.set(loanId, {
        userId: loan.userId,
        rateE8: BigInt(loan.dailyRateE8),
        createdAt: loan.createdAt,
        principal: loan.principal,
        interest: loan.interest,
        hours: loan.hoursCharged,
      });
    }
  }

  take(event: EngineEvent, hearing: Hearing): void {
    if (event.kind !== "json") return;
    if (event.event.type === "credit_granted") this.grant(event.event, hearing);
    else if (event.event.type === "credit_repaid") this.repay(event.event, hearing);
  }

  compare(report: Report): void {
    const { loans } = creditOf(this.state);
    for (const loanId of new Set([...loans.keys(), ...this.loans.keys()])) {
      const stored = loans.get(loanId);
      const told = this.loans.get(loanId);
      if (stored?.principal !== told?.principal || stored?.interest !== told?.interest) {
        report(`Events tell of loan ${loanId} that ${told?.principal} are owed, the state has ${stored?.principal}.`);
      }
    }
  }

  private grant(
    { loanId, userId, ccy, amount, dailyRateE8 }: Told<"credit_granted">,
    { timeMs, explain, report }: Hearing,
  ) {
    const [assetId, units] = this.unitsOf(ccy, amount);
    if (this.loans.has(loanId) || units <= 0n) report(`Loan ${loanId} is no new one.`);
    const rateE8 = BigInt(dailyRateE8);
    const loan = { userId, rateE8, createdAt: timeMs, principal: units, interest: 0n, hours: 0 };
    charge(loan, timeMs);
    this.loans.set(loanId, loan);
    explain(cellName(CREDIT_CELL.credit_pool, VENUE, 0, assetId), -units);
    explain(spotCellName(userId, assetId), units);
  }

  private repay(told: Told<"credit_repaid">, { timeMs, explain, report }: Hearing) {
    const loan = this.loans.get(told.loanId);
    const [assetId, interest] = this.unitsOf(told.ccy, told.interest);
    const [, principal] = this.unitsOf(told.ccy, told.principal);
    if (loan === undefined || loan.userId !== told.userId) {
      report(`Loan ${told.loanId} is repaid by somebody who has none.`);
      return;
    }
    charge(loan, timeMs);
    if (interest > loan.interest || (principal > 0n && interest !== loan.interest)) {
      report(
        `Of loan ${told.loanId} ${interest} of ${loan.interest} interest are paid, and ${principal} of its principal.`,
      );
    }
    loan.interest -= interest;
    loan.principal -= principal;
    if (loan.principal < 0n || told.isPaidOff !== (loan.principal === 0n))
      report(`Loan ${told.loanId} ends otherwise.`);
    if (loan.principal === 0n) this.loans.delete(told.loanId);
    explain(spotCellName(told.userId, assetId), -interest - principal);
    explain(cellName(CELL.interest, VENUE, 0, assetId), interest);
    explain(cellName(CREDIT_CELL.credit_pool, VENUE, 0, assetId), principal);
  }

  private unitsOf(ccy: string, amount: string): [assetId: number, units: bigint] {
    const asset = this.state.assetByCcy.get(ccy);
    return [asset?.id ?? -1, asset === undefined ? 0n : (parseDecimal(amount, asset.scale) ?? 0n)];
  }
}

/** One hour after the other, since the last look. */
function charge(loan: Followed, timeMs: number): void {
  const hour = (loan.principal * loan.rateE8 + HOURS_OF_DAY_E8 - 1n) / HOURS_OF_DAY_E8;
  for (; loan.createdAt + loan.hours * HOUR_MS <= timeMs; loan.hours++) loan.interest += hour;
}
