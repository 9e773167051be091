import type { Command } from "../../engine/command.ts";
import type { AssetChain, ListAsset } from "../../engine/listing/command-schemas.ts";
import { INT64_MAX } from "../../engine/money/int64.ts";
import type { ListedAsset, ListedChain, Listing } from "../../listing/listing.ts";
import {
  coinMarkets,
  devMarkets,
  HOUSE_FUNDS,
  HOUSE_MARGIN,
  MAKERS,
  type SimulatedContract,
  type SimulatedMarket,
  SMALL_LISTING,
  SPOT_MARKETS,
  TAKERS,
} from "./dev-markets.ts";
import { type Coin, HOUSE_WORTH, trimmed } from "./more-markets.ts";

/** The accounts of the dev profile that a person trades with. */
export const DEV_ACCOUNTS = ["alice", "bob"] as const;
export type DevAccount = (typeof DEV_ACCOUNTS)[number];

/** A key made outside: the engine neither draws secrets nor reads them. */
export interface DevKey {
  readonly accessId: string;
  readonly secretCipher: string;
}

const ACCOUNT_FUNDS = { USDT: "1000000", BTC: "10", ETH: "200", DSC: "1000000" };

/** The funds that the accounts have besides, in the futures account. */
const ACCOUNT_MARGIN = { USDT: "100000", BTC: "2" };
/**
 * The pool of the platform coin's market, and what each of its providers has in it: at the price that the market starts
 * with. So much that its share of the fees of all trade there is a yield of some tens of percent a year.
 */
const POOL = {
  market: "DSCUSDT",
  providers: { "provider-1": ["20000000", "1530000"], "provider-2": ["10000000", "765000"] },
} as const;

/** The funds that the insurance fund starts with. */
const INSURANCE = { USDT: "1000000", BTC: "20" };

/** The markets that are traded on margin, with their leverage, and what their lending pools start with. */
const MARGIN_MARKETS = [
  { market: "BTCUSDT", leverage: 5, baseCcy: "BTC", smallest: "0.0005", largest: "50" },
  { market: "ETHUSDT", leverage: 3, baseCcy: "ETH", smallest: "0.01", largest: "1000" },
] as const;
const LENDING_POOL = { USDT: "10000000", BTC: "200", ETH: "4000" };
const MARGIN_INSURANCE = { USDT: "100000", BTC: "2", ETH: "40" };

const ACTOR = "dev profile";

/**
 * The commands that make the dev profile's venue out of an empty one, to be submitted in one go. User ids are counted
 * from 1 in the order of creation: the accounts first, then those who move the market.
 */
export function devVenueCommands(
  keys: Readonly<Record<DevAccount, DevKey>>,
  spotMarkets: number = SPOT_MARKETS,
  given?: Listing,
): Command[] {
  const listing = given ?? SMALL_LISTING;
  const coins = given === undefined ? coinMarkets(spotMarkets) : [];
  const listed = [...listing.assets.map(assetOf), ...coins.map(({ coin }) => coinAsset(coin))];
  const commands: Command[] = [...listed, ...devMarkets(spotMarkets, given).map(marketListing)];
  if (listing.deduction_ccy !== undefined) {
    commands.push({ kind: "set_fee_deduction", actor: ACTOR, ccy: listing.deduction_ccy });
  }
  const { has, within } = boundsOf(listing);
  const coinFunds = Object.fromEntries(coins.map(({ coin: { ccy, houseFunds } }) => [ccy, houseFunds]));
  const houseFunds = { ...within(HOUSE_FUNDS, HOUSE_SHARE), ...houseFundsOf(listing), ...coinFunds };
  const houseMargin = { ...within(HOUSE_MARGIN, HOUSE_SHARE * 4), ...houseMarginOf(listing) };
  const markets = new Set(listing.spot.map(({ market }) => market));
  let userId = 0;
  for (const name of DEV_ACCOUNTS) {
    userId++;
    commands.push({ kind: "create_user", actor: ACTOR, name });
    commands.push({
      kind: "create_api_key",
      actor: ACTOR,
      userId,
      accessId: keys[name].accessId,
      secretCipher: keys[name].secretCipher,
      permissions: ["read", "trade", "withdraw"],
      ipWhitelist: [],
      expiredAt: 0,
      remark: `key of ${name}, made at the first start`,
    });
    commands.push(...deposits(userId, has(ACCOUNT_FUNDS), `starting funds of ${name}`));
    commands.push(...deposits(userId, has(ACCOUNT_MARGIN), `starting funds of ${name} for futures`));
    commands.push(...transfersToFutures(userId, has(ACCOUNT_MARGIN)));
  }
  for (const name of [...MAKERS, ...TAKERS]) {
    userId++;
    commands.push({ kind: "create_user", actor: ACTOR, name });
    // Fees would drain those who trade with each other all day and night.
    commands.push({ kind: "change_user", actor: ACTOR, userId, makerFeeRate: "0", takerFeeRate: "0" });
    commands.push(...deposits(userId, houseFunds, `funds of ${name}, which moves the market`));
    commands.push(...deposits(userId, houseMargin, `funds of ${name} for futures`));
    commands.push(...transfersToFutures(userId, houseMargin));
  }
  if (markets.has(POOL.market)) {
    commands.push({ kind: "set_pool", actor: ACTOR, market: POOL.market, type: "infinite" });
    for (const [name, [base, quote]] of Object.entries(POOL.providers)) {
      userId++;
      commands.push({ kind: "create_user", actor: ACTOR, name });
      commands.push(...deposits(userId, { DSC: base, USDT: quote }, `what ${name} provides`));
      const amounts = { baseAmount: base, quoteAmount: quote };
      commands.push({ kind: "add_liquidity", actor: ACTOR, userId, market: POOL.market, ...amounts });
    }
  }
  for (const [ccy, amount] of Object.entries(has(INSURANCE))) {
    const note = "what the insurance fund starts with";
    commands.push({ kind: "deposit", actor: ACTOR, cell: "sys:ins_futures", ccy, amount, note });
  }
  commands.push(...MARGIN_MARKETS.filter(({ market }) => markets.has(market)).map(marginMarket));
  for (const [cell, funds, note] of [
    ["sys:lend_pool", LENDING_POOL, "what the lending pool starts with"],
    ["sys:ins_margin", MARGIN_INSURANCE, "what the margin insurance fund starts with"],
  ] as const) {
    for (const [ccy, amount] of Object.entries(has(funds))) {
      commands.push({ kind: "deposit", actor: ACTOR, cell, ccy, amount, note });
    }
  }
  return commands;
}

