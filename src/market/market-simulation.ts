import type { Market } from "../engine/listing/market.ts";
import { parseDecimal, pow10 } from "../engine/money/decimal.ts";
import { Beat } from "./beat.ts";
import { DEV_MARKETS, type SimulatedMarket } from "./dev-markets.ts";
import { Deviation, strayed } from "./deviation.ts";
import { IndexSources } from "./index-sources.ts";
import { Maker } from "./maker.ts";
import { MarketMaking } from "./market-making.ts";
import { PriceWalk, QUANTUM_MS } from "./price-walk.ts";
import { Random } from "./random.ts";
import { Takers } from "./taker.ts";
import { type Every, everyRealMs, isTrading, type Venue } from "./venue.ts";

/** Real time between two steps. */
const STEP_EVERY_MS = 200;
/** Time that one step lives through at most: after a jump of the clock the market goes on, it does not catch up. */
const STEP_SPAN_MAX_MS = 5_000;
/** Venue time between two looks of makers and index sources. */
const REFRESH_EVERY_MS = 1_000;
/** The book of a futures market strays from what it is worth for hours. */
const BASIS_PACE = { memory: 999_900n, fresh: 14_142n };
/** Takers that may come to one market in one step. */
const ARRIVALS_MAX = 3;

export interface SimulationOptions {
  /** The same seed, the same state at the start and the same steps give the same commands. */
  readonly seed: number;
  /** Hears of a mistake in the simulation itself, which then stands still; the venue goes on. */
  readonly onFault: (error: unknown) => void;
  readonly markets?: readonly SimulatedMarket[] | undefined;
  readonly every?: Every | undefined;
}

/** Everything that moves one market, from its first sight in the venue on. */
interface Life {
  readonly character: SimulatedMarket;
  readonly shocks: Random;
  readonly sources: IndexSources;
  readonly making: MarketMaking;
  readonly takers: Takers;
  readonly beat: Beat;
  /** How far its book is off what it is worth. */
  readonly basis: Deviation;
  /** The life of the market that it is worth as much as. */
  readonly leader: Life | undefined;
  /** The market that it moves, once that is listed, and what it is worth. */
  market: Market | undefined;
  walk: PriceWalk | undefined;
}

/**
 * What makes the markets of a venue move: index sources, market makers and takers around a hidden price for each. It is a
 * client like others: all it does goes through `submit` and stands in the log; markets and accounts it does not find it
 * leaves alone. Only the venue's clock moves it, so a frozen clock freezes the market.
 */
export class MarketSimulation {
  readonly #venue: Venue;
  readonly #options: SimulationOptions;
  readonly #common: Random;
  readonly #lives: readonly Life[];
  #lastMs: number | undefined;
  #end: (() => void) | undefined;

  constructor(venue: Venue, options: SimulationOptions) {
    this.#venue = venue;
    this.#options = options;
    // Counted on, so that a venue that comes back does not live the same hours again.
    const random = new Random(options.seed).fork(`from deal ${venue.state.nextDealId}`);
    this.#common = random.fork("common");
    const lives: Life[] = [];
    for (const character of options.markets ?? DEV_MARKETS) {
      const { market, contract } = character;
      const leader =
        contract && lives.find((life) => isSpot(life.character) && life.character.market === contract.follows);
      lives.push(newLife(venue, character, random.fork(contract === undefined ? market : `${market} futures`), leader));
    }
    this.#lives = lives;
  }

