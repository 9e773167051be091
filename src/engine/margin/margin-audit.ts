/** Follows every loan by its events alone, and gives the reason for the money that they move. */
import type { Audit, Hearing } from "../audit/audit.ts";
import { add, cellName, type Report, spotCellName } from "../audit/ledger-audit.ts";
import type { EngineEvent, RareEvent } from "../event.ts";
import { CELL, VENUE } from "../ledger/cell.ts";
import type { Asset } from "../listing/asset.ts";
import type { Market } from "../listing/market.ts";
import { parseDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import { HOUR_MS } from "./loan.ts";

const ONE_E8 = 100_000_000n;
const DAY_HOURS = 24n;

type Told = Extract<RareEvent, { type: "loan_changed" }>;

/** A loan as events tell it. */
interface Followed {
  readonly assetId: number;
  principal: bigint;
  interest: bigint;
  rateE8: bigint;
  readonly createdAt: number;
  accruals: number;
  isDebt: boolean;
}

export class MarginAudit implements Audit {
  private readonly state: State;
  private readonly loans = new Map<number, Followed>();
  /** 28: what was brought into the lending pool of each asset, less what was taken out. */
  private readonly contributed = new Map<number, bigint>();
  private lastBorrowId: number;

  constructor(state: State) {
    this.state = state;
    const { margin, ledger, markets } = state;
    const { accounts, loans } = margin;
    this.lastBorrowId = margin.nextBorrowId - 1;
    for (let row = 0; row < accounts.count; row++) {
      const market = markets[accounts.marketId(row)] as Market;
      for (let slot = accounts.head(row); slot >= 0; slot = loans.next(slot)) {
        const assetId = loans.isQuote(slot) ? market.quoteAssetId : market.baseAssetId;
        this.loans.set(loans.borrowId(slot), {
          assetId,
          principal: loans.principal(slot),
          interest: loans.interest(slot),
          rateE8: BigInt(loans.dailyRateE8(slot)),
          createdAt: loans.createdAt(slot),
          accruals: loans.accruals(slot),
          isDebt: loans.isDebt(slot),
        });
        add(this.contributed, assetId, loans.principal(slot));
      }
    }
    for (const { id } of state.assets) add(this.contributed, id, ledger.heldByVenue(CELL.lending_pool, id));
  }

  take(event: EngineEvent, hearing: Hearing): void {
    if (event.kind === "posting") {
      const isBrought = event.posting === "deposit" || event.posting === "adjust";
      if (event.cellKind === CELL.lending_pool && isBrought) add(this.contributed, event.assetId, event.available);
      return;
    }
    if (event.kind !== "json") return;
    const rareEvent = event.event;
    const asset = "ccy" in rareEvent ? this.state.assetByCcy.get(rareEvent.ccy as string) : undefined;
    if (asset === undefined) {
      if (rareEvent.type === "margin_account_emptied") this.empty(rareEvent, hearing);
      return;
    }
    if (rareEvent.type === "margin_transferred") {
      const { userId, marketId, isIn, amount } = rareEvent;
      const units = unitsOf(amount, asset) * (isIn ? 1n : -1n);
      hearing.explain(spotCellName(userId, asset.id), -units);
      hearing.explain(cellName(CELL.margin, userId, marketId, asset.id), units);
    } else if (rareEvent.type === "loan_changed") this.change(rareEvent, asset, hearing);
    else if (rareEvent.type === "loan_paid") this.pay(rareEvent, asset, hearing);
    else if (rareEvent.type === "margin_taken") {
      const units = unitsOf(rareEvent.amount, asset);
      hearing.explain(cellName(CELL.margin, rareEvent.userId, rareEvent.marketId, asset.id), -units);
      hearing.explain(cellName(CELL.insurance_margin, VENUE, 0, asset.id), units);
    }
  }

  compare(report: Report): void {
    const { margin, ledger } = this.state;
    const lent = new Map<number, bigint>();
    for (const [borrowId, followed] of this.loans) {
      this.charge(followed, 1 + Math.floor((this.state.timeMs - followed.createdAt) / HOUR_MS));
      add(lent, followed.assetId, followed.principal);
      const slot = margin.loans.find(borrowId);
      if (slot < 0) report(`Loan ${borrowId} runs by its events and is not in the state.`);
      else if (margin.loans.principal(slot) !== followed.principal || margin.loans.interest(slot) !== followed.interest)
        report(`Events do not tell what is owed of loan ${borrowId}.`);
    }
    if (this.loans.size !== margin.loans.live)
      report(`Events tell of ${this.loans.size} loans of ${margin.loans.live}.`);
    for (const [assetId, brought] of this.contributed) {
      const held = ledger.heldByVenue(CELL.lending_pool, assetId) + (lent.get(assetId) ?? 0n);
      if (held !== brought)
        report(`Pool and loans of asset ${assetId} come to ${held} units, and ${brought} were brought in.`);
    }
  }

  private change(told: Told, asset: Asset, { timeMs, report, explain }: Hearing): void {
    const wrong = (what: string) => report(`Loan ${told.borrowId} ${what}.`);
    const [principal, interest] = [unitsOf(told.principal, asset), unitsOf(told.interest, asset)];
    let followed = this.loans.get(told.borrowId);
    if (followed === undefined) {
      if (told.borrowId !== this.lastBorrowId + 1) wrong(`follows loan ${this.lastBorrowId}`);
      this.lastBorrowId = told.borrowId;
      const rateE8 = BigInt(told.dailyRateE8);
      const amount = unitsOf(told.amount, asset);
      if (told.createdAt !== timeMs || told.status !== "loan") wrong("does not begin as a loan now");
      explain(cellName(CELL.lending_pool, VENUE, 0, asset.id), -amount);
      explain(cellName(CELL.margin, told.userId, told.marketId, asset.id), amount);
      followed = {
        assetId: asset.id,
        principal: amount,
        interest: 0n,
        rateE8,
        createdAt: timeMs,
        accruals: 0,
        isDebt: false,
      };
      this.loans.set(told.borrowId, followed);
    }
    this.charge(followed, told.accruals);
    if (followed.principal !== principal || followed.interest !== interest)
      wrong(
        `owes ${principal} and ${interest} units where its events come to ${followed.principal} and ` +
          `${followed.interest}`,
      );
    if (told.accruals > 1 + Math.floor((timeMs - followed.createdAt) / HOUR_MS)) wrong("was charged too often");
    followed.rateE8 = BigInt(told.dailyRateE8);
    followed.isDebt = told.status === "debt";
    const isOver = told.status === "finish" || told.status === "liquidated";
    if (isOver !== (principal + interest === 0n)) wrong(`is ${told.status} and owes ${principal + interest} units`);
    if (isOver) this.loans.delete(told.borrowId);
  }

  /** Charges interest until there are so many accruals; a debt bears none. */
  private charge(followed: Followed, accruals: number): void {
    if (followed.isDebt) return;
    for (; followed.accruals < accruals; followed.accruals++) {
      const daily = followed.principal * followed.rateE8;
      followed.interest += (daily + DAY_HOURS * ONE_E8 - 1n) / (DAY_HOURS * ONE_E8);
    }
  }

  private pay(paid: Extract<RareEvent, { type: "loan_paid" }>, asset: Asset, { report, explain }: Hearing): void {
    const followed = this.loans.get(paid.borrowId);
    const [interest, principal] = [unitsOf(paid.interest, asset), unitsOf(paid.principal, asset)];
    if (followed === undefined) report(`Loan ${paid.borrowId} is paid, and there is none.`);
    else {
      this.charge(followed, paid.accruals);
      followed.principal -= principal;
      followed.interest -= interest;
    }
    const isUsers = paid.payer === "user";
    const from = isUsers
      ? cellName(CELL.margin, paid.userId, paid.marketId, asset.id)
      : cellName(CELL.insurance_margin, VENUE, 0, asset.id);
    const share = (interest * 3n) / 10n;
    explain(from, -interest - principal);
    explain(cellName(CELL.lending_pool, VENUE, 0, asset.id), principal);
    explain(cellName(CELL.interest, VENUE, 0, asset.id), interest - share);
    explain(cellName(CELL.insurance_margin, VENUE, 0, asset.id), share);
  }

  private empty(told: Extract<RareEvent, { type: "margin_account_emptied" }>, { explain }: Hearing): void {
    const market = this.state.markets[told.marketId] as Market;
    for (const [assetId, amount] of [
      [market.baseAssetId, told.base],
      [market.quoteAssetId, told.quote],
    ] as const) {
      const units = unitsOf(amount, this.state.assets[assetId] as Asset);
      explain(cellName(CELL.margin, told.userId, market.id, assetId), -units);
      explain(spotCellName(told.userId, assetId), units);
    }
  }
}

function unitsOf(text: string, asset: Asset): bigint {
  return parseDecimal(text, asset.scale) ?? 0n;
}
