/** What a fill costs its two sides. Domain 2.6. */
import type { SetFeeDeduction } from "../../../../src/engine/listing/command-schemas.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { funds } from "../margin/account.ts";
import { divideUp, ONE_E8, tenTo, unitsOf } from "../model/numbers.ts";
import type { ModelAsset, ModelBalance, ModelMarket, ModelOrder } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { shareFee } from "../pools/pool.ts";

export interface ModelFee {
  readonly fee: bigint;
  readonly feeAssetId: number;
  readonly deducted: boolean;
  /** What of it went to the providers of a pool. */
  readonly given: bigint;
}

/** What a fill moves: base units and quote units. */
interface Amounts {
  readonly base: bigint;
  readonly value: bigint;
}

/** A price in whole coins, exactly. */
interface Price {
  readonly above: bigint;
  readonly below: bigint;
}

/** In which currency fees can be paid, and how much cheaper that is. */
export interface ModelDeduction {
  ccy: string | undefined;
  discount: bigint;
  /** What fees were paid in first: then it cannot become another. */
  charged: ModelAsset | undefined;
}

export function setFeeDeduction(venue: ModelVenue, { ccy, discountRate }: SetFeeDeduction): Refusal | undefined {
  const { deduction } = venue;
  const discount = discountRate === undefined ? deduction.discount : unitsOf(discountRate, 8);
  if (discount === undefined || discount >= ONE_E8) return "invalid_command";
  if (typeof ccy === "string") {
    const asset = venue.assets.find((candidate) => candidate.ccy === ccy);
    if (asset === undefined) return "asset_not_found";
    if (deduction.charged !== undefined && deduction.charged !== asset) return "invalid_command";
  }
  if (ccy !== undefined) deduction.ccy = ccy ?? undefined;
  deduction.discount = discount;
  return undefined;
}

/** Takes the ordinary fee of one side of a fill out of what it received. */
export function chargeFee(
  venue: ModelVenue,
  market: ModelMarket,
  order: ModelOrder,
  rate: bigint,
  { base, value }: Amounts,
): ModelFee {
  const buys = order.side === "buy";
  const feeAssetId = buys ? market.base.id : market.quote.id;
  const fee = divideUp((buys ? base : value) * rate, ONE_E8);
  book(venue, market, order, fee);
  const given = shareFee(market, feeAssetId, fee);
  venue.addFee(feeAssetId, -given);
  return { fee, feeAssetId, deducted: false, given };
}

/**
 * Gives the ordinary fee back and takes one in the deduction currency, if the user wishes that and has enough beside
 * `reserve`, what the rest of the taker's order may need of a balance. Else all stays as it is.
 */
export function deductFee(
  venue: ModelVenue,
  market: ModelMarket,
  order: ModelOrder,
  rate: bigint,
  { value }: Amounts,
  ordinary: ModelFee,
  reserve: (balance: ModelBalance) => bigint,
): ModelFee {
  const asset = venue.assets.find(({ ccy }) => ccy === venue.deduction.ccy);
  if (market.pool !== undefined) return ordinary;
  if (!venue.user(order.userId)?.deducts || asset === undefined || rate === 0n) return ordinary;
  const price = priceIn(venue, asset, market.quote);
  if (price === undefined) return ordinary;
  const fee = deductedFee(venue, market, asset, value, rate, price);
  const balance = venue.balance(order.userId, asset.id);
  const returned = ordinary.feeAssetId === asset.id && order.account === "spot" ? ordinary.fee : 0n;
  if (balance.available + returned - reserve(balance) < fee) return ordinary;
  book(venue, market, order, -ordinary.fee);
  balance.available -= fee;
  order.discountFee += fee;
  venue.addFee(asset.id, fee);
  venue.deduction.charged = asset;
  return { fee, feeAssetId: asset.id, deducted: true, given: 0n };
}

function book(venue: ModelVenue, market: ModelMarket, order: ModelOrder, fee: bigint): void {
  const asset = order.side === "buy" ? market.base : market.quote;
  if (order.side === "buy") order.baseFee += fee;
  else order.quoteFee += fee;
  funds(venue, market, order, asset).available -= fee;
  venue.addFee(asset.id, fee);
}

/** Units of `asset` for a fee on `value`. */
function deductedFee(
  { deduction }: ModelVenue,
  { quote }: ModelMarket,
  asset: ModelAsset,
  value: bigint,
  rate: bigint,
  { above, below }: Price,
): bigint {
  const cheaper = rate * (ONE_E8 - deduction.discount);
  return divideUp(value * cheaper * tenTo(asset.scale) * below, tenTo(quote.scale) * ONE_E8 * ONE_E8 * above);
}

/** What a whole coin costs in `quote`: in a market of the two, else through USDT. */
export function priceIn(venue: ModelVenue, asset: ModelAsset, quote: ModelAsset): Price | undefined {
  const direct = indexOf(venue, asset.ccy, quote.ccy);
  if (direct !== undefined) return direct;
  const [price, other] = [indexOf(venue, asset.ccy, "USDT"), indexOf(venue, quote.ccy, "USDT")];
  if (price === undefined || other === undefined) return undefined;
  return { above: price.above * other.below, below: price.below * other.above };
}

/**
 * The price of one currency in the other, by the index of the first listed market of the two, either way round, that
 * has a fresh one.
 */
function indexOf(venue: ModelVenue, ccy: string, inCcy: string): Price | undefined {
  if (ccy === inCcy) return { above: 1n, below: 1n };
  for (const { base, quote, index, isStale, pricePrecision, delisted } of venue.markets) {
    if (index === 0n || isStale || delisted) continue;
    const one = tenTo(pricePrecision);
    if (base.ccy === ccy && quote.ccy === inCcy) return { above: index, below: one };
    if (base.ccy === inCcy && quote.ccy === ccy) return { above: one, below: index };
  }
  return undefined;
}
