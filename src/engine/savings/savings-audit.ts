import type { Audit, Hearing } from "../audit/audit.ts";
import { cellName, type Report, spotCellName } from "../audit/ledger-audit.ts";
import type { EngineEvent, RareEvent } from "../event.ts";
import { CELL, VENUE } from "../ledger/cell.ts";
import { parseDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import { SAVINGS_CELL } from "./codes.ts";
import { DAY_MS, savings } from "./savings-state.ts";

interface Followed {
  readonly userId: number;
  readonly assetId: number;
  balance: bigint;
  owed: bigint;
  bookedMs: number;
}

interface Midnight {
  readonly rateE8: bigint;
  left: bigint;
  readonly isPaid: boolean;
  paid: bigint;
}

type Told<Type extends RareEvent["type"]> = Extract<RareEvent, { readonly type: Type }>;

/**
 * Follows every FINANCIAL account by events alone: what was moved there, and at each midnight what that earns, gives
 * the reason for what is posted. Source: domain 6.6.
 */
export class SavingsAudit implements Audit {
  private readonly state: State;
  private readonly rows: Followed[] = [];
  private readonly rowOf = new Map<string, Followed>();
  /** By currency, while a midnight is booked. */
  private readonly midnights = new Map<string, Midnight>();
  private dayMs: number;

  constructor(state: State) {
    this.state = state;
    const { accounts, day, round } = savings.of(state);
    this.dayMs = day * DAY_MS;
    for (let row = 0; row < accounts.count; row++) {
      const followed = this.follow(accounts.userId(row), accounts.assetId(row));
      followed.balance = state.ledger.available(accounts.cell(row));
      followed.owed = accounts.owed(row);
      followed.bookedMs = accounts.day(row) * DAY_MS;
    }
    for (const { assetId, dailyRateE8, left, isPaid, paid } of round?.assets.values() ?? []) {
      this.midnights.set(this.ccyOf(assetId), { rateE8: BigInt(dailyRateE8), left, isPaid, paid });
    }
  }

  take(event: EngineEvent, hearing: Hearing): void {
    if (event.kind !== "json") return;
    const rareEvent = event.event;
    if (rareEvent.type === "transferred") this.move(rareEvent, hearing);
    else if (rareEvent.type === "savings_interest_begun") this.open(rareEvent, hearing);
    else if (rareEvent.type === "savings_interest_booked") this.book(rareEvent, hearing);
    else if (rareEvent.type === "savings_interest_ended") this.close(rareEvent, hearing);
  }

  compare(report: Report): void {
    const { accounts } = savings.of(this.state);
    if (accounts.count !== this.rows.length)
      report(`Events tell of ${this.rows.length} savers among ${accounts.count}.`);
    for (const [row, { userId, balance, owed }] of this.rows.entries()) {
      const held = this.state.ledger.available(accounts.cell(row));
      if (held !== balance) report(`Events give user ${userId} savings of ${balance} units, the state has ${held}.`);
      if (accounts.owed(row) !== owed)
        report(`Events owe user ${userId} ${owed} units, the state ${accounts.owed(row)}.`);
    }
  }

  private move({ userId, from, to, ccy, amount }: Told<"transferred">, { explain, report, timeMs }: Hearing): void {
    if (from !== "FINANCIAL" && to !== "FINANCIAL") return;
    const asset = this.state.assetByCcy.get(ccy);
    const units = asset === undefined ? undefined : parseDecimal(amount, asset.scale);
    if (asset === undefined || units === undefined) return;
    const row = this.follow(userId, asset.id);
    if (this.rows.length === 1 && row.bookedMs < 0) this.dayMs = timeMs - (timeMs % DAY_MS);
    if (row.bookedMs < 0) row.bookedMs = this.dayMs;
    const into = to === "FINANCIAL" ? units : -units;
    const isMissed = this.midnights.has(ccy) && row.bookedMs < this.dayMs;
    if (isMissed) report(`Savings of user ${userId} moved at ${timeMs} before their interest was booked.`);
    row.balance += into;
    if (row.balance < 0n) report(`User ${userId} took more out of savings than there was.`);
    explain(spotCellName(userId, asset.id), -into);
    explain(cellName(SAVINGS_CELL.financial, userId, 0, asset.id), into);
  }

  private open(told: Told<"savings_interest_begun">, hearing: Hearing): void {
    const { ccy, dayMs, dailyRateE8, saved, putAside } = told;
    const assetId = this.state.assetByCcy.get(ccy)?.id as number;
    if (this.midnights.has(ccy) || dayMs <= this.dayMs - DAY_MS) hearing.report(`A midnight of ${ccy} begins twice.`);
    this.dayMs = dayMs;
    const rateE8 = BigInt(dailyRateE8);
    let sum = 0n;
    let owed = 0n;
    for (const row of this.rows) {
      if (row.assetId !== assetId) continue;
      sum += row.balance;
      owed += row.owed;
    }
    if (sum.toString() !== saved) hearing.report(`${sum} units of ${ccy} are saved, and ${saved} were told.`);
    const most = owed + (sum * rateE8) / 100_000_000n;
    const left = BigInt(putAside);
    const could = hearing.available(cellName(CELL.interest, VENUE, 0, assetId)) + left >= most;
    if (left !== (could ? most : 0n)) hearing.report(`${left} units are put aside for ${most} of interest in ${ccy}.`);
    this.midnights.set(ccy, { rateE8, left, isPaid: left > 0n, paid: 0n });
    this.moveAside(assetId, left, hearing);
  }

  private book({ dayMs, fromRow, toRow }: Told<"savings_interest_booked">, { explain, report }: Hearing): void {
    for (let at = fromRow; at < toRow; at++) {
      const row = this.rows[at];
      const midnight = row === undefined ? undefined : this.midnights.get(this.ccyOf(row.assetId));
      if (row === undefined || midnight === undefined || row.bookedMs >= dayMs) continue;
      row.bookedMs = dayMs;
      const due = row.owed + (row.balance * midnight.rateE8) / 100_000_000n;
      row.owed = midnight.isPaid ? 0n : due;
      if (!midnight.isPaid) continue;
      row.balance += due;
      midnight.left -= due;
      midnight.paid += due;
      if (midnight.left < 0n) report(`More interest is paid to user ${row.userId} than was put aside.`);
      explain(cellName(SAVINGS_CELL.financial, row.userId, 0, row.assetId), due);
      explain(cellName(SAVINGS_CELL.interest_due, VENUE, 0, row.assetId), -due);
    }
  }

  private close(told: Told<"savings_interest_ended">, hearing: Hearing): void {
    const { ccy, dayMs, paid, returned } = told;
    const midnight = this.midnights.get(ccy);
    if (midnight === undefined) {
      hearing.report(`A midnight of ${ccy} ends that has not begun.`);
      return;
    }
    this.midnights.delete(ccy);
    const assetId = this.state.assetByCcy.get(ccy)?.id as number;
    if (midnight.paid.toString() !== paid)
      hearing.report(`${midnight.paid} units of interest were paid, told as ${paid}.`);
    for (const row of this.rows) {
      if (row.assetId === assetId && row.bookedMs < dayMs)
        hearing.report(`User ${row.userId} was left out at midnight.`);
    }
    if (midnight.left.toString() !== returned)
      hearing.report(`${midnight.left} units were left, and ${returned} returned.`);
    this.moveAside(assetId, -BigInt(returned), hearing);
  }

  private moveAside(assetId: number, units: bigint, { explain }: Hearing): void {
    explain(cellName(CELL.interest, VENUE, 0, assetId), -units);
    explain(cellName(SAVINGS_CELL.interest_due, VENUE, 0, assetId), units);
  }

  private follow(userId: number, assetId: number): Followed {
    const key = `${userId} ${assetId}`;
    const known = this.rowOf.get(key);
    if (known !== undefined) return known;
    const made: Followed = { userId, assetId, balance: 0n, owed: 0n, bookedMs: -1 };
    this.rows.push(made);
    this.rowOf.set(key, made);
    return made;
  }

  private ccyOf(assetId: number): string {
    return this.state.assets[assetId]?.ccy as string;
  }
}
