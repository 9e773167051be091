import type { SetIndexPrices } from "../../engine/listing/command-schemas.ts";
import { STALE_AFTER_MS } from "../../engine/listing/index-freshness.ts";
import type { Market } from "../../engine/listing/market.ts";
import { isTrading } from "../../engine/listing/status.ts";
import { parseDecimal, pow10 } from "../../engine/money/decimal.ts";
import { Beat } from "./beat.ts";
import { CoarseTrading, type Stop } from "./coarse-trading.ts";
import { DEV_MARKETS, type SimulatedMarket } from "./dev-markets.ts";
import { Deviation, strayed } from "./deviation.ts";
import { ACTOR, IndexSources } from "./index-sources.ts";
import { Maker } from "./maker.ts";
import { MarketMaking } from "./market-making.ts";
import { PriceWalk, QUANTUM_MS } from "./price-walk.ts";
import { Random } from "./random.ts";
import { Takers } from "./taker.ts";
import { type Every, everyRealMs, type Venue } from "./venue.ts";
import { livelinessPercent, Mood } from "./volatility-regime.ts";

/** Real time between two steps. */
export const STEP_EVERY_MS = 200;
/**
 * Time that one step lives through at most. What is longer is for coarse steps; without those the market does not catch
 * up.
 */
export const STEP_SPAN_MAX_MS = 5_000;
/** Venue time between two looks of makers and index sources. */
const REFRESH_EVERY_MS = 1_000;
/** The book of a futures market strays from what it is worth for hours. */
const BASIS_PACE = { memory: 999_900n, fresh: 14_142n };
/** Takers that may come to one market in one step: more than ever do in five seconds. */
const ARRIVALS_MAX = 30;

export interface SimulationOptions {
  /** The same seed, the same state at the start and the same steps give the same commands. */
  readonly seed: number;
  /** Hears of a mistake in the simulation itself, which then stands still; the venue goes on. */
  readonly onFault: (error: unknown) => void;
  readonly markets?: readonly SimulatedMarket[] | undefined;
  readonly every?: Every | undefined;
  /** Up to when the markets have lived already, the venue's time; they begin with a first step unless given. */
  readonly sinceMs?: number | undefined;
  /**
   * Whether somebody else makes the prices of the markets of this name now: makers take their orders back and wait
   * there, as do takers and sources, and go on afterwards from where the index was left.
   */
  isHeld?(market: string): boolean;
}

/** How coarsely a step is lived. */
export interface CoarsePace {
  /** Stops of the price on its way. */
  readonly stops: number;
  /** Takers that trade at each of them in a market, at most; 1 unless given. */
  readonly takersMax?: number;
  /** The venue's time from one word of the index sources to the next; each step unless given. */
  readonly speaksEveryMs?: number;
  /** Whether nobody looks at the books where the step ends. */
  readonly isUnseen?: boolean;
}

/** Everything that moves one market, from its first sight in the venue on. */
interface Life {
  readonly character: SimulatedMarket;
  readonly shocks: Random;
  readonly sources: IndexSources;
  readonly making: MarketMaking;
  readonly takers: Takers;
  readonly coarse: CoarseTrading;
  readonly mood: Mood;
  /** How lively it is now, in percent of the ordinary. */
  livelyPercent: number;
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
 * Moves the markets of a venue: index sources, market makers and takers around a hidden price for each. It is a client
 * like others: all it does goes through `submit` and stands in the log; it leaves alone the markets and accounts that
 * it does not find. Only the venue's clock moves it, so a frozen clock freezes the market.
 */
export class MarketSimulation {
  readonly #venue: Venue;
  readonly #options: SimulationOptions;
  readonly #common: Random;
  readonly #mood: Mood;
  readonly #lives: readonly Life[];
  #lastMs: number | undefined;
  /** When the sources speak next in coarse steps. */
  #speaksAtMs = 0;
  #end: (() => void) | undefined;

