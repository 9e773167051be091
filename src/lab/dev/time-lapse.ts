/**
 * Plays the simulated market through long stretches of time. What the clock is told to jump over, or runs through
 * faster than the market can follow step by step, is lived in coarse steps, one group of the log each, and the clock
 * shows no time before it has been lived. Nobody waits for one step to be durable before the next is written, so this
 * costs what commands cost and not what syncs cost.
 */
import type { History } from "../../history/history.ts";
import type { VirtualClock } from "../../venue/clock.ts";
import type { PacedClock } from "../../venue/paced-clock.ts";
import { GROUP_COMMANDS_MAX, LAPSE_GROUPS_MAX, type Sequencer, SequencerClosed } from "../../venue/sequencer.ts";
import {
  type CoarsePace,
  type MarketSimulation,
  STEP_EVERY_MS,
  STEP_SPAN_MAX_MS,
} from "../market/market-simulation.ts";

/** A jump is lived in about so many steps, a clock that runs in so many between two beats. */
const STEPS_OF_JUMP = 120;
const STEPS_OF_BEAT = 40;
/** Every minute gets a step, and no index is silent for longer. */
const STEP_MS_MAX = 60_000;
/** From this span on a step of a jump is a minute: its quotes are those of a candle, not of an onlooker. */
const MINUTES_FROM_MS = 600_000;
/**
 * Stops of the price in a step: a first and a last one, and two between which a candle may have a high and a low of its
 * own.
 */
const STOPS = 4;
/** Beyond this span the price stops once a step: a month must not take a minute, and not fill the memory. */
const FOUR_STOPS_MS_MAX = 2 * 86_400_000;
/** The minutes of a past that one answer of candles shows, with some to spare, have highs and lows of their own. */
const CANDLES_OF_ANSWER = 1_020;
const STOPS_IN_PAST = 3;
/**
 * Sources speak so often in a past: seldom enough to be quick, often enough that the premium of a futures book is its
 * own.
 */
const SPEAKS_IN_PAST_MS = 300_000;
/** Real time after which a running clock gives up what has not been lived: it goes as fast as the market can. */
const BEAT_BUDGET_MS = 250;
/** A clock that runs on meanwhile is let go when so little is left: ordinary steps take it from there. */
const LEFT_OVER_MS = 1_000;
/** Beside the orders of takers. A step has an index price besides. */
const QUOTES_PER_STOP = 2;
/**
 * Takers of all markets in one jump, and between two beats: as many as come in two minutes, and in one; of more time
 * than that each takes more.
 */
const TAKERS_OF_JUMP = 1_000;
const TAKERS_OF_BEAT = 1_000;

export interface TimeLapseOptions {
  readonly clock: PacedClock;
  /** The clock below, where it is in somebody's hand. */
  readonly virtual: VirtualClock | undefined;
  /** Returns the simulation that moves the markets at the time: after a venue has gone back it is another one. */
  readonly simulation: () => MarketSimulation;
  readonly sequencer: Sequencer;
  readonly history: History;
}

export class TimeLapse {
  readonly #options: TimeLapseOptions;
  #last: Promise<void> = Promise.resolve();
  #underWay = 0;

  constructor(options: TimeLapseOptions) {
    this.#options = options;
  }

  /**
   * Does `change` to the clock below, and settles when the market has lived up to where that aims. One after the other.
   */
  pass(change: () => void = () => {}): Promise<void> {
    const { clock } = this.#options;
    this.#underWay++;
    clock.hold();
    change();
    const passed = this.#last.then(() => this.#liveOn()).finally(() => this.#underWay--);
    this.#last = passed.catch(() => {});
    return passed;
  }

  /**
   * Lives from where the clock is held up to the present, more coarsely the longer ago that is. `onProgress` hears
   * which part has been lived.
   */
  livePast(onProgress: (share: number) => void): Promise<void> {
    this.#underWay++;
    const wholeMs = this.#options.clock.aimMs - this.#options.clock.now();
    const paceAt = (leftMs: number) => {
      onProgress(1 - leftMs / wholeMs);
      return pastPace(leftMs);
    };
    return this.#liveOn(paceAt).finally(() => this.#underWay--);
  }

