import type { Cycle } from "../../../engine/futures/funding/cycle.ts";
import { CELL } from "../../../engine/ledger/cell.ts";
import type { Market } from "../../../engine/listing/market.ts";
import type { State } from "../../../engine/state.ts";
import { fundingRateOf } from "../../current/records/funding-rate.ts";
import { tickerOf } from "../../current/records/ticker.ts";
import type { FuturesTicker } from "../../current/types.generated.ts";
import type { MarketPrinter } from "../../reading/market-printer.ts";
import { marketsIn, NamedChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import type { Push } from "../push.ts";

/** The window of a ticker moves by whole seconds, so tickers without a deal are looked at again this often. */
const WINDOW_MOVES_MS = 1_000;

/** A market's state as it is told, under its name. */
export interface NamedState {
  readonly name: string;
  readonly state: string;
}

/** Tickers. All that changed of the markets that somebody follows share a push. */
export class StateChannel extends NamedChannel {
  readonly #touched = new Set<number>();
  /** The state of each market as all its followers were told of it last, by market id. */
  readonly #told: (string | undefined)[] = [];
  /**
   * The figures that the state was last printed from, by market id. Most markets have not changed, and printing one
   * costs some 100 times a comparison.
   */
  readonly #printed: (readonly unknown[] | undefined)[] = [];
  /** Markets of which a new follower was told something else than the others: all are told at the next beat. */
  readonly #toldApart = new Set<number>();
  #windowMovesAt = 0;

  applied(touched: readonly number[]): void {
    if (this.subscribers.isEmpty) return;
    for (const marketId of touched) this.#touched.add(marketId);
  }

  beat(nowMs: number): void {
    const changed: Market[] = [];
    const windowMoves = nowMs >= this.#windowMovesAt;
    if (windowMoves) this.#windowMovesAt = nowMs + WINDOW_MOVES_MS;
    for (const market of this.subscribers.isEmpty ? [] : this.context.markets()) {
      if (!this.subscribers.isHeard(market.name)) this.#forget(market);
      // A mark or a funding rate changes without a deal.
      else if (windowMoves || market.futures !== undefined || this.#touched.has(market.id)) {
        if (this.#look(market)) changed.push(market);
      }
    }
    if (this.subscribers.isEmpty) {
      this.#told.length = 0;
      this.#printed.length = 0;
    }
    this.#toldApart.clear();
    this.#touched.clear();
    if (changed.length > 0) this.#tell(changed);
  }

  #forget({ id }: Market): void {
    this.#told[id] = undefined;
    this.#printed[id] = undefined;
  }

  /** Looks at a market again; whether its followers have to be told. */
  #look(market: Market): boolean {
    const told = this.#told[market.id];
    const isToldApart = this.#toldApart.has(market.id);
    const figures = this.figuresOf(market);
    if (told !== undefined && !isToldApart && isSame(this.#printed[market.id], figures)) return false;
    this.#printed[market.id] = figures;
    const state = this.print(market);
    if (state === told && !isToldApart) return false;
    this.#told[market.id] = state;
    return true;
  }

  /** Tells each follower of those of the markets that it follows; who is told of the same markets shares a push. */
  #tell(changed: readonly Market[]): void {
    const pushOf = (markets: readonly Market[]) =>
      this.#update(markets.map(({ name, id }) => ({ name, state: this.#told[id] as string })));
    const ofAll = pushOf(changed);
    this.subscribers.eachOfEverything((client) => client.send(ofAll));
    const followed = new Map<Client, Market[]>();
    for (const market of changed) {
      this.subscribers.eachOfSome(market.name, (client) => {
        const markets = followed.get(client);
        if (markets === undefined) followed.set(client, [market]);
        else markets.push(market);
      });
    }
    const pushes = new Map<string, Push>();
    for (const [client, markets] of followed) {
      const key = markets.map(({ id }) => id).join();
      const push = pushes.get(key) ?? pushOf(markets);
      pushes.set(key, push);
      client.send(push);
    }
  }

  protected override sendInitial(client: Client, names: readonly string[]): void {
    const states: NamedState[] = [];
    for (const market of marketsIn(this.context, names)) {
      const state = this.print(market);
      const told = this.#told[market.id];
      if (told === undefined) this.#told[market.id] = state;
      else if (told !== state) this.#tellApart(market.id);
      states.push({ name: market.name, state });
    }
    if (states.length > 0) client.send(this.#update(states));
  }

  #tellApart(marketId: number): void {
    this.#toldApart.add(marketId);
    this.#touched.add(marketId);
  }

  #update(states: readonly NamedState[]): Push {
    return this.update(this.joined(states));
  }

  /** All that may change about what is printed of a market; while each figure is the same, so is the text. */
  protected figuresOf({ id, index, futures }: Market): readonly unknown[] {
    const { state, feeds, now } = this.context.backend;
    const ticker = feeds.ticker(id, now());
    if (futures === undefined) return [ticker];
    const { latestRateE8, nextRateE8, collectsAt, watch } = state.futures.cycles[id] as Cycle;
    const { live } = state.futures;
    const fund = state.ledger.heldByVenue(CELL.insurance_futures, futures.settleAssetId);
    const rates = [latestRateE8, nextRateE8, collectsAt, watch.intervalH];
    return [ticker, index.price, live.mark(id), live.openInterest(id), fund, ...rates];
  }

  protected print(market: Market): string {
    const { backend, printers } = this.context;
    const printer = printers.of(market.id);
    const ticker = tickerOf(backend, printer, backend.now());
    return JSON.stringify("mark_price" in ticker ? futuresStateOf(backend.state, printer, ticker) : ticker);
  }

  /** Returns the data of a push about several markets. */
  protected joined(states: readonly NamedState[]): string {
    return `{"state_list":[${states.map(({ state }) => state).join()}]}`;
  }
}

/** Whether two lists of figures say the same; where there was none, they do not. */
export function isSame(before: readonly unknown[] | undefined, now: readonly unknown[]): boolean {
  return before?.every((figure, at) => figure === now[at]) === true;
}

/** A FuturesState: the ticker and more, in the words of the sockets. */
function futuresStateOf(state: State, printer: MarketPrinter, ticker: FuturesTicker) {
  const { index_price, mark_price, open_interest_volume, ...prices } = ticker;
  const { latest_funding_rate, next_funding_rate, latest_funding_time, next_funding_time } = fundingRateOf(
    state,
    printer,
  );
  return {
    ...prices,
    open_interest_size: open_interest_volume,
    insurance_fund_size: printer.value(state.ledger.heldByVenue(CELL.insurance_futures, printer.settle.id)),
    mark_price,
    index_price,
    latest_funding_rate,
    next_funding_rate,
    latest_funding_time,
    next_funding_time,
  };
}
