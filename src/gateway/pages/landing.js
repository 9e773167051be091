// @ts-nocheck This runs in the browser; the types of the project are Node's.
/*
 * Keeps the figures of the landing page alive: it asks the venue's own public API, as any client could. What is shown of
 * an answer is set as text, never as markup.
 */
const REFRESH_MS = 2_000;
const CANDLES_EVERY = 15;
const PRODUCTS = ["spot", "futures"];
const LEVELS = 10;
const DEALS = 10;

const at = (id) => document.getElementById(id);
const candles = new Map();
let rounds = 0;
let selected;

for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;
for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", copy);
at("markets").addEventListener("click", (event) => {
  selected = event.target.closest("tr")?.dataset.market ?? selected;
  void refresh();
});
await beat();

/** One refresh after the other, and none while nobody looks. */
async function beat() {
  if (!document.hidden) await refresh();
  setTimeout(beat, REFRESH_MS);
}

async function refresh() {
  try {
    const [time, ...lists] = await Promise.all([read("/v2/time"), ...PRODUCTS.map(marketsOf)]);
    const markets = lists.flat();
    const chosen = markets.find(({ key }) => key === selected) ?? markets[0];
    selected = chosen?.key;
    if (rounds++ % CANDLES_EVERY === 0) await refreshCandles(markets);
    showMarkets(markets);
    if (chosen !== undefined) await showTrading(chosen);
    at("clock").textContent = new Date(time.timestamp).toISOString().replace("T", " ").slice(0, 19);
    showState(true);
  } catch {
    showState(false);
  }
}

/** The markets of a product, each with its ticker and index. A spot and a futures market may have the same name. */
async function marketsOf(product) {
  const [markets, tickers, indexes] = await Promise.all([
    read(`/v2/${product}/market`),
    read(`/v2/${product}/ticker`),
    read(`/v2/${product}/index`),
  ]);
  const [tickerOf, indexOf] = [byMarket(tickers), byMarket(indexes)];
  return markets.map((market) => ({
    ...market,
    product,
    key: `${product}/${market.market}`,
    ticker: tickerOf.get(market.market),
    index: indexOf.get(market.market)?.price,
  }));
}

async function read(path) {
  const envelope = await (await fetch(path)).json();
  if (envelope.code !== 0) throw new Error(envelope.message);
  return envelope.data;
}

function byMarket(rows) {
  return new Map(rows.map((row) => [row.market, row]));
}

async function refreshCandles(markets) {
  for (const { product, market, key } of markets) {
    candles.set(key, await read(`/v2/${product}/kline?market=${encodeURIComponent(market)}&period=1min&limit=60`));
  }
}

function showState(isServing) {
  at("state").textContent = isServing ? "serving" : "not reachable";
  at("dot").classList.toggle("down", !isServing);
}

function showMarkets(markets) {
  const rows = markets.map((market) => {
    const { ticker } = market;
    const hasTraded = ticker !== undefined && Number(ticker.last) > 0;
    const row = element("tr", {}, [
      element("td", {}, [element("button", { type: "button", class: "name" }, market.market), notesOf(market)]),
      cell(hasTraded ? ticker.last : "–"),
      hasTraded ? changeCell(ticker) : cell("–"),
      element("td", { class: "chart" }, [sparkline(candles.get(market.key) ?? [])]),
      cell(hasTraded ? ticker.high : "–"),
      cell(hasTraded ? ticker.low : "–"),
      cell(hasTraded ? `${compact(ticker.volume)} ${volumeCcyOf(market)}` : "–"),
      cell(market.index ?? "–"),
    ]);
    row.dataset.market = market.key;
    if (market.key === selected) row.setAttribute("aria-current", "true");
    return row;
  });
  const none = element("tr", {}, [element("td", { colspan: "8", class: "quiet" }, "No market is listed yet.")]);
  const focused = document.activeElement?.closest?.("tr")?.dataset.market;
  at("markets").replaceChildren(...(rows.length > 0 ? rows : [none]));
  rows
    .find((row) => row.dataset.market === focused)
    ?.querySelector("button")
    .focus();
}

