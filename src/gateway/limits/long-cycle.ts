/**
 * The long cycle: how many requests a main account and its sub-accounts made in windows of whole hours, and how good
 * their orders were in them. Who makes too many of them with poor orders is slowed down. Source: domain 9.
 *
 * Every period divides a day, so all windows end at midnight UTC, and with them everything that was counted: memory
 * follows the accounts that were active on one day.
 */
import { LONG_PERIODS, type LongFigures, type LongPeriod } from "./figures.ts";
import { SpreadIndex } from "./spread-index.ts";
import { COUNT, WindowRows } from "./window-rows.ts";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

interface Period {
  /** Which of a row's windows it is. */
  readonly window: number;
  readonly hours: number;
  readonly limit: number;
  /** The header up to its value, and the whole line for anyone who has made no request. */
  readonly header: string;
  readonly untouched: string;
}

/** Requests in each window, shortest first; -1 where there is no limit. */
export function limitsByWindow({ limits }: LongFigures): number[] {
  return Object.keys(LONG_PERIODS).map((name) => limits.get(name as LongPeriod) ?? -1);
}

export class LongCycle {
  readonly #periods: readonly Period[];
  readonly #figures: LongFigures;
  #rows = new WindowRows();
  #index = new SpreadIndex(this.#rows);
  /** Whole hours since 1970; never falls. */
  #hour = 0;

  constructor(figures: LongFigures) {
    this.#figures = figures;
    this.#periods = Object.entries(LONG_PERIODS).flatMap(([name, hours], window) => {
      const limit = figures.limits.get(name as LongPeriod);
      if (limit === undefined) return [];
      const header = `X-RateLimit-LongPeriod-${name}-Remaining: `;
      return [{ window, hours, limit, header, untouched: `${header}${limit}\r\n` }];
    });
  }

  /** Main accounts of which something was counted today. */
  get count(): number {
    return this.#rows.count;
  }

  get byteLength(): number {
    return this.#rows.byteLength + this.#index.byteLength;
  }

  /** As Buckets.save. */
  save(): () => void {
    const [rows, hour] = [this.#rows.copy(), this.#hour];
    return () => {
      this.#rows = rows.copy();
      this.#index = new SpreadIndex(this.#rows);
      for (let row = 0; row < rows.count; row++) this.#index.insert(rows.keyOf(row), row);
      this.#hour = hour;
    };
  }

  /** A request of `cost` passed. */
  request(mainUserId: number, cost: number, nowMs: number): void {
    const row = this.#current(mainUserId, nowMs);
    this.#rows.add(row, COUNT.used, cost);
  }

  /** An order was accepted. */
  placed(mainUserId: number, nowMs: number): void {
    const row = this.#current(mainUserId, nowMs);
    this.#rows.add(row, COUNT.placed, 1);
  }

  /** Counts an order whose executed amount has reached the market's smallest amount. */
  effective(mainUserId: number, nowMs: number): void {
    const row = this.#current(mainUserId, nowMs);
    this.#rows.add(row, COUNT.effective, 1);
  }

  /** An order ended, `lifeMs` after it was accepted. */
  ended(mainUserId: number, lifeMs: number, nowMs: number): void {
    const row = this.#current(mainUserId, nowMs);
    this.#rows.addLife(row, lifeMs);
  }

  /**
   * Whether an account has used more than any window allows, with orders that were both hardly effective and
   * short-lived.
   */
  isLimited(mainUserId: number, nowMs: number): boolean {
    const row = this.#known(mainUserId, nowMs);
    if (row < 0) return false;
    for (const { window, limit } of this.#periods) {
      if (this.#rows.get(row, window, COUNT.used) > limit && this.#isPoor(row, window)) return true;
    }
    return false;
  }

  /** The windows with a limit in which orders are poor, a bit each, whatever was used in them. */
  poorWindows(mainUserId: number, nowMs: number): number {
    const row = this.#known(mainUserId, nowMs);
    if (row < 0) return 0;
    return this.#periods.reduce((bits, { window }) => (this.#isPoor(row, window) ? bits | (1 << window) : bits), 0);
  }

  /** Takes over what a main account has used in each window, on whatever node. */
  learnUsed(mainUserId: number, used: readonly number[], nowMs: number): void {
    if (this.#known(mainUserId, nowMs) < 0 && used.every((requests) => requests === 0)) return;
    const row = this.#current(mainUserId, nowMs);
    used.forEach((requests, window) => {
      this.#rows.set(row, window, COUNT.used, requests);
    });
  }

  /** Whether something is limited at all. */
  get isUsed(): boolean {
    return this.#periods.length > 0;
  }

  /** Header lines that tell what is left in the window of each period, never below 0. */
  headerLines(mainUserId: number, nowMs: number): string {
    const row = this.#known(mainUserId, nowMs);
    let lines = "";
    for (const { window, limit, header, untouched } of this.#periods) {
      const used = row < 0 ? 0 : this.#rows.get(row, window, COUNT.used);
      lines += used === 0 ? untouched : `${header}${Math.max(0, limit - used)}\r\n`;
    }
    return lines;
  }

  /** Without orders there is nothing to find fault with. */
  #isPoor(row: number, window: number): boolean {
    const rows = this.#rows;
    const { effectiveMinE4, lifespanMinMs } = this.#figures;
    return (
      rows.get(row, window, COUNT.effective) * 10_000 < rows.get(row, window, COUNT.placed) * effectiveMinE4 &&
      rows.life(row, window) < rows.get(row, window, COUNT.ended) * lifespanMinMs
    );
  }

  /**
   * The row of an account with its windows as they are now, made if need be. At the turn of a day `#rows` are others.
   */
  #current(mainUserId: number, nowMs: number): number {
    const known = this.#known(mainUserId, nowMs);
    if (known >= 0) return known;
    const row = this.#rows.open(mainUserId, this.#hour);
    this.#index.insert(mainUserId, row);
    return row;
  }

  /** As `#current`, but -1 when nothing was counted. */
  #known(mainUserId: number, nowMs: number): number {
    this.#turn(nowMs);
    const row = this.#index.find(mainUserId);
    if (row < 0) return row;
    const hour = this.#rows.hour(row);
    if (hour === this.#hour) return row;
    for (const { window, hours } of this.#periods) {
      if (Math.floor(hour / hours) !== Math.floor(this.#hour / hours)) this.#rows.clear(row, window);
    }
    this.#rows.setHour(row, this.#hour);
    return row;
  }

  #turn(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour <= this.#hour) return;
    if (Math.floor(hour / DAY_HOURS) !== Math.floor(this.#hour / DAY_HOURS)) {
      this.#rows = new WindowRows();
      this.#index = new SpreadIndex(this.#rows);
    }
    this.#hour = hour;
  }
}
