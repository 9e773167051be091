import type { RareEvent } from "../../../engine/event.ts";
import type { MaintenancePlan } from "../../../engine/maintenance/command-schemas.ts";
import { windowsAt } from "../../reading/maintenance.ts";
import { type ChannelContext, NamedChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import type { SocketChannel } from "../contract.ts";

/** The number under which notices of maintenance are followed. */
export const MAINTENANCE = 101;

/**
 * Maintenance: when it is planned, begins, ends or is taken back, its protection period included. One that is taken
 * back is told as over: it ends now, and one that had not begun begins now as well.
 */
export abstract class MaintenanceChannel extends NamedChannel {
  /** Windows that are planned or running, by id: of one that is taken back, only its id is told. */
  readonly #windows = new Map<number, MaintenancePlan>();
  /**
   * Windows with an event that followers are still to be told of, by id. The end of a window and the beginning of its
   * protection are told once.
   */
  readonly #news = new Map<number, MaintenancePlan>();

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract, context);
    for (const window of context.backend.state.maintenance) this.#windows.set(window.maintenanceId, window);
  }

  happened(event: RareEvent, timeMs: number): void {
    if (!("maintenanceId" in event)) return;
    if (event.type === "maintenance_planned") this.#windows.set(event.maintenanceId, event);
    const window = this.#windows.get(event.maintenanceId);
    if (window === undefined) return;
    if (event.type === "maintenance_cancelled") {
      this.#windows.delete(event.maintenanceId);
      this.#news.set(event.maintenanceId, endedAt(window, timeMs));
      return;
    }
    if (window.endedAt <= timeMs && window.protectDurationEnd <= timeMs) this.#windows.delete(event.maintenanceId);
    this.#news.set(event.maintenanceId, window);
  }

  applied(): void {
    if (this.#news.size === 0) return;
    for (const window of this.#news.values()) {
      const push = this.update(this.print(window));
      this.subscribers.each(String(MAINTENANCE), (client) => client.send(push));
    }
    this.#news.clear();
  }

  protected override sendInitial(client: Client, _names: readonly string[]): void {
    const { state } = this.context.backend;
    for (const window of windowsAt(state, this.context.backend.now())) client.send(this.update(this.print(window)));
  }

  protected abstract print(window: MaintenancePlan): string;
}

function endedAt(window: MaintenancePlan, timeMs: number): MaintenancePlan {
  const cut = (time: number) => Math.min(time, timeMs);
  return {
    ...window,
    startedAt: cut(window.startedAt),
    endedAt: cut(window.endedAt),
    protectDurationStart: cut(window.protectDurationStart),
    protectDurationEnd: cut(window.protectDurationEnd),
  };
}
