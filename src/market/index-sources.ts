import type { SetIndexPrices } from "../engine/command.ts";
import type { Market } from "../engine/listing/market.ts";
import { formatDecimal } from "../engine/money/decimal.ts";
import { Beat } from "./beat.ts";
import type { SimulatedSource } from "./dev-markets.ts";
import { FINE } from "./price-walk.ts";
import { NORMAL_ONE, type Random } from "./random.ts";

/** A source that falls silent stays so for between these times; beyond a minute the index drops it. */
const SILENCE_MIN_MS = 15_000;
const SILENCE_MAX_MS = 90_000;
/** How much of a source's deviation is still there the next time it speaks. */
const MEMORY_PERCENT = 80n;
/** Deviations are kept in 10^-8 of the price. */
const ONE_E8 = 100_000_000n;
const BASIS_POINT_E8 = 10_000n;
/** What a fresh draw counts beside the memory, in percent: sqrt(1 - 0.8^2), so that the spread stays as configured. */
const FRESH_PERCENT = 60n;

interface Speaker {
  readonly source: SimulatedSource;
  readonly beat: Beat;
  deviationE8: bigint;
}

/** The exchanges that the index of one market looks at: each follows the market's worth at its own pace and error. */
export class IndexSources {
  readonly #speakers: readonly Speaker[];
  readonly #random: Random;

  constructor(sources: readonly SimulatedSource[], random: Random) {
    this.#speakers = sources.map((source) => ({ source, beat: new Beat(source.everyMs), deviationE8: 0n }));
    this.#random = random;
  }

  /**
   * What the sources that are due have to say; undefined when none is. `worth` in millionths of a tick. Sources that the
   * operator took out of the market's list stay silent: speaking would put them back.
   */
  speak(market: Market, worth: bigint, nowMs: number): SetIndexPrices | undefined {
    const prices: { exchange: string; price: string }[] = [];
    for (const speaker of this.#speakers) {
      const { exchange } = speaker.source;
      if (!speaker.beat.isDue(nowMs)) continue;
      const speaks = this.#findWords(speaker, nowMs);
      if (!speaks || !market.index.sources.some((source) => source.exchange === exchange)) continue;
      const fine = (worth * (ONE_E8 + speaker.deviationE8)) / ONE_E8;
      const ticks = fine < FINE ? 1n : fine / FINE;
      prices.push({ exchange, price: formatDecimal(ticks, market.pricePrecision) });
    }
    if (prices.length === 0) return undefined;
    return { kind: "set_index_prices", actor: "market simulation", market: market.name, sources: prices };
  }

  /** Sets how far off the source is this time; false when it falls silent instead. */
  #findWords(speaker: Speaker, nowMs: number): boolean {
    const { noiseBp, silencePerMille } = speaker.source;
    if (this.#random.chance(silencePerMille)) {
      speaker.beat.sleep(nowMs, this.#random.between(SILENCE_MIN_MS, SILENCE_MAX_MS));
      return false;
    }
    const draw = (BigInt(this.#random.normal()) * BigInt(noiseBp) * BASIS_POINT_E8) / BigInt(NORMAL_ONE);
    speaker.deviationE8 = (speaker.deviationE8 * MEMORY_PERCENT + draw * FRESH_PERCENT) / 100n;
    return true;
  }
}
