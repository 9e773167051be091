import { checkInvariants } from "../engine/invariants.ts";
import type { State } from "../engine/state.ts";
import type { AdminAudit } from "../gateway/admin/backend.ts";
import { auditOf } from "./audit.ts";
import { AuditThread } from "./audit-thread.ts";
import { copyOfState } from "./state-copy.ts";

export interface InvariantMonitorOptions {
  readonly state: State;
  /** Called at the first breach, once. */
  readonly onBreach: (breaches: readonly string[]) => void;
  /** After each check, with the time for which it held the venue up. */
  readonly onChecked?: ((breaches: readonly string[], heldUpMs: number) => void) | undefined;
  /** A copy could not be checked. */
  readonly onFailed?: ((error: Error) => void) | undefined;
  /** Cells and open orders up to which the living state is looked at, unless given some 50 ms' worth. */
  readonly liveMax?: number;
}

/** Pause between two checks of a small venue. */
const PAUSE_MS = 10_000;
/** A check may hold the venue up for this share of the time at most, */
const SHARE_HELD_UP = 0.01;
/** and keep another thread busy for this one. */
const SHARE_BUSY = 0.05;
const LIVE_MAX = 20_000;

/**
 * Holds the state against the invariants on a beat. A breach is a bug that has already happened: what can still be done
 * is to stop trading on it, loudly.
 *
 * A small state is looked at as it is, at one instant. A large one is copied at one instant and the copy looked at in
 * another thread: see docs/decisions/0020-a-large-state-is-checked-as-a-copy.md.
 */
export class InvariantMonitor {
  readonly #options: InvariantMonitorOptions;
  #timer: NodeJS.Timeout | undefined;
  #hasBreached = false;
  #hasStopped = false;
  #thread: AuditThread | undefined;
  #underWay: Promise<unknown> = Promise.resolve();
  /** The next look at a copy, which has not begun: anyone who asks meanwhile waits for the same one. */
  #next: Promise<AdminAudit> | undefined;

  constructor(options: InvariantMonitorOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(PAUSE_MS);
  }

  stop(): void {
    this.#hasStopped = true;
    clearTimeout(this.#timer);
    this.#thread?.end();
  }

  /** Checks the state as it is now, or a little later, and adds it up. Rejects when a copy cannot be looked at. */
  async audit(): Promise<AdminAudit> {
    if (this.#isLarge) return await this.#auditCopy();
    return auditOf(this.#options.state, this.#checkLive());
  }

  get #isLarge(): boolean {
    const { state, liveMax = LIVE_MAX } = this.#options;
    return state.ledger.count + state.orders.live > liveMax;
  }

  #checkLive(): readonly string[] {
    const startMs = performance.now();
    const breaches = checkInvariants(this.#options.state);
    this.#report(breaches, performance.now() - startMs);
    return breaches;
  }

  #auditCopy(): Promise<AdminAudit> {
    this.#next ??= this.#underWay.then(() => {
      this.#next = undefined;
      const audit = this.#beginCopy();
      this.#underWay = audit.catch(() => undefined);
      return audit;
    });
    return this.#next;
  }

  async #beginCopy(): Promise<AdminAudit> {
    const copy = await copyOfState(this.#options.state);
    if (this.#hasStopped) throw new Error("The venue is stopping.");
    this.#thread = new AuditThread(copy);
    try {
      const audit = await this.#thread.audit;
      this.#report(audit.breaches, copy.heldUpMs);
      return audit;
    } catch (error) {
      if (!this.#hasStopped) this.#options.onFailed?.(error as Error);
      throw error;
    }
  }

  #report(breaches: readonly string[], heldUpMs: number): void {
    this.#options.onChecked?.(breaches, heldUpMs);
    if (breaches.length === 0 || this.#hasBreached) return;
    this.#hasBreached = true;
    this.#options.onBreach(breaches);
  }

  #schedule(pauseMs: number): void {
    if (this.#hasStopped) return;
    this.#timer = setTimeout(() => void this.#beat(), pauseMs);
    this.#timer.unref();
  }

  async #beat(): Promise<void> {
    const startMs = performance.now();
    if (this.#isLarge) {
      await this.#auditCopy().catch(() => undefined);
      this.#schedule(Math.max(PAUSE_MS, (performance.now() - startMs) / SHARE_BUSY));
    } else {
      this.#checkLive();
      this.#schedule(Math.max(PAUSE_MS, (performance.now() - startMs) / SHARE_HELD_UP));
    }
  }
}
