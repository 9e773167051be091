import type { EngineEvent, RareEvent } from "../../engine/event.ts";
import { shownPrice } from "../../engine/futures/positions/figures.ts";
import { LIQUIDATOR } from "../../engine/futures/positions/futures-account.ts";
import type { PositionEvent } from "../../engine/futures/positions/position-event.ts";
import { CELL } from "../../engine/ledger/cell.ts";
import type { PostingKind } from "../../engine/ledger/posting.ts";
import type { Asset } from "../../engine/listing/asset.ts";
import type { Market } from "../../engine/listing/market.ts";
import { formatDecimal } from "../../engine/money/decimal.ts";
import type { State } from "../../engine/state.ts";

/** Something that happened to somebody, for people. */
export interface Entry {
  readonly timeMs: number;
  readonly who: string;
  readonly market: string;
  /** Such as "opens long 0.5 at 30000.00", "taken over", "pays funding". */
  readonly what: string;
  /** Money that came or went by it, with its currency; empty when none did. */
  readonly money: string;
}

/** Who or what the venue itself is in a transcript. */
const HOUSE = "the venue";
export const FUND = "insurance fund";

/** Why a position was closed that its user did not close. */
const ENDED = { liq: "taken over", adl: "deleveraged", sys: "by the venue" } as const;
/** Words for the postings of the insurance fund, by kind. */
const FUND_WORDS: Partial<Record<PostingKind, string>> = {
  pnl: "bears the result",
  insurance: "covers a loss",
  funding: "takes part in funding",
};

/** Tells the events on a stage, in the order in which they happen. */
export class Transcript {
  readonly entries: Entry[] = [];
  readonly #names: readonly string[];
  readonly #state: () => State;
  #timeMs = 0;

  /** `names` by user id; `state` is what the events have led to. */
  constructor(names: readonly string[], state: () => State) {
    this.#names = names;
    this.#state = state;
  }

  hear(events: readonly EngineEvent[]): void {
    for (const event of events) {
      if (event.kind === "command") this.#timeMs = event.timeMs;
      else if (event.kind === "position") this.#tellPosition(event);
      else if (event.kind === "json") this.#tellRareEvent(event.event);
      else if (event.kind === "posting" && event.cellKind === CELL.insurance_futures && event.available !== 0n) {
        const asset = this.#state().assets[event.assetId] as Asset;
        const what = FUND_WORDS[event.posting];
        if (what !== undefined) this.#tell(FUND, "", what, event.available, asset);
      }
    }
  }

  nameOf(userId: number): string {
    return userId === LIQUIDATOR ? HOUSE : (this.#names[userId] ?? `user ${userId}`);
  }

  #tellPosition(event: PositionEvent): void {
    const market = this.#state().markets[event.marketId] as Market;
    const asset = this.#state().assets[market.futures?.settleAssetId as number] as Asset;
    const who = this.nameOf(event.userId);
    const what = this.#whatOf(event, market);
    // The results of the venue's own positions are the insurance fund's.
    const money = event.userId === LIQUIDATOR ? 0n : event.pnl - event.fee;
    this.#tell(who, market.name, what, money, asset);
  }

  #whatOf(event: PositionEvent, market: Market): string {
    const lots = formatDecimal(event.lots, market.amountPrecision);
    const side = event.isShort ? "short" : "long";
    const at = formatDecimal(
      shownPrice(market.futures as NonNullable<Market["futures"]>, event.lots, event.value),
      market.pricePrecision,
    );
    switch (event.reason) {
      case "increase":
        return `adds ${lots} ${side} at ${at}`;
      case "reduce": {
        const type = event.finishedType;
        const end = type in ENDED && event.userId !== LIQUIDATOR ? `, ${ENDED[type as keyof typeof ENDED]}` : "";
        return `${event.amount === 0n ? "closes" : "reduces by"} ${lots} ${side} at ${at}${end}`;
      }
      case "funding":
        return `${event.pnl < 0n ? "pays" : "receives"} funding, ${side}`;
      case "settle":
        return `is settled, ${side}`;
      default:
        return `${event.reason}, ${side}`;
    }
  }

  #tellRareEvent(event: RareEvent): void {
    const marketName =
      "marketId" in event && event.marketId !== null ? (this.#state().markets[event.marketId] as Market).name : "";
    switch (event.type) {
      case "risk_alert":
        this.#entry(this.nameOf(event.userId), marketName, "is told that liquidation is near", "");
        break;
      case "liquidated": {
        const { pricePrecision } = this.#state().markets[event.marketId] as Market;
        const due = event.liqPrice === "0" ? "" : `, due at ${formatDecimal(BigInt(event.liqPrice), pricePrecision)}`;
        this.#entry(this.nameOf(event.userId), marketName, `is liquidated${due}`, "");
        break;
      }
      case "deleveraged":
        this.#entry(this.nameOf(event.userId), marketName, "is deleveraged", "");
        break;
      case "funding_collected":
        this.#note(marketName, `funding collected at ${percent(event.rateE8)}`);
        break;
      case "funding_interval":
        this.#note(marketName, `funding every ${event.intervalH} hours from now on`);
        break;
      case "index_stale":
        this.#note(marketName, event.isStale ? "index has no source any more" : "index has a source again");
        break;
      case "account_lifted": {
        const asset = this.#state().assetByCcy.get(event.ccy) as Asset;
        this.#entry(this.nameOf(event.userId), "", "is lifted to 0", `${event.amount} ${asset.ccy}`);
        break;
      }
    }
  }

  #note(market: string, what: string): void {
    this.#entry(HOUSE, market, what, "");
  }

  #tell(who: string, market: string, what: string, units: bigint, { ccy, scale }: Asset): void {
    const sign = units > 0n ? "+" : "";
    this.#entry(who, market, what, units === 0n ? "" : `${sign}${formatDecimal(units, scale)} ${ccy}`);
  }

  #entry(who: string, market: string, what: string, money: string): void {
    this.entries.push({ timeMs: this.#timeMs, who, market, what, money });
  }
}

function percent(rateE8: number): string {
  const text = formatDecimal(BigInt(Math.abs(rateE8)), 6);
  return `${rateE8 < 0 ? "-" : ""}${text} %`;
}
