import type { SetIndexPrices } from "../../engine/listing/command-schemas.ts";
import type { Market } from "../../engine/listing/market.ts";
import { formatDecimal } from "../../engine/money/decimal.ts";
import { Beat } from "./beat.ts";
import type { SimulatedSource } from "./dev-markets.ts";
import { Deviation, strayed } from "./deviation.ts";
import { FINE } from "./price-walk.ts";
import type { Random } from "./random.ts";

/**
 * A source that falls silent or goes astray stays so for between these times; silent beyond a minute the index drops
 * it.
 */
const TROUBLE_MIN_MS = 15_000;
const TROUBLE_MAX_MS = 90_000;
/** A source gone astray is so far off, above or below; an index of major coins drops what is off by a fiftieth. */
const ASTRAY_E8 = 3_000_000n;
/** Who says so, in the log. */
export const ACTOR = "market simulation";
const PACE = { memory: 800_000n, fresh: 600_000n };

interface Speaker {
  readonly source: SimulatedSource;
  readonly beat: Beat;
  readonly deviation: Deviation;
  /** How far it has gone astray, 10^-8 of the price, and until when. */
  astrayE8: bigint;
  astrayUntilMs: number;
}

/** The exchanges that the index of one market looks at: each follows the market's worth at its own pace and error. */
export class IndexSources {
  readonly #speakers: readonly Speaker[];
  readonly #random: Random;

  constructor(sources: readonly SimulatedSource[], random: Random) {
    this.#speakers = sources.map((source) => ({
      source,
      beat: new Beat(source.everyMs),
      deviation: new Deviation(source.noiseBp, PACE, random),
      astrayE8: 0n,
      astrayUntilMs: 0,
    }));
    this.#random = random;
  }

  /**
   * Returns the prices of the sources that are due; undefined when there are none. `worth` in millionths of a tick.
   * Sources that the operator took out of the market's list stay silent: speaking would put them back.
   */
  speak(market: Market, worth: bigint, nowMs: number): SetIndexPrices | undefined {
    const prices: { exchange: string; price: string }[] = [];
    for (const speaker of this.#speakers) {
      if (!speaker.beat.isDue(nowMs)) continue;
      const speaks = this.#findWords(speaker, nowMs);
      if (!speaks || !isListed(market, speaker.source)) continue;
      const astrayE8 = nowMs < speaker.astrayUntilMs ? speaker.astrayE8 : 0n;
      const price = priceSaid(market, worth, speaker.deviation.valueE8 + astrayE8);
      prices.push({ exchange: speaker.source.exchange, price });
    }
    return prices.length === 0 ? undefined : said(market, prices);
  }

  /**
   * As `speak`, of the first source alone: enough for an index, and a quarter of the work. Whatever is due of the
   * others waits.
   */
  speakBriefly(market: Market, worth: bigint): SetIndexPrices | undefined {
    const speaker = this.#speakers[0];
    if (speaker === undefined || !isListed(market, speaker.source)) return undefined;
    speaker.deviation.advance();
    return said(market, [
      { exchange: speaker.source.exchange, price: priceSaid(market, worth, speaker.deviation.valueE8) },
    ]);
  }

  /** Sets how far off the source is this time; false when it falls silent instead. */
  #findWords(speaker: Speaker, nowMs: number): boolean {
    const { silencePerMille, astrayPerMille } = speaker.source;
    if (this.#random.chance(silencePerMille)) {
      speaker.beat.sleep(nowMs, this.#random.between(TROUBLE_MIN_MS, TROUBLE_MAX_MS));
      return false;
    }
    if (this.#random.chance(astrayPerMille)) {
      speaker.astrayE8 = this.#random.chance(500) ? ASTRAY_E8 : -ASTRAY_E8;
      speaker.astrayUntilMs = nowMs + this.#random.between(TROUBLE_MIN_MS, TROUBLE_MAX_MS);
    }
    speaker.deviation.advance();
    return true;
  }
}

function isListed({ index }: Market, { exchange }: SimulatedSource): boolean {
  return index.sources.some((source) => source.exchange === exchange);
}

/** Returns the price that a source with this deviation gives for a market's worth. */
function priceSaid(market: Market, worth: bigint, deviationE8: bigint): string {
  const fine = strayed(worth, deviationE8);
  return formatDecimal(fine < FINE ? 1n : fine / FINE, market.pricePrecision);
}

function said({ name, futures }: Market, sources: SetIndexPrices["sources"]): SetIndexPrices {
  const marketType = futures === undefined ? "SPOT" : "FUTURES";
  return { kind: "set_index_prices", actor: ACTOR, market: name, marketType, sources };
}
