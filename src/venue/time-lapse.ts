/**
 * Lets the simulated market live through long stretches of time. What the clock is told to jump over, or runs through faster than the market
 * can follow step by step, is lived in coarse steps, one group of the log each, and the clock shows no time before it has been
 * lived. Nobody waits for one step to be durable before the next is written, so this costs what commands cost and not what syncs cost.
 */
import type { History } from "../history/history.ts";
import { type MarketSimulation, STEP_EVERY_MS, STEP_SPAN_MAX_MS } from "../market/market-simulation.ts";
import type { VirtualClock } from "./clock.ts";
import type { PacedClock } from "./paced-clock.ts";
import { GROUP_COMMANDS_MAX, LAPSE_GROUPS_MAX, type Sequencer, SequencerClosed } from "./sequencer.ts";

/** A jump is lived in about so many steps, a clock that runs in so many between two beats. */
const STEPS_OF_JUMP = 120;
const STEPS_OF_BEAT = 40;
/** Every minute gets a step, and no index is silent for longer. */
const STEP_MS_MAX = 60_000;
/** Beyond this span the price stops once a step, not twice: a month must not take a minute, and not fill the memory. */
const TWO_STOPS_MS_MAX = 2 * 86_400_000;
/** A past is lived by the minute as far back as one answer of such candles reaches, with some to spare, and before that in longer steps likewise. */
const PAST_STEPS_MS = [STEP_MS_MAX, 300_000, 900_000] as const;
const CANDLES_OF_ANSWER = 1_020;
/** Real time after which a running clock gives up what has not been lived: it goes as fast as the market can. */
const BEAT_BUDGET_MS = 250;
/** A clock that runs on meanwhile is let go when so little is left: ordinary steps take it from there. */
const LEFT_OVER_MS = 1_000;
/** Beside the orders of takers. A step has an index price besides. */
const QUOTES_PER_STOP = 2;
/** Takers of all markets in one jump, and between two beats: as many as come in an hour, and in a minute; of more time than that each takes more. */
const TAKERS_OF_JUMP = 100_000;
const TAKERS_OF_BEAT = 1_000;

export interface TimeLapseOptions {
  readonly clock: PacedClock;
  /** The clock below, where it is in somebody's hand. */
  readonly virtual: VirtualClock | undefined;
  /** What moves the markets at the time: after a venue has gone back it is another one. */
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

  /** Does `change` to the clock below, and settles when the market has lived up to where that aims. One after the other. */
  pass(change: () => void = () => {}): Promise<void> {
    const { clock } = this.#options;
    this.#underWay++;
    clock.hold();
    change();
    const passed = this.#last.then(() => this.#liveOn()).finally(() => this.#underWay--);
    this.#last = passed.catch(() => {});
    return passed;
  }

  /** Lives from where the clock is held up to the present, more coarsely the longer ago that is. */
  livePast(): Promise<void> {
    this.#underWay++;
    return this.#liveOn(pastPace).finally(() => this.#underWay--);
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

  /** Writes as many steps as the log takes at once, and waits until they have been applied. */
  async #liveCoarsely(spanMs: number, pace: Pace): Promise<void> {
    const { stepMs, stops, takersMax } = pace;
    const { clock, sequencer } = this.#options;
    const simulation = this.#options.simulation();
    const most = simulation.look() ? Math.min(this.#stepsAtOnce(pace), Math.ceil(spanMs / stepMs)) : 1;
    let leftMs = spanMs;
    for (let step = 0; step < most; step++) {
      const ms = Math.min(stepMs, leftMs);
      leftMs -= ms;
      this.#tickUntil(clock.now() + ms);
      simulation.coarseStep(clock.now(), ms, stops, takersMax);
      if (step < most - 1) sequencer.cut();
    }
    const applied = sequencer.ask({ kind: "tick" }, () => {});
    sequencer.cut();
    await applied;
  }

  /** Goes on to a time, with a tick in each minute on the way: a funding counts the premiums of all of them. */
  #tickUntil(untilMs: number): void {
    const { clock, sequencer } = this.#options;
    for (let leftMs = untilMs - clock.now(); leftMs > STEP_MS_MAX; leftMs -= STEP_MS_MAX) {
      clock.holdAt(clock.now() + STEP_MS_MAX);
      sequencer.submit({ kind: "tick" });
      sequencer.cut();
    }
    clock.holdAt(untilMs);
  }

  #stepsAtOnce({ stepMs, stops, takersMax }: Pace): number {
    const commands = this.#options.simulation().markets * (1 + stops * (QUOTES_PER_STOP + takersMax));
    const groups = Math.ceil(commands / GROUP_COMMANDS_MAX) + Math.ceil(stepMs / STEP_MS_MAX) - 1;
    return Math.max(1, Math.floor(LAPSE_GROUPS_MAX / groups));
  }
}

/** How coarsely a stretch of time is lived. */
export interface Pace {
  readonly stepMs: number;
  /** Stops of the price in each step. */
  readonly stops: number;
  /** Takers that trade at each of them in a market, at most. */
  readonly takersMax: number;
}

/** The pace of a jump over so many ms, or of what a clock that runs fast passes between two beats. */
export function paceOf(spanMs: number, isFast: boolean, markets: number): Pace {
  const wanted = Math.ceil(spanMs / (isFast ? STEPS_OF_BEAT : STEPS_OF_JUMP));
  const stepMs = Math.min(STEP_MS_MAX, Math.max(STEP_SPAN_MAX_MS, wanted));
  const stops = spanMs > TWO_STOPS_MS_MAX ? 1 : 2;
  const allStops = Math.ceil(spanMs / stepMs) * stops * Math.max(1, markets);
  return { stepMs, stops, takersMax: Math.max(1, Math.floor((isFast ? TAKERS_OF_BEAT : TAKERS_OF_JUMP) / allStops)) };
}

function pastPace(leftMs: number): Pace {
  const stepMs = PAST_STEPS_MS.find((ms) => leftMs <= ms * CANDLES_OF_ANSWER) ?? PAST_STEPS_MS[2];
  return { stepMs, stops: 1, takersMax: 1 };
}
