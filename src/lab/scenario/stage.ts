import { EventAudit } from "../../engine/audit/event-audit.ts";
import type { Command } from "../../engine/command.ts";
import { Engine, refusalIn } from "../../engine/engine.ts";
import { decodeEvents, type EngineEvent } from "../../engine/event.ts";
import { checkInvariants } from "../../engine/invariants.ts";
import { CELL } from "../../engine/ledger/cell.ts";
import { parseSignedDecimal } from "../../engine/money/decimal.ts";
import type { State } from "../../engine/state.ts";
import { ScenarioFault } from "./scenario.ts";

/**
 * An engine that a scenario plays on, looked at after every command: its invariants, its events against its state, and
 * that all cells together hold to the last unit what was paid in.
 */
export class Stage {
  readonly #engine = new Engine();
  readonly #audit: EventAudit;
  /** Units paid in so far, by asset. */
  readonly #paidIn: bigint[] = [];
  readonly #onEvents: (events: readonly EngineEvent[]) => void;
  /** Commands so far, each with all that is checked after it. */
  commands = 0;
  timeMs: number;

  constructor(startMs: number, onEvents: (events: readonly EngineEvent[]) => void) {
    this.timeMs = startMs;
    this.#onEvents = onEvents;
    this.#audit = new EventAudit(this.#engine.state, true);
  }

  get state(): State {
    return this.#engine.state;
  }

  /** Applies a command that must be accepted; throws when it is not, or when something does not hold after it. */
  play(command: Command): unknown {
    const { events } = this.#engine;
    const { state } = this;
    events.clear();
    const outcome = this.#engine.execute(command, { seq: state.seq + 1, timeMs: this.timeMs });
    const { from, to, result, detail } = outcome;
    const refusal = refusalIn(outcome);
    if (refusal !== undefined) {
      throw new ScenarioFault(`Refused with ${refusal}${detail === undefined ? "." : `: ${detail}`}`);
    }
    this.commands++;
    if (command.kind === "deposit") this.#countIn(command.ccy, command.amount);
    const happened = [...decodeEvents(events, from, to)];
    const breaches = [...this.#audit.check(events, from, to), ...this.#audit.compare(), ...checkInvariants(state)];
    this.#onEvents(happened);
    const lost = this.#unbalanced();
    const fault = [...breaches, ...lost][0];
    if (fault !== undefined) throw new Error(`After ${told(command)} something does not hold: ${fault}`);
    return result;
  }

  /** The units that all cells but the outside world hold of each asset, beside those that were paid in. */
  balance(): { readonly ccy: string; readonly scale: number; readonly paidIn: bigint; readonly held: bigint }[] {
    const { ledger, assets } = this.state;
    const held = assets.map(() => 0n);
    for (let cell = 0; cell < ledger.count; cell++) {
      if ((ledger.marks(cell) & 255) === CELL.outside) continue;
      const asset = ledger.assetId(cell);
      held[asset] = (held[asset] as bigint) + ledger.available(cell) + ledger.frozen(cell);
    }
    return assets.map(({ id, ccy, scale }) => ({
      ccy,
      scale,
      paidIn: this.#paidIn[id] ?? 0n,
      held: held[id] as bigint,
    }));
  }

  #unbalanced(): string[] {
    const odd = this.balance().filter(({ paidIn, held }) => paidIn !== held);
    return odd.map(({ ccy, paidIn, held }) => `${paidIn} units of ${ccy} were paid in and ${held} are there.`);
  }

  #countIn(ccy: string, amount: string): void {
    const asset = this.state.assetByCcy.get(ccy);
    if (asset === undefined) return;
    this.#paidIn[asset.id] = (this.#paidIn[asset.id] ?? 0n) + (parseSignedDecimal(amount, asset.scale) ?? 0n);
  }
}

/** A command for people: JSON knows no whole numbers of 64 bits. */
function told(command: Command): string {
  return JSON.stringify(command, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}