function marginMarket({ market, leverage, baseCcy, smallest, largest }: (typeof MARGIN_MARKETS)[number]): Command {
  return {
    kind: "set_margin_market",
    actor: ACTOR,
    market,
    leverage,
    loans: [
      { ccy: baseCcy, minAmount: smallest, maxAmount: largest, dailyInterestRate: "0.0005" },
      { ccy: "USDT", minAmount: "10", maxAmount: "1000000", dailyInterestRate: "0.0009" },
    ],
  };
}

function deposits(userId: number, funds: Readonly<Record<string, string>>, note: string): Command[] {
  return Object.entries(funds).map(([ccy, amount]) => ({
    kind: "deposit",
    actor: ACTOR,
    userId,
    ccy,
    amount,
    note,
  }));
}

function transfersToFutures(userId: number, funds: Readonly<Record<string, string>>): Command[] {
  return Object.entries(funds).map(([ccy, amount]) => ({
    kind: "transfer",
    actor: ACTOR,
    userId,
    from: "SPOT",
    to: "FUTURES",
    ccy,
    amount,
  }));
}

function marketListing({ contract, ...character }: SimulatedMarket): Command {
  const { market, baseCcy, quoteCcy, amountPrecision, pricePrecision, minAmount, maxAmount, maxPrice } = character;
  return {
    kind: "list_market",
    actor: ACTOR,
    market,
    baseCcy,
    quoteCcy,
    amountPrecision,
    pricePrecision,
    minAmount,
    ...(maxAmount === undefined ? {} : { maxAmount }),
    ...(maxPrice === undefined ? {} : { maxPrice }),
    indexSources: character.sources.map(({ exchange, weight }) => ({ exchange, weight })),
    ...character.fees,
    ...(contract === undefined ? {} : { marketType: "FUTURES", ...termsOf(contract) }),
  };
}

function termsOf({ contractType, tickSize, leverages, levels }: SimulatedContract) {
  return { contractType, tickSize, leverages, levels };
}

function assetOf(asset: ListedAsset): ListAsset {
  return {
    kind: "list_asset",
    actor: ACTOR,
    ccy: asset.ccy,
    fullName: asset.full_name,
    scale: asset.decimals,
    ...(asset.max_units === undefined ? {} : { maxUnits: asset.max_units }),
    ...(asset.website_url === undefined ? {} : { websiteUrl: asset.website_url }),
    ...(asset.white_paper_url === undefined ? {} : { whitePaperUrl: asset.white_paper_url }),
    ...(asset.chains.length === 0 ? {} : { chains: asset.chains.map(chainOf) }),
  };
}