  constructor(venue: Venue, options: SimulationOptions) {
    this.#venue = venue;
    this.#options = options;
    this.#lastMs = options.sinceMs;
    // Counted on, so that a venue that comes back does not live the same hours again.
    const random = new Random(options.seed).fork(`from deal ${venue.state.nextDealId}`);
    this.#common = random.fork("common");
    this.#mood = new Mood("common", random.fork("mood"));
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
    if (this.#end === undefined) this.begin();
    this.#guardedStep();
  }

  /** As `start`, but what is in the books is left to the first one who lets it live. */
  begin(): void {
    this.#end ??= (this.#options.every ?? everyRealMs)(STEP_EVERY_MS, () => this.#guardedStep());
  }

  /** How many markets it would move. */
  get markets(): number {
    return this.#lives.length;
  }

  /** Whether it has been started, and no mistake has ended it. */
  get isLiving(): boolean {
    return this.#end !== undefined;
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

  /** Ends it for a mistake in it, which the one who asked for it hears of. */
  fail(error: unknown): void {
    this.stop();
    this.#options.onFault(error);
  }

  /**
   * Plays the market up to `nowMs`, the venue's time. Does nothing when time has not passed or the venue is busy.
   */
  step(nowMs: number): void {
    if (this.#venue.isBusy) return;
    const quanta = this.#quantaUntil(nowMs);
    if (quanta === 0) return;
    const arrivals = this.#lives.map(() => 0);
    this.#feel(quanta, nowMs);
    for (let quantum = 0; quantum < quanta; quantum++) {
      const common = this.#common.normal();
      this.#lives.forEach((life, index) => {
        live(life, common);
        if (life.takers.arrives(life.livelyPercent)) arrivals[index] = (arrivals[index] as number) + 1;
      });
    }
    this.#lives.forEach((life, index) => {
      this.#act(life, Math.min(arrivals[index] as number, ARRIVALS_MAX), nowMs);
    });
  }

  /**
   * Looks at the venue before coarse steps are written. False: the first of them has to make quotes anew, and what
   * comes after it needs another look, once that has been applied.
   */
  look(): boolean {
    const looks = this.#lives.map((life) => {
      this.#enter(life);
      return life.market === undefined || !this.#isOpen(life.market) || life.coarse.look(life.market);
    });
    return looks.every(Boolean);
  }

  /**
   * Plays the market for `spanMs` up to `nowMs` in one coarse step, by what the last look saw: see CoarseTrading.
   * The price stops several times on its way, so that candles have more than a close. Only the quotes that takers meet
   * follow it there; where the step ends both do, unless nobody is to look at the books then.
   */
  coarseStep(
    nowMs: number,
    spanMs: number,
    { stops, takersMax = 1, speaksEveryMs = 0, isUnseen = false }: CoarsePace,
  ): void {
    this.#lastMs = nowMs;
    // Books are sampled as the step before left them: what has stood since then has rested.
    this.#venue.submit({ kind: "tick" }, ignoreOutcome);
    const quanta = Math.max(1, Math.round(spanMs / (QUANTUM_MS * stops)));
    const speaks = nowMs >= this.#speaksAtMs;
    for (let stop = 1; stop <= stops; stop++) {
      const common = this.#common.normal();
      const isLast = stop === stops;
      this.#feel(quanta, nowMs);
      for (const life of this.#lives) {
        live(life, common, quanta);
        // The premium of a futures book, of which samples are taken, is that of both.
        const quotes = isLast && !(isUnseen && isSpot(life.character)) ? undefined : "met";
        this.#stopCoarsely(life, isLast && speaks, {
          quanta,
          livelinessPercent: life.livelyPercent,
          takersMax,
          ...(quotes && { quotes }),
        });
      }
    }
    if (!speaks) return;
    const silentMs = Math.max(spanMs, speaksEveryMs);
    this.#speaksAtMs = nowMs + speaksEveryMs;
    if (silentMs <= STALE_AFTER_MS) return;
    // An index that nobody speaks of for longer would be stale, and fundings would wait for it.
    this.#venue.submit({ kind: "hold_index", actor: ACTOR, untilMs: nowMs + silentMs }, ignoreOutcome);
  }

  /**
   * Puts the books in order after coarse steps, once those have been applied: all sources and ladders as at an ordinary
   * pace.
   */
  settle(nowMs: number): void {
    for (const life of this.#lives) {
      const { market, walk } = life;
      if (market === undefined || walk === undefined) continue;
      const worth = worthOf(life, market, walk);
      this.#tellIndex(life.sources.speak(market, worth, nowMs));
      if (this.#isOpen(market)) life.making.refresh(market, quotedAt(life, worth), nowMs);
    }
  }

  #stopCoarsely(life: Life, speaks: boolean, stop: Stop): void {
    const { market, walk } = life;
    if (market === undefined || walk === undefined) return;
    const worth = worthOf(life, market, walk);
    const seconds = Math.round((stop.quanta * QUANTUM_MS) / REFRESH_EVERY_MS);
    if (life.leader !== undefined && seconds > 0) life.basis.advance(seconds);
    if (speaks) this.#tellIndex(life.sources.speakBriefly(market, worth));
    if (!this.#isOpen(market)) return;
    for (const command of life.coarse.stop(market, quotedAt(life, worth), stop))
      this.#venue.submit(command, ignoreOutcome);
  }

  #tellIndex(prices: SetIndexPrices | undefined): void {
    if (prices !== undefined) this.#venue.submit(prices, ignoreOutcome);
  }

  #isOpen(market: Market): boolean {
    return isTrading(this.#venue.state, market);
  }

  /** Moods move on by so many quanta. A market that follows another is as lively as that. */
  #feel(quanta: number, nowMs: number): void {
    this.#mood.advance(quanta);
    for (const life of this.#lives) {
      life.mood.advance(quanta);
      life.livelyPercent = life.leader?.livelyPercent ?? livelinessPercent(this.#mood, life.mood, nowMs);
    }
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

  /** Finds the market of a life as it is listed now. */
  #enter(life: Life): void {
    const market = this.#venue.state.marketNamed(life.character.market, !isSpot(life.character));
    if (this.#isHeld(life)) {
      if (market !== undefined) life.making.withdraw(market);
      life.market = undefined;
      return;
    }
    // A market that was delisted and listed anew may have another grid.
    if (market !== undefined && life.market !== market) life.walk = walkOf(life.character, market);
    life.market = market;
  }

  /** Whether a market waits. A market that follows another has no price of its own while that one waits. */
  #isHeld({ character, leader }: Life): boolean {
    const { isHeld } = this.#options;
    return isHeld?.(character.market) === true || (leader !== undefined && isHeld?.(leader.character.market) === true);
  }

  #act(life: Life, arrivals: number, nowMs: number): void {
    const { state } = this.#venue;
    this.#enter(life);
    const { market } = life;
    if (market === undefined || life.walk === undefined) return;
    const worth = worthOf(life, market, life.walk);
    const isRefresh = life.beat.isDue(nowMs);
    if (isRefresh && life.leader !== undefined) life.basis.advance();
    const quoted = quotedAt(life, worth);
    if (isRefresh) this.#tellIndex(life.sources.speak(market, worth, nowMs));
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
      this.fail(error);
    }
  }
}

