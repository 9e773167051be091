/**
 * Guards the room on a venue's disk: the venue takes only cancels, or nothing, and takes everything again when there is
 * room.
 */
import type { Logger } from "pino";
import type { SetCancelOnly } from "../engine/trading/command-schemas.ts";
import type { Action, ActionQuery } from "../gateway/admin/backend.ts";
import { isCancelOnlyBy } from "./cancel-only.ts";
import { type DiskBounds, type DiskLevel, DiskWatch, MIB } from "./disk-watch.ts";

/** Who takes only cancels for want of room; what others do is never lifted. */
const ACTOR = "disk";

export interface DiskGuardOptions {
  readonly folder: string;
  readonly bounds: DiskBounds;
  readonly state: { readonly cancelOnly: boolean };
  readonly trail: { list(query: ActionQuery): readonly Action[] };
  /** Whether this node is the one that speaks for the venue. */
  isOnDuty(): boolean;
  submit(command: SetCancelOnly): void;
  /** Called after every look that finds room: what could not be written is caught up. */
  onRoom(): void;
  readonly log: Pick<Logger, "info" | "error" | "fatal">;
}

export class DiskGuard {
  readonly #options: DiskGuardOptions;
  readonly #watch: DiskWatch;
  #isLifting = false;

  constructor(options: DiskGuardOptions) {
    this.#options = options;
    const { folder, bounds } = options;
    this.#watch = new DiskWatch({ folder, bounds, onLook: (level, before) => this.#act(level, before) });
  }

  get level(): DiskLevel {
    return this.#watch.level;
  }

  get free(): number {
    return this.#watch.free;
  }

  start(): void {
    this.#watch.start();
  }

  stop(): void {
    this.#watch.stop();
  }

  #act(level: DiskLevel, before: DiskLevel): void {
    const { log, bounds, state, isOnDuty, submit } = this.#options;
    if (level !== before) {
      const figures = { freeMib: Math.floor(this.free / MIB), lowMib: bounds.low / MIB, minMib: bounds.min / MIB };
      if (level === "ample") log.info(figures, "the disk has room again");
      else if (level === "low") log.error(figures, "the disk is short of room: the venue takes only cancels");
      else log.fatal(figures, "the disk is nearly full: the venue takes nothing until there is room");
    }
    if (level !== "full") this.#catchUp();
    if (!isOnDuty()) return;
    if (level !== "ample" && level !== before && !state.cancelOnly) {
      const reason = `The disk has ${Math.floor(this.free / MIB)} MiB free.`;
      submit({ kind: "set_cancel_only", actor: ACTOR, cancelOnly: true, reason });
    }
    if (level === "ample" && state.cancelOnly && !this.#isLifting && isCancelOnlyBy(this.#options.trail, ACTOR)) {
      this.#isLifting = true;
      submit({ kind: "set_cancel_only", actor: ACTOR, cancelOnly: false, reason: "The disk has room again." });
    }
    if (!state.cancelOnly) this.#isLifting = false;
  }

  #catchUp(): void {
    try {
      this.#options.onRoom();
    } catch {
      // The next look tries again.
    }
  }
}
