/**
 * Guards the room in the store of a venue of several nodes: the venue takes only cancels before the store takes nothing
 * any more.
 */
import type { Logger } from "pino";
import type { StoreStatus } from "../cluster/store.ts";
import type { SetCancelOnly } from "../engine/trading/command-schemas.ts";
import type { Action, ActionQuery } from "../gateway/admin/backend.ts";
import { isCancelOnlyBy } from "./cancel-only.ts";

/** Who takes only cancels for want of room; what others do is never lifted. */
const ACTOR = "store";
const LOOK_MS = 10_000;
/**
 * Three quarters of what etcd takes unless it is told otherwise: with its alarm it would take no command that lifts
 * anything either.
 */
export const STORE_BYTES_LOW = 1.5 * 1024 ** 3;
/** The store's bytes in use must fall below this before everything is taken again. */
const STORE_BYTES_AMPLE = 1024 ** 3;

export interface StoreGuardOptions {
  readonly store: { storeStatus(): Promise<StoreStatus> };
  readonly state: { readonly cancelOnly: boolean };
  readonly trail: { list(query: ActionQuery): readonly Action[] };
  /** Whether this node is the one that speaks for the venue. */
  isOnDuty(): boolean;
  submit(command: SetCancelOnly): void;
  readonly log: Pick<Logger, "info" | "error" | "fatal">;
}

export class StoreGuard {
  readonly #options: StoreGuardOptions;
  #timer: NodeJS.Timeout | undefined;
  #standing: StoreStatus | undefined;
  #isShort = false;

  constructor(options: StoreGuardOptions) {
    this.#options = options;
  }

  /** As of the last look. */
  get standing(): StoreStatus | undefined {
    return this.#standing;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async look(): Promise<void> {
    const { store, log, state, trail, isOnDuty, submit } = this.#options;
    const standing = await store.storeStatus();
    this.#standing = standing;
    const usedBytes = Math.max(0, ...standing.servers.map((server) => server.usedBytes));
    const figures = { usedBytes, alarms: standing.alarms };
    const isShort = usedBytes > STORE_BYTES_LOW || standing.alarms.length > 0;
    if (isShort && !this.#isShort) {
      if (standing.alarms.length > 0)
        log.fatal(figures, "etcd has raised an alarm: it takes nothing until an operator disarms it");
      else log.error(figures, "etcd is short of room: the venue takes only cancels");
    } else if (!isShort && this.#isShort) log.info(figures, "etcd has room again");
    this.#isShort = isShort;
    if (!isOnDuty()) return;
    if (isShort && !state.cancelOnly) {
      const reason =
        `etcd holds ${Math.round(usedBytes / 1024 ** 2)} ` +
        `MiB${standing.alarms.map((alarm) => `, alarm ${alarm}`).join("")}.`;
      submit({ kind: "set_cancel_only", actor: ACTOR, cancelOnly: true, reason });
    }
    if (!isShort && usedBytes < STORE_BYTES_AMPLE && state.cancelOnly && isCancelOnlyBy(trail, ACTOR))
      submit({ kind: "set_cancel_only", actor: ACTOR, cancelOnly: false, reason: "etcd has room again." });
  }
}