function chainOf(chain: ListedChain): AssetChain {
  return {
    chain: chain.chain,
    minDepositAmount: chain.min_deposit_amount,
    minWithdrawAmount: chain.min_withdraw_amount,
    depositEnabled: chain.deposit_enabled,
    withdrawEnabled: chain.withdraw_enabled,
    depositDelayMinutes: 0,
    safeConfirmations: chain.safe_confirmations,
    irreversibleConfirmations: chain.irreversible_confirmations,
    deflationRate: "0",
    withdrawalFee: chain.withdrawal_fee,
    withdrawalPrecision: chain.withdrawal_precision,
    memo: chain.memo,
    isMemoRequiredForDeposit: chain.is_memo_required_for_deposit,
    explorerAssetUrl: chain.explorer_asset_url,
    identity: chain.identity,
  };
}

type Funds = Readonly<Record<string, string>>;

/**
 * Each of the four who move the market has at most this share of what custody may reach, and a quarter of it for
 * futures.
 */
const HOUSE_SHARE = 10;

/** Funds as far as their currencies are listed, and as far as custody of them reaches. */
function boundsOf({ assets }: Listing) {
  const bounds = new Map(
    assets.map(({ ccy, decimals, max_units: max }) => [
      ccy,
      max === undefined ? INT64_MAX / 10n ** BigInt(decimals) : BigInt(max),
    ]),
  );
  const has = (funds: Funds): Funds => Object.fromEntries(Object.entries(funds).filter(([ccy]) => bounds.has(ccy)));
  const within = (funds: Funds, share: number): Funds =>
    Object.fromEntries(
      Object.entries(has(funds)).map(([ccy, amount]) => {
        const bound = (bounds.get(ccy) as bigint) / BigInt(share);
        return [ccy, BigInt(amount) > bound ? bound.toString() : amount];
      }),
    );
  return { has, within };
}

/**
 * Returns the funds that makers and takers have in currencies for which no funds are set: the same worth of each that
 * is traded.
 */
function houseFundsOf(listing: Listing): Funds {
  const traded = new Set(listing.spot.flatMap(({ base_ccy, quote_ccy }) => [base_ccy, quote_ccy]));
  const others = listing.assets.filter(({ ccy }) => traded.has(ccy) && !Object.hasOwn(HOUSE_FUNDS, ccy));
  const worth = others.map(({ ccy, decimals, usd_price: price }) => {
    const most = Number(INT64_MAX / 10n ** BigInt(decimals)) / HOUSE_SHARE;
    return [ccy, trimmed(Math.min(HOUSE_WORTH / Number(price), most), 0)];
  });
  return Object.fromEntries(worth);
}

/** The same for futures, of the currencies that inverse markets settle in. */
function houseMarginOf({ assets, futures }: Listing): Funds {
  const settling = new Set(futures.filter((each) => each.contract_type === "inverse").map(({ base_ccy: ccy }) => ccy));
  const others = assets.filter(({ ccy }) => settling.has(ccy) && !Object.hasOwn(HOUSE_MARGIN, ccy));
  return Object.fromEntries(
    others.map(({ ccy, usd_price: price }) => [ccy, trimmed(HOUSE_WORTH / 4 / Number(price), 0)]),
  );
}

/** A coin that comes with a market of its own: on one chain, which costs nothing to have. */
function coinAsset({ ccy, fullName }: Coin): ListAsset {
  const identity = token([...ccy].map((letter) => letter.charCodeAt(0).toString(16)).join(""));
  const terms = { smallest: "1", fee: "0.5", safe: 12, irreversible: 64, identity };
  return {
    kind: "list_asset",
    actor: ACTOR,
    ccy,
    fullName,
    scale: 8,
    maxUnits: "90000000000",
    chains: [chain("ERC20", terms)],
  };
}

interface ChainSettings {
  readonly smallest: string;
  readonly fee: string;
  readonly safe: number;
  readonly irreversible: number;
  readonly precision?: number;
  readonly identity?: string;
}

/** A chain that is open both ways and asks for no memo. The explorer's address leads nowhere, as .example promises. */
function chain(name: string, settings: ChainSettings): AssetChain {
  return {
    chain: name,
    minDepositAmount: settings.smallest,
    minWithdrawAmount: settings.smallest,
    depositEnabled: true,
    withdrawEnabled: true,
    depositDelayMinutes: 0,
    safeConfirmations: settings.safe,
    irreversibleConfirmations: settings.irreversible,
    deflationRate: "0",
    withdrawalFee: settings.fee,
    withdrawalPrecision: settings.precision ?? 8,
    memo: "",
    isMemoRequiredForDeposit: false,
    explorerAssetUrl: `https://explorer.example/${name.toLowerCase()}`,
    identity: settings.identity ?? "",
  };
}

/** A made-up contract address: no such contract exists, so that nobody takes the sandbox for the real thing. */
function token(mark: string): string {
  return `0x${mark.padStart(40, "0")}`;
}