/** Words beside a market's name: that it is a perpetual, and what keeps it from trading. */
function notesOf({ product, status }) {
  const words = [product === "futures" ? "perpetual" : "", status === "online" ? "" : status.replaceAll("_", " ")];
  return element("span", { class: "note" }, words.filter((word) => word !== "").join(", "));
}

/** Inverse contracts are counted in the quote currency, one each. */
function volumeCcyOf({ contract_type, base_ccy, quote_ccy }) {
  return contract_type === "inverse" ? quote_ccy : base_ccy;
}

function cell(text) {
  return element("td", { class: "number" }, text);
}

/** An arrow besides the colour, for those who cannot tell the colours apart. */
function changeCell({ last, open }) {
  const change = Number(open) > 0 ? (Number(last) / Number(open) - 1) * 100 : 0;
  const direction = change > 0 ? "up" : change < 0 ? "down" : "";
  const arrow = { up: "▲ ", down: "▼ ", "": "" }[direction];
  return element("td", { class: `number ${direction}` }, `${arrow}${Math.abs(change).toFixed(2)} %`);
}

function sparkline(rows) {
  // From the first price on, so that the first minute of a market is a line, too.
  const closes = [...rows.slice(0, 1).map(({ open }) => Number(open)), ...rows.map(({ close }) => Number(close))];
  const svg = svgElement("svg", { width: "120", height: "28", viewBox: "0 0 120 28", "aria-hidden": "true" });
  if (closes.length < 2) return svg;
  const low = Math.min(...closes);
  const span = Math.max(...closes) - low || 1;
  const points = closes.map((close, index) => {
    const x = (index / (closes.length - 1)) * 118 + 1;
    return `${x.toFixed(1)} ${(26 - ((close - low) / span) * 24).toFixed(1)}`;
  });
  svg.setAttribute("class", closes.at(-1) >= closes[0] ? "up" : "down");
  svg.append(svgElement("path", { d: `M${points.join("L")}` }));
  return svg;
}

async function showTrading({ product, market }) {
  const name = encodeURIComponent(market);
  const [book, deals] = await Promise.all([
    read(`/v2/${product}/depth?market=${name}&limit=${LEVELS}&interval=0`),
    read(`/v2/${product}/deals?market=${name}&limit=${DEALS}`),
  ]);
  const title = product === "futures" ? `${market} perpetual` : market;
  at("book-title").textContent = `Order book of ${title}`;
  at("deals-title").textContent = `Latest deals in ${title}`;
  showLevels(at("bids"), book.depth.bids, "up");
  showLevels(at("asks"), book.depth.asks, "down");
  const rows = deals.map(({ created_at, side, price, amount }) =>
    element("li", {}, [
      element("span", { class: "field quiet" }, new Date(created_at).toISOString().slice(11, 19)),
      element("span", { class: `field right ${side === "buy" ? "up" : "down"}` }, price),
      element("span", { class: "field right" }, amount),
    ]),
  );
  at("deals").replaceChildren(...orNothing(rows, "No deals yet."));
}

function showLevels(list, levels, direction) {
  const most = Math.max(...levels.map(([, amount]) => Number(amount)));
  const rows = levels.map(([price, amount]) => {
    const row = element("li", {}, [element("span", {}, amount), element("span", { class: direction }, price)]);
    row.style.setProperty("--depth", `${((Number(amount) / most) * 100).toFixed(0)}%`);
    return row;
  });
  list.replaceChildren(...orNothing(rows, "Nobody."));
}

function orNothing(rows, text) {
  return rows.length > 0 ? rows : [element("li", { class: "quiet" }, text)];
}

function compact(text) {
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 }).format(Number(text));
}

async function copy(event) {
  const button = event.currentTarget;
  await navigator.clipboard.writeText(at(button.dataset.copy).textContent);
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1_500);
}

/** `content` is text or a list of elements. */
function element(name, attributes, content) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  if (Array.isArray(content)) made.append(...content);
  else made.textContent = content;
  return made;
}

function svgElement(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
