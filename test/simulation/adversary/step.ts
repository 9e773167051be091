/**
 * One thing that happens in a play. What it names is found when its turn comes, so that steps before it can be left
 * out.
 */
import type { Command, PositionSide, Side } from "../../../src/engine/command.ts";
import type { MarketKey, Underlying } from "./terms.ts";

export type Prices = Readonly<Record<Underlying, number>>;

/**
 * A price, so many parts per million away from something that everybody can see; `fair` is what the sources say or
 * would say.
 */
export interface Price {
  readonly of: "fair" | "index" | "mark" | "last" | "bid" | "ask";
  readonly ppm: number;
}

/**
 * Lots: so many; or so many percent of what the user's money can carry there, of its position, of what the venue has
 * taken over, or of the opposite side of the book.
 */
export type Lots =
  | { readonly is: number }
  | { readonly of: "power" | "position" | "inventory" | "depth"; readonly percent: number };

interface Where {
  /** Name of the user. */
  readonly user: string;
  readonly market: MarketKey;
}

export interface OrderAction extends Where {
  readonly side: Side;
  readonly type: "limit" | "market" | "ioc" | "maker_only" | "fok";
  readonly price?: Price;
  readonly lots: Lots;
  readonly hidden?: boolean;
  /** Of the margin account of the market. */
  readonly margin?: boolean;
  /** Self-trade protection. */
  readonly stp?: "ct" | "cm" | "both";
  /** In hedge mode. */
  readonly for?: PositionSide;
}

/** One order of several that are placed together. */
export interface LegAction extends Omit<OrderAction, "user" | "market"> {
  readonly trigger?: Price;
  /** Parts per million of the best price. */
  readonly trailPpm?: number;
  readonly by?: "latest_price" | "mark_price" | "index_price";
  readonly reduces?: boolean;
  /** The book shows one of so many parts at a time. */
  readonly parts?: number;
}

export type Action =
  | ({ readonly do: "order" } & OrderAction)
  | ({
      readonly do: "stop";
      readonly trigger: Price;
      readonly by?: "latest_price" | "mark_price" | "index_price";
    } & OrderAction)
  | ({ readonly do: "close"; readonly price?: Price; readonly percent: number } & Where)
  | ({
      readonly do: "exit";
      readonly exit: "take_profit" | "stop_loss";
      readonly trigger: Price;
      readonly by: "latest_price" | "mark_price";
    } & Where)
  | ({ readonly do: "cancel"; readonly margin?: boolean } & Where)
  /** Orders placed by one command: a trail, an iceberg, a pair or a bracket. */
  | ({ readonly do: "together"; readonly shape: string; readonly legs: readonly LegAction[] } & Where)
  /** So many pairs, the first so far from a price on each side and each next one as far from it; 0 withdraws them. */
  | ({ readonly do: "quotes"; readonly pairs: number; readonly around: Price; readonly awayPpm: number } & Where &
      Pick<OrderAction, "lots">)
  /** Pulls quotes at so many fills, or at lots of both sides; without a window it ends. */
  | ({ readonly do: "protect"; readonly windowMs: number; readonly fills?: number; readonly lots?: number } & Where)
  | ({ readonly do: "reset" } & Where)
  /** Into the margin account of the market, so many percent of what its worth allows. */
  | ({ readonly do: "borrow"; readonly isQuote: boolean; readonly percent: number } & Where)
  /** Of the user's newest order there: another price, or so many percent of what is left of it. */
  | ({ readonly do: "modify"; readonly price?: Price; readonly percent?: number } & Where)
  | {
      readonly do: "transfer";
      readonly user: string;
      readonly ccy: string;
      readonly out: boolean;
      readonly percent: number;
    }
  /** Of what the position's margin is, to or from it. */
  | ({ readonly do: "margin"; readonly percent: number } & Where)
  | ({ readonly do: "leverage"; readonly mode: "cross" | "isolated"; readonly leverage: number } & Where)
  /** The fair prices from here on, as so many parts per million of those at the start, and whose sources say so. */
  | { readonly do: "prices"; readonly ppm: Prices; readonly silent?: readonly Underlying[] }
  | { readonly do: "restart" }
  /** As it stands; `endsMs` and the like count from the moment. */
  | { readonly do: "command"; readonly command: Command };

export interface PlayStep {
  readonly waitMs: number;
  /** The strategy, or who else: venue, feed, honest. */
  readonly by: string;
  readonly action: Action;
}

/** An action at a moment, from the start of the play. */
export interface Timed {
  readonly atMs: number;
  readonly action: Action;
}
