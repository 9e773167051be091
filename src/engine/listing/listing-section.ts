import { cycleOfText } from "../futures/funding/cycle.ts";
import { type TermsText, termsOfText, termsText } from "../futures/snapshot.ts";
import { settlementOf } from "../hooks.ts";
import { futuresFund } from "../insurance/funds.ts";
import { insuranceOf, lossOfRow } from "../insurance/insurance-state.ts";
import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import type { Asset } from "./asset.ts";
import type { FeeDeduction } from "./fee-deduction.ts";
import type { Halt, IndexSource, Market } from "./market.ts";

/**
 * Assets and markets in order of listing, each market with its index and latest price, and the currency of deducted
 * fees.
 */
export const listingSection: Section = {
  name: "listing",
  version: 3,
  write: (state) => [jsonChunk(wordsOf(state))],
  read: (state, [json], version) => {
    const { assets, markets, deduction } = jsonOf(json) as ListingWords;
    for (const asset of assets) state.enterAsset({ ...asset, maxCustody: BigInt(asset.maxCustody) });
    for (const market of markets) enterMarket(state, version === 1 ? ofVersion1(market) : market);
    state.deduction = { ...deduction, ccy: deduction.ccy ?? undefined };
  },
};

export interface ListingWords {
  readonly assets: readonly (Omit<Asset, "maxCustody"> & { readonly maxCustody: string })[];
  readonly markets: readonly MarketText[];
  readonly deduction: Omit<FeeDeduction, "ccy"> & { readonly ccy: string | null };
}

/** A market with its whole numbers as text, which JSON can carry. */
type MarketText = Omit<
  Market,
  keyof MarketNumbers | "index" | "settlement" | "futures" | "pool" | "quotes" | "recentPrices" | "halt"
> &
  Record<keyof MarketNumbers, string> & {
    readonly futures?: TermsText | undefined;
    readonly settlement?: undefined;
    readonly pool?: undefined;
    readonly quotes?: undefined;
    readonly lastPrice: string;
    readonly index: {
      readonly price: string;
      readonly updatedAt: number;
      readonly isStale: boolean;
      readonly returnedAt: number;
      readonly sources: readonly (Omit<IndexSource, "price"> & { readonly price: string })[];
    };
    /** Time and ticks. */
    readonly recentPrices: readonly (readonly [number, string])[];
    /** Left out where there is none, so that a market that never had one is written as before rules version 3. */
    readonly halt?: HaltText | undefined;
  };

type HaltText = Pick<Halt, "calledAt" | "isExtended"> & {
  readonly reference: string;
  readonly reopening?: readonly [number, string] | undefined;
};

type MarketNumbers = Pick<Market, "unitsPerLotTick" | "unitsPerLot" | "minAmount" | "maxAmount" | "maxPrice">;

function wordsOf(state: State): ListingWords {
  return {
    assets: state.assets.map((asset) => ({ ...asset, maxCustody: asset.maxCustody.toString() })),
    markets: state.markets.map((market) => marketText(state, market)),
    deduction: { ...state.deduction, ccy: state.deduction.ccy ?? null },
  };
}

function marketText(state: State, market: Market): MarketText {
  const { index } = market;
  return {
    ...market,
    // It follows from the type, or from the section of the part that has set it.
    settlement: undefined,
    // They have a section of their own.
    pool: undefined,
    quotes: undefined,
    futures: termsText(state, market),
    unitsPerLotTick: market.unitsPerLotTick.toString(),
    unitsPerLot: market.unitsPerLot.toString(),
    minAmount: market.minAmount.toString(),
    maxAmount: market.maxAmount.toString(),
    maxPrice: market.maxPrice.toString(),
    lastPrice: (state.lastPrice[market.id] as bigint).toString(),
    index: {
      price: index.price.toString(),
      updatedAt: index.updatedAt,
      isStale: index.isStale,
      returnedAt: index.returnedAt,
      sources: index.sources.map((source) => ({ ...source, price: source.price.toString() })),
    },
    recentPrices: market.recentPrices.map(({ atMs, price }) => [atMs, price.toString()]),
    halt: market.halt && haltText(market.halt),
  };
}

function haltText({ reference, calledAt, isExtended, reopening }: Halt): HaltText {
  const reopened = reopening && ([reopening.atMs, reopening.price.toString()] as const);
  return { reference: reference.toString(), calledAt, isExtended, reopening: reopened };
}

function haltOf({ reference, calledAt, isExtended, reopening }: HaltText): Halt {
  const reopened = reopening && { atMs: reopening[0], price: BigInt(reopening[1]) };
  return { reference: BigInt(reference), calledAt, isExtended, reopening: reopened };
}

/**
 * A market of version 1, in which futures markets alone noted, elsewhere, whether their index is stale, and none was
 * interrupted.
 */
function ofVersion1(text: MarketText): MarketText {
  const isStale = text.futures !== undefined && (text.futures.cycle as { readonly isStale?: boolean }).isStale === true;
  return { ...text, index: { ...text.index, isStale, returnedAt: 0 }, recentPrices: [] };
}

function enterMarket(state: State, text: MarketText): void {
  const { lastPrice, index, interruption, recentPrices, halt, ...rest } = text;
  state.enterMarket({
    ...rest,
    futures: termsOfText(text.futures),
    settlement: settlementOf(text.futures === undefined ? "SPOT" : "FUTURES"),
    pool: undefined,
    quotes: undefined,
    unitsPerLotTick: BigInt(text.unitsPerLotTick),
    unitsPerLot: BigInt(text.unitsPerLot),
    minAmount: BigInt(text.minAmount),
    maxAmount: BigInt(text.maxAmount),
    maxPrice: BigInt(text.maxPrice),
    index: {
      price: BigInt(index.price),
      updatedAt: index.updatedAt,
      isStale: index.isStale,
      returnedAt: index.returnedAt,
      sources: index.sources.map((source) => ({ ...source, price: BigInt(source.price) })),
    },
    interruption,
    recentPrices: recentPrices.map(([atMs, price]) => ({ atMs, price: BigInt(price) })),
    halt: halt && haltOf(halt),
  });
  state.lastPrice[text.id] = BigInt(lastPrice);
  if (text.futures !== undefined) {
    state.futures.live.setMark(text.id, BigInt(text.futures.mark));
    const cycle = cycleOfText(text.futures.cycle);
    state.futures.cycles[text.id] = cycle;
    if (cycle.ladderAt > 0) state.futures.ladders.add(text.id);
    const losses = text.futures.cycle.losses ?? [];
    insuranceOf
      .of(state)
      .openHours(futuresFund(state.markets[text.id] as Market))
      .push(...losses.map(lossOfRow));
  }
  if (text.delisted) state.forgetName(state.markets[text.id] as Market);
}
