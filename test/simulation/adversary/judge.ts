import type { Command } from "../../../src/engine/command.ts";
import type { EngineEvent, OrderRecord, RareEvent } from "../../../src/engine/event.ts";
import { PLAY_PARTS } from "../parts.ts";
import { Funds } from "./funds.ts";
import type { Court, Law } from "./laws/law.ts";
import type { Stage } from "./stage.ts";
import type { Prices } from "./step.ts";

/**
 * Holds a play to the laws of every part: anyone who plays the rules gains nothing by them, and nobody is let go whose
 * margin suffices. Users say by their names whose they are: "honest maker", "adversary sweep 1".
 */
export class Judge implements Court {
  readonly stage: Stage;
  private readonly strategies = new Map<string, Funds>();
  private readonly owners = new Map<number, Funds | undefined>();
  private readonly orders = new Map<number, OrderRecord>();
  private readonly silent = new Set<number>();
  private readonly laws: readonly Law[];

  constructor(stage: Stage) {
    this.stage = stage;
    this.laws = PLAY_PARTS.flatMap(({ laws }) => laws.map((make) => make(this)));
  }

  get allFunds(): readonly Funds[] {
    return [...this.strategies.values()];
  }

  isHonest(userId: number): boolean {
    return userId > 0 && this.fundsOf(userId) === undefined;
  }

  fundsOf(userId: number): Funds | undefined {
    if (userId <= 0) return undefined;
    if (!this.owners.has(userId)) this.owners.set(userId, this.makeFunds(userId));
    return this.owners.get(userId);
  }

  order(orderId: number): OrderRecord | undefined {
    return this.orders.get(orderId);
  }

  /** The fair prices move: what everybody holds is worth another sum. */
  movePrices(ppm: Prices): void {
    const moved = this.laws.map((law) => law.pricesMove?.());
    this.stage.movePrices(ppm);
    for (const after of moved) after?.();
  }

  look(timeMs: number, command: Command): void {
    for (const law of this.laws) law.look?.(timeMs, command);
  }

  /** What a command did against the laws. */
  judge(events: readonly EngineEvent[]): string[] {
    for (const event of events) if (event.kind === "order") this.orders.set(event.order.orderId, event.order);
    for (const event of events) if (event.kind === "json") this.hear(event.event);
    for (const event of events) for (const law of this.laws) law.see?.(event);
    return this.laws.flatMap((law) => law.judge());
  }

  figures(): Map<string, number> {
    return new Map(this.laws.flatMap((law) => [...(law.figures?.() ?? [])]));
  }

  isSilent(marketId: number): boolean {
    return this.silent.has(marketId);
  }

  private hear(event: RareEvent): void {
    if (event.type !== "index_stale") return;
    if (event.isStale) this.silent.add(event.marketId);
    else this.silent.delete(event.marketId);
  }

  private makeFunds(userId: number): Funds | undefined {
    const [role, name = ""] = (this.stage.state.users.names[userId] ?? "").split(" ");
    if (role !== "adversary") return undefined;
    const funds = this.strategies.get(name) ?? new Funds(this.stage, name, PLAY_PARTS);
    this.strategies.set(name, funds);
    funds.add(userId);
    return funds;
  }
}
