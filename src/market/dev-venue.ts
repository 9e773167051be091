import type { Command } from "../engine/command.ts";
import type { AssetChain, ListAsset } from "../engine/listing/forms.ts";
import {
  coinMarkets,
  devMarkets,
  HOUSE_FUNDS,
  HOUSE_MARGIN,
  MAKERS,
  type SimulatedContract,
  type SimulatedMarket,
  SPOT_MARKETS,
  TAKERS,
} from "./dev-markets.ts";
import type { Coin } from "./more-markets.ts";

/** The accounts of the dev profile that a person trades with. */
export const DEV_ACCOUNTS = ["alice", "bob"] as const;
export type DevAccount = (typeof DEV_ACCOUNTS)[number];

/** A key made outside: the engine neither draws secrets nor reads them. */
export interface DevKey {
  readonly accessId: string;
  readonly secretCipher: string;
}

const SPOT_FEES = { makerFeeRate: "0.001", takerFeeRate: "0.002" };
const FUTURES_FEES = { makerFeeRate: "0.0003", takerFeeRate: "0.0005" };

const ACCOUNT_FUNDS = { USDT: "1000000", BTC: "10", ETH: "200", DSC: "1000000" };

/** What the accounts have besides, in the futures account. */
const ACCOUNT_MARGIN = { USDT: "100000", BTC: "2" };
/**
 * The pool of the platform coin's market, and what each of its providers has in it: at the price that the market starts with. So much that
 * its share of the fees of all trade there is a yield of some tens of percent a year.
 */
const POOL = {
  market: "DSCUSDT",
  providers: { "provider-1": ["20000000", "1530000"], "provider-2": ["10000000", "765000"] },
} as const;

/** What the insurance fund starts with. */
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
 * The commands that make the dev profile's venue out of an empty one, to be submitted in one go. User ids are counted from
 * 1 in the order of creation: the accounts first, then those who move the market.
 */
export function devVenueCommands(
  keys: Readonly<Record<DevAccount, DevKey>>,
  spotMarkets: number = SPOT_MARKETS,
): Command[] {
  const coins = coinMarkets(spotMarkets);
  const listed = [...ASSETS, ...coins.map(({ coin }) => coinAsset(coin))];
  const commands: Command[] = [...listed, ...devMarkets(spotMarkets).map(listing)];
  const coinFunds = Object.fromEntries(coins.map(({ coin: { ccy, houseFunds } }) => [ccy, houseFunds]));
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
    commands.push(...deposits(userId, ACCOUNT_FUNDS, `starting funds of ${name}`));
    commands.push(...deposits(userId, ACCOUNT_MARGIN, `starting funds of ${name} for futures`));
    commands.push(...transfersToFutures(userId, ACCOUNT_MARGIN));
  }
  for (const name of [...MAKERS, ...TAKERS]) {
    userId++;
    commands.push({ kind: "create_user", actor: ACTOR, name });
    // Fees would drain those who trade with each other all day and night.
    commands.push({ kind: "change_user", actor: ACTOR, userId, makerFeeRate: "0", takerFeeRate: "0" });
    commands.push(...deposits(userId, { ...HOUSE_FUNDS, ...coinFunds }, `funds of ${name}, which moves the market`));
    commands.push(...deposits(userId, HOUSE_MARGIN, `funds of ${name} for futures`));
    commands.push(...transfersToFutures(userId, HOUSE_MARGIN));
  }
  commands.push({ kind: "set_pool", actor: ACTOR, market: POOL.market, type: "infinite" });
  for (const [name, [base, quote]] of Object.entries(POOL.providers)) {
    userId++;
    commands.push({ kind: "create_user", actor: ACTOR, name });
    commands.push(...deposits(userId, { DSC: base, USDT: quote }, `what ${name} provides`));
    const amounts = { baseAmount: base, quoteAmount: quote };
    commands.push({ kind: "add_liquidity", actor: ACTOR, userId, market: POOL.market, ...amounts });
  }
  for (const [ccy, amount] of Object.entries(INSURANCE)) {
    const note = "what the insurance fund starts with";
    commands.push({ kind: "deposit", actor: ACTOR, cell: "sys:ins_futures", ccy, amount, note });
  }
  commands.push(...MARGIN_MARKETS.map(marginMarket));
  for (const [cell, funds, note] of [
    ["sys:lend_pool", LENDING_POOL, "what the lending pool starts with"],
    ["sys:ins_margin", MARGIN_INSURANCE, "what the margin insurance fund starts with"],
  ] as const) {
    for (const [ccy, amount] of Object.entries(funds)) {
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

function listing({ contract, ...character }: SimulatedMarket): Command {
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
    maxAmount,
    maxPrice,
    indexSources: character.sources.map(({ exchange, weight }) => ({ exchange, weight })),
    ...(contract === undefined ? SPOT_FEES : { marketType: "FUTURES", ...FUTURES_FEES, ...termsOf(contract) }),
  };
}

function termsOf({ contractType, tickSize, leverages, levels }: SimulatedContract) {
  return { contractType, tickSize, leverages, levels };
}

/** `max_units` are the most that int64 holds at the scale, rounded down to a figure that a person can remember. */
const ASSETS: readonly ListAsset[] = [
  {
    kind: "list_asset",
    actor: ACTOR,
    ccy: "BTC",
    fullName: "Bitcoin",
    scale: 8,
    maxUnits: "90000000000",
    websiteUrl: "https://bitcoin.org",
    whitePaperUrl: "https://bitcoin.org/bitcoin.pdf",
    chains: [chain("BTC", { smallest: "0.0002", fee: "0.0001", safe: 1, irreversible: 2 })],
  },
  {
    kind: "list_asset",
    actor: ACTOR,
    ccy: "ETH",
    fullName: "Ethereum",
    // Ten decimals rather than eighteen: 900 million ether fit, see domain 1.2.
    scale: 10,
    maxUnits: "900000000",
    websiteUrl: "https://ethereum.org",
    whitePaperUrl: "https://ethereum.org/whitepaper",
    chains: [chain("ERC20", { smallest: "0.005", fee: "0.001", safe: 12, irreversible: 64 })],
  },
  {
    kind: "list_asset",
    actor: ACTOR,
    ccy: "USDT",
    fullName: "Tether USD",
    scale: 8,
    maxUnits: "90000000000",
    websiteUrl: "https://tether.to",
    chains: [
      chain("ERC20", { smallest: "10", fee: "3", safe: 12, irreversible: 64, precision: 6, identity: token("a1") }),
      chain("TRC20", { smallest: "2", fee: "1", safe: 20, irreversible: 40, precision: 6, identity: "TDevUsdt1" }),
    ],
  },
  {
    // Nobody holds it: it is what inverse contracts are counted in.
    kind: "list_asset",
    actor: ACTOR,
    ccy: "USD",
    fullName: "United States dollar",
    scale: 8,
    maxUnits: "90000000000",
  },
  {
    kind: "list_asset",
    actor: ACTOR,
    ccy: "DSC",
    fullName: "Discount Coin",
    scale: 8,
    maxUnits: "90000000000",
    chains: [
      chain("DSC", { smallest: "100", fee: "10", safe: 6, irreversible: 12 }),
      chain("ERC20", { smallest: "500", fee: "200", safe: 12, irreversible: 64, identity: token("d5c") }),
    ],
  },
];

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