  /** Fills the books at once and goes on until `stop`. */
  start(): void {
    if (this.#end !== undefined) return;
    this.#end = (this.#options.every ?? everyRealMs)(STEP_EVERY_MS, () => this.#guardedStep());
    this.#guardedStep();
  }

  /** Lives up to the venue's time at once rather than at the next step; does nothing unless it has been started. */
  catchUp(): void {
    if (this.#end !== undefined) this.#guardedStep();
  }

  /** Submits nothing any more; orders stay where they are. */
  stop(): void {
    this.#end?.();
    this.#end = undefined;
  }

  /** Lets the market live up to `nowMs`, the venue's time. Does nothing when time has not passed or the venue is busy. */
  step(nowMs: number): void {
    if (this.#venue.isBusy) return;
    const quanta = this.#quantaUntil(nowMs);
    if (quanta === 0) return;
    const arrivals = this.#lives.map(() => 0);
    for (let quantum = 0; quantum < quanta; quantum++) {
      const common = this.#common.normal();
      this.#lives.forEach((life, index) => {
        live(life, common);
        if (life.takers.arrives()) arrivals[index] = (arrivals[index] as number) + 1;
      });
    }
    this.#lives.forEach((life, index) => {
      this.#act(life, Math.min(arrivals[index] as number, ARRIVALS_MAX), nowMs);
    });
  }

  /** Whole quanta since the last step; the first step counts as one. */
  #quantaUntil(nowMs: number): number {
    if (this.#lastMs === undefined) {
      this.#lastMs = nowMs;
      return 1;
    }
    const passed = Math.floor((nowMs - this.#lastMs) / QUANTUM_MS);
    if (passed <= 0) return 0;
    if (passed * QUANTUM_MS > STEP_SPAN_MAX_MS) {
      this.#lastMs = nowMs;
      return STEP_SPAN_MAX_MS / QUANTUM_MS;
    }
    this.#lastMs += passed * QUANTUM_MS;
    return passed;
  }

  #act(life: Life, arrivals: number, nowMs: number): void {
    const { state } = this.#venue;
    const market = state.marketNamed(life.character.market, !isSpot(life.character));
    // A market that was delisted and listed anew may have another grid.
    if (market !== undefined && life.market !== market) life.walk = walkOf(life.character, market);
    life.market = market;
    if (market === undefined || life.walk === undefined) return;
    const worth = worthOf(life, market, life.walk);
    const isRefresh = life.beat.isDue(nowMs);
    if (isRefresh && life.leader !== undefined) life.basis.advance();
    const quoted = strayed(worth, life.basis.valueE8);
    const prices = isRefresh ? life.sources.speak(market, worth, nowMs) : undefined;
    if (prices !== undefined) this.#venue.submit(prices, ignoreOutcome);
    if (!isTrading(state, market)) return;
    if (isRefresh) life.making.refresh(market, quoted, nowMs);
    // Without a first deal there is no ticker, so that one does not wait for somebody to come by.
    const trades = state.lastPrice[market.id] === 0n ? Math.max(1, arrivals) : arrivals;
    for (let trade = 0; trade < trades; trade++) life.takers.trade(market, quoted, nowMs);
  }

  #guardedStep(): void {
    try {
      this.step(this.#venue.now());
    } catch (error) {
      this.stop();
      this.#options.onFault(error);
    }
  }
}

function isSpot({ contract }: SimulatedMarket): boolean {
  return contract === undefined;
}

function newLife(venue: Venue, character: SimulatedMarket, random: Random, leader: Life | undefined): Life {
  const makers = character.ladders.map((shape) => new Maker(venue, shape, random.fork(shape.maker)));
  return {
    character,
    shocks: random.fork("walk"),
    sources: new IndexSources(character.sources, random.fork("sources")),
    making: new MarketMaking(venue.state, makers),
    takers: new Takers(venue, character.takers, random.fork("takers")),
    beat: new Beat(REFRESH_EVERY_MS),
    basis: new Deviation(character.contract?.basisBp ?? 0, BASIS_PACE, random.fork("basis")),
    leader,
    market: undefined,
    walk: undefined,
  };
}

/** Goes on where the market stood; a new one starts at its anchor. Undefined when the market has a coarser grid than that. */
function walkOf(character: SimulatedMarket, market: Market): PriceWalk | undefined {
  const anchor = parseDecimal(character.anchorPrice, market.pricePrecision);
  if (anchor === undefined || anchor === 0n) return undefined;
  return new PriceWalk(anchor, market.index.price > 0n ? market.index.price : anchor, character.dailyVolatilityBp);
}

/** What a market is worth, in millionths of its tick: as much as the market that it follows, as long as that is there. */
function worthOf({ leader }: Life, market: Market, walk: PriceWalk): bigint {
  if (leader?.market === undefined || leader.walk === undefined) return walk.price;
  const { pricePrecision } = leader.market;
  return (leader.walk.price * pow10(market.pricePrecision)) / pow10(pricePrecision);
}

/** One quantum passes for a market; `common` is the shock that all share. */
function live({ character, shocks, walk }: Life, common: number): void {
  const shock = common * character.commonPercent + shocks.normal() * character.ownPercent;
  walk?.advance(Math.trunc(shock / 100));
}

/** A price that is refused is followed by the next one a second later. */
function ignoreOutcome(): void {}
