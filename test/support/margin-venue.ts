import type { Command } from "../../src/engine/command.ts";
import type { RareEvent } from "../../src/engine/event.ts";
import { CELL } from "../../src/engine/ledger/cell.ts";
import { formatDecimal } from "../../src/engine/money/decimal.ts";
import type { Refusal } from "../../src/engine/refusal.ts";
import { type Done, Venue } from "./venue.ts";

const HOUR_MS = 3_600_000;
const FEED_MS = 50_000;

/** A venue whose BTCUSDT is a margin market of 5x, at an index of 30000 that does not grow stale unless it is let. */
export class MarginVenue extends Venue {
  private index = "30000";

  override spotIndex(price: string, market = "BTCUSDT"): Done {
    this.index = price;
    return super.spotIndex(price, market);
  }

  transfer(userId: number, ccy: string, amount: string): void {
    this.accept({ kind: "transfer_margin", userId, market: "BTCUSDT", ccy, amount, isIn: true });
  }

  borrow(userId: number, ccy: string, amount: string, isAutoRenew = false): number {
    const done = this.accept({ kind: "borrow", userId, market: "BTCUSDT", ccy, amount, isAutoRenew });
    return (done.result as { borrowId: number }).borrowId;
  }

  repay(userId: number, ccy: string, amount: string): void {
    this.accept({ kind: "repay", userId, market: "BTCUSDT", ccy, amount });
  }

  /**
   * Makes a user who brings USDT, borrows more of it, and buys with both what another one sells, as in "0.2 @
   * 30000.00".
   */
  addBuyer(name: string, own: string, borrowed: string, deal: string, seller: number): number {
    const userId = this.addUser(name, { USDT: own });
    this.transfer(userId, "USDT", own);
    this.borrow(userId, "USDT", borrowed);
    this.put(seller, `sell ${deal}`);
    this.put(userId, `buy ${deal} margin`);
    return userId;
  }

  /** What the venue says to a command in BTCUSDT; undefined: accepted. */
  ask(command: object): Refusal | undefined {
    return this.execute({ market: "BTCUSDT", ...command } as Command).refusal;
  }

  /** Lets hours pass, with the index spoken of all the time. */
  hours(count: number): Done[] {
    const done: Done[] = [];
    for (const until = this.timeMs + count * HOUR_MS; this.timeMs < until; ) {
      this.timeMs = Math.min(until, this.timeMs + FEED_MS);
      done.push(this.spotIndex(this.index));
    }
    return done;
  }

  /** Lets the index grow stale. */
  silence(): Done {
    return this.wait(61_000);
  }

  /** Brings a stale index back. */
  speak(price: string): void {
    this.spotIndex(price);
    this.timeMs += 5_000;
    this.spotIndex(price);
  }

  /** What a margin account owes of a currency: principal + interest. */
  owed(userId: number, ccy: string): string {
    const { accounts } = this.state.margin;
    const row = accounts.find(userId, 0);
    const { id, scale } = this.assetNamed(ccy);
    const isQuote = id === this.marketNamed("BTCUSDT").quoteAssetId;
    return (
      `${formatDecimal(accounts.principal(row, isQuote), scale)} + ` +
      `${formatDecimal(accounts.interest(row, isQuote), scale)}`
    );
  }

  /** What a margin account has of a currency; with what is frozen, if anything is. */
  held(userId: number, ccy: string): string {
    const { accounts } = this.state.margin;
    const row = accounts.find(userId, 0);
    const { id, scale } = this.assetNamed(ccy);
    const cell = accounts.cell(row, id === this.marketNamed("BTCUSDT").quoteAssetId);
    const frozen = this.state.ledger.frozen(cell);
    const available = formatDecimal(this.state.ledger.available(cell), scale);
    return frozen === 0n ? available : `${available} and ${formatDecimal(frozen, scale)}`;
  }

  /** What the margin insurance fund has. */
  fund(ccy: string): string {
    const { id, scale } = this.assetNamed(ccy);
    return formatDecimal(this.state.ledger.heldByVenue(CELL.insurance_margin, id), scale);
  }

  rareEvents<Type extends RareEvent["type"]>(done: Done, type: Type): Extract<RareEvent, { type: Type }>[] {
    return done.events.flatMap((event) =>
      event.kind === "json" && event.event.type === type ? [event.event as Extract<RareEvent, { type: Type }>] : [],
    );
  }
}

/** `rulesVersion`: the rules that hold, by default the newest. */
export function marginVenue(rulesVersion?: number): MarginVenue {
  const venue = new MarginVenue(undefined, rulesVersion);
  venue.listAsset("BTC");
  venue.listAsset("USDT");
  venue.listMarket("BTC", "USDT", { indexSources: [{ exchange: "one", weight: "1" }] });
  venue.spotIndex("30000");
  for (const [ccy, amount] of [
    ["USDT", "200000"],
    ["BTC", "5"],
  ] as const) {
    venue.accept({ kind: "deposit", cell: "sys:lend_pool", ccy, amount, note: "" });
  }
  venue.accept({
    kind: "set_margin_market",
    market: "BTCUSDT",
    leverage: 5,
    loans: [
      { ccy: "USDT", minAmount: "10", maxAmount: "1000000", dailyInterestRate: "0.0009" },
      { ccy: "BTC", minAmount: "0.001", maxAmount: "10", dailyInterestRate: "0.0005" },
    ],
  });
  return venue;
}

/** Lets a user with 1200 USDT buy 0.1996 BTC on credit, and lose so much with them that a debt is left. */
export function ruin(venue: MarginVenue, userId: number): void {
  const seller = venue.addUser("seller", { BTC: "1" });
  const bob = venue.addUser("bob", { USDT: "100000" });
  venue.transfer(userId, "USDT", "1200");
  venue.borrow(userId, "USDT", "4800");
  venue.put(seller, "sell 0.2 @ 30000.00");
  venue.put(userId, "buy 0.2 @ 30000.00 margin");
  venue.put(bob, "buy 1 @ 20500.00");
  venue.spotIndex("20500");
}