  /** A beat of the machine's time: an ordinary step, unless the clock is too fast for those. */
  beat(step: () => void): void {
    if (this.#underWay > 0) return;
    if (this.#isFast) void this.pass().catch(() => {});
    else step();
  }

  /** Whether more passes between two beats than an ordinary step can live through. */
  get #isFast(): boolean {
    const { virtual } = this.#options;
    return virtual !== undefined && !virtual.state.frozen && virtual.state.speed * STEP_EVERY_MS > STEP_SPAN_MAX_MS;
  }

  /** `paceAt` gives the pace when so many ms are left; unless given there is one for all of them. */
  async #liveOn(paceAt?: (leftMs: number) => Pace): Promise<void> {
    const { clock, virtual, simulation, history } = this.#options;
    const isFast = this.#isFast;
    const giveUpMs = isFast ? performance.now() + BEAT_BUDGET_MS : Number.POSITIVE_INFINITY;
    let pace: Pace | undefined;
    try {
      while (simulation().isLiving) {
        const spanMs = clock.aimMs - clock.now();
        if (spanMs < (pace === undefined ? STEP_SPAN_MAX_MS + 1 : LEFT_OVER_MS)) break;
        pace = paceAt?.(spanMs) ?? pace ?? paceOf(spanMs, isFast, simulation().markets);
        await this.#liveCoarsely(spanMs, pace);
        await history.room();
        if (performance.now() > giveUpMs) virtual?.fallBack(clock.now());
      }
    } catch (error) {
      if (!(error instanceof SequencerClosed)) simulation().fail(error);
      throw error;
    } finally {
      // A clock that runs on fast is held from one beat to the next.
      if (isFast && simulation().isLiving) clock.holdAt(clock.aimMs);
      else clock.release();
    }
    if (!simulation().isLiving) return;
    if (pace === undefined) simulation().catchUp();
    else simulation().settle(clock.now());
  }

  /**
   * Writes as many steps as the log takes at once, and waits until they have been applied. Steps of a minute end where
   * candles begin.
   */
  async #liveCoarsely(spanMs: number, pace: Pace): Promise<void> {
    const { stepMs } = pace;
    const { clock, sequencer } = this.#options;
    const simulation = this.#options.simulation();
    const most = simulation.look() ? this.#stepsAtOnce(pace) : 1;
    let leftMs = spanMs;
    for (let step = 0; step < most && leftMs > 0; step++) {
      if (step > 0) sequencer.cut();
      const nowMs = clock.now();
      const ms = Math.min(stepMs === STEP_MS_MAX ? stepMs - (nowMs % stepMs) : stepMs, leftMs);
      leftMs -= ms;
      clock.holdAt(nowMs + ms);
      simulation.coarseStep(nowMs + ms, ms, pace);
    }
    const applied = sequencer.ask({ kind: "tick" }, () => {});
    sequencer.cut();
    await applied;
  }

  #stepsAtOnce({ stops, takersMax }: Pace): number {
    const commands = this.#options.simulation().markets * (1 + stops * (QUOTES_PER_STOP + takersMax));
    return Math.max(1, Math.floor(LAPSE_GROUPS_MAX / Math.ceil(commands / GROUP_COMMANDS_MAX)));
  }
}

/** How coarsely a stretch of time is lived: steps of at most a minute, so that each minute has a deal. */
export interface Pace extends CoarsePace {
  readonly stepMs: number;
  readonly takersMax: number;
}

/** The pace of a jump over so many ms, or of what a clock that runs fast passes between two beats. */
export function paceOf(spanMs: number, isFast: boolean, markets: number): Pace {
  const wanted = Math.ceil(spanMs / (isFast ? STEPS_OF_BEAT : STEPS_OF_JUMP));
  const isByTheMinute = !isFast && spanMs >= MINUTES_FROM_MS;
  const stepMs = isByTheMinute ? STEP_MS_MAX : Math.min(STEP_MS_MAX, Math.max(STEP_SPAN_MAX_MS, wanted));
  const stops = spanMs > FOUR_STOPS_MS_MAX ? 1 : isByTheMinute ? STOPS : STOPS / 2;
  const allStops = Math.ceil(spanMs / stepMs) * stops * Math.max(1, markets);
  return { stepMs, stops, takersMax: Math.max(1, Math.floor((isFast ? TAKERS_OF_BEAT : TAKERS_OF_JUMP) / allStops)) };
}

/** Every minute of a past has a deal, and those that one answer shows have more. */
function pastPace(leftMs: number): Pace {
  const stops = leftMs <= STEP_MS_MAX * CANDLES_OF_ANSWER ? STOPS_IN_PAST : 1;
  return { stepMs: STEP_MS_MAX, takersMax: 1, stops, speaksEveryMs: SPEAKS_IN_PAST_MS, isUnseen: true };
}