function isSpot({ contract }: SimulatedMarket): boolean {
  return contract === undefined;
}

function newLife(venue: Venue, character: SimulatedMarket, random: Random, leader: Life | undefined): Life {
  const { refreshMs = REFRESH_EVERY_MS } = character;
  const makers = character.ladders.map((shape) => new Maker(venue, shape, random.fork(shape.maker)));
  return {
    character,
    shocks: random.fork("walk"),
    sources: new IndexSources(character.sources, random.fork("sources")),
    making: new MarketMaking(venue.state, makers),
    takers: new Takers(venue, character.takers, random.fork("takers")),
    coarse: new CoarseTrading(venue, character, random.fork("coarse")),
    mood: new Mood("own", random.fork("mood")),
    livelyPercent: 100,
    // Those that are looked at seldom are not all looked at together.
    beat: new Beat(refreshMs, refreshMs === REFRESH_EVERY_MS ? 0 : venue.now() + random.fork("beat").below(refreshMs)),
    basis: new Deviation(character.contract?.basisBp ?? 0, BASIS_PACE, random.fork("basis")),
    leader,
    market: undefined,
    walk: undefined,
  };
}

/**
 * Goes on where the market stood; a new one starts at its anchor. Undefined when the market has a coarser grid than
 * that.
 */
function walkOf(character: SimulatedMarket, market: Market): PriceWalk | undefined {
  const anchor = parseDecimal(character.anchorPrice, market.pricePrecision);
  if (anchor === undefined || anchor === 0n) return undefined;
  return new PriceWalk(anchor, market.index.price > 0n ? market.index.price : anchor, character.dailyVolatilityBp);
}

/**
 * Returns the worth of a market, in millionths of its tick: as much as the market that it follows, as long as that is
 * there.
 */
function worthOf({ leader }: Life, market: Market, walk: PriceWalk): bigint {
  if (leader?.market === undefined || leader.walk === undefined) return walk.price;
  const { pricePrecision } = leader.market;
  return (leader.walk.price * pow10(market.pricePrecision)) / pow10(pricePrecision);
}

/** Returns the price that the book of a market stands around. */
function quotedAt({ character, leader, basis }: Life, worth: bigint): bigint {
  const premiumE8 = leader === undefined ? 0 : (character.contract?.premiumE8 ?? 0);
  return strayed(worth, basis.valueE8 + BigInt(premiumE8));
}

/** So many quanta pass for a market; `common` is the shock that all share. */
function live({ character, shocks, walk, livelyPercent }: Life, common: number, quanta = 1): void {
  const shock = common * character.commonPercent + shocks.normal() * character.ownPercent;
  walk?.advance(Math.trunc((shock * livelyPercent) / 10_000), quanta);
}

/** A price that is refused is followed by the next one a second later. */
function ignoreOutcome(): void {}
