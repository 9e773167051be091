/** What is listed in a play, the insurance fund included. */
import type { Command } from "../../../src/engine/command.ts";
import type { ListMarket } from "../../../src/engine/listing/command-schemas.ts";
import { AMOUNT_PRECISION, MARKET_KEYS, MARKETS, type MarketKey, PRICE_PRECISION, SCALE, type Terms } from "./terms.ts";

export function listings(terms: Terms): Command[] {
  const commands: Command[] = ["BTC", "USDT", "DSC", "ETH", "USD"].map((ccy) => ({
    kind: "list_asset",
    ccy,
    scale: SCALE,
  }));
  for (const key of MARKET_KEYS)
    if (key !== "fresh") commands.push(MARKETS[key].isFutures ? futures(key, terms) : spot(key, terms));
  if (terms.fund !== "0") {
    commands.push({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount: terms.fund, note: "" });
    commands.push({
      kind: "deposit",
      cell: "sys:ins_futures",
      ccy: "BTC",
      amount: String(Number(terms.fund) / 50_000),
      note: "",
    });
  }
  return commands;
}

function common(key: MarketKey, { fees }: Terms) {
  const { name } = MARKETS[key];
  return {
    kind: "list_market",
    market: name,
    baseCcy: name.slice(0, 3),
    quoteCcy: name.slice(3),
    amountPrecision: AMOUNT_PRECISION[key],
    pricePrecision: PRICE_PRECISION[key],
    makerFeeRate: fees ? "0.0003" : "0",
    takerFeeRate: fees ? "0.0005" : "0",
  } as const;
}

/** As a market of spot is listed. */
export function spot(key: MarketKey, terms: Terms): ListMarket {
  const interruption = terms.interrupts ? { move: "0.1", windowMs: 60_000, auctionMs: 120_000 } : undefined;
  return { ...common(key, terms), minAmount: key === "coin" ? "1" : "0.0001", interruption };
}

/** How much of what a market counts a bitcoin is about worth: contracts of 1 USD, ETH. */
const OF_A_BITCOIN: Readonly<Partial<Record<MarketKey, number>>> = { inverse: 60_000, other: 20 };

function futures(key: MarketKey, terms: Terms): ListMarket {
  const isInverse = key === "inverse";
  const { maintenanceRate, initialRate, maxLeverage } = terms;
  const lots = (bitcoins: number) => String(bitcoins * (OF_A_BITCOIN[key] ?? 1));
  return {
    ...common(key, terms),
    marketType: "FUTURES",
    contractType: isInverse ? "inverse" : "linear",
    minAmount: { inverse: "10", other: "0.001" }[key as string] ?? "0.0001",
    maxAmount: lots(500),
    maxPrice: "600000",
    tickSize: "0.01",
    leverages: [1, 3, 5, 10, 20, 50, 100, 125].filter((leverage) => leverage <= maxLeverage),
    levels: [
      {
        amount: lots(50),
        leverage: maxLeverage,
        maintenanceMarginRate: maintenanceRate,
        minInitialMarginRate: initialRate,
      },
      { amount: lots(200), leverage: 20, maintenanceMarginRate: "0.025", minInitialMarginRate: "0.05" },
      { amount: lots(1000), leverage: 5, maintenanceMarginRate: "0.1", minInitialMarginRate: "0.2" },
    ],
  };
}
