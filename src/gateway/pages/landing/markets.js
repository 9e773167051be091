// @ts-nocheck This runs in the browser; the types of the project are Node's.
/* All markets of the venue, of which a table shows the most traded ones, or those that somebody looks for. */
import { at, element, paintSoon, say } from "./elements.js";
import { LastHour, sparkline } from "./sparkline.js";
import { read } from "./venue.js";

export const PRODUCTS = ["spot", "futures"];
/** More would be a list for the terminal. */
const ROWS_MAX = 12;
/** Up to so many markets the page hears of all of them, and so of new ones at once. */
const HEARD_MAX = 60;
/** What counts as the dollar in which turnovers are compared. */
const DOLLARS = ["USDT", "USD"];

export class Markets {
  /** By `PRODUCT/NAME`: a spot and a futures market may have the same name. */
  #known = new Map();
  #shown = [];
  #rows = new Map();
  #clock;
  #changed;
  selected;

  /** `changed()` is called when other markets are shown, or another one is selected. */
  constructor(clock, changed) {
    this.#clock = clock;
    this.#changed = changed;
    at("find").addEventListener("input", () => this.#choose());
    at("markets").addEventListener("click", ({ target }) => this.#select(target.closest("tr")?.dataset.market));
  }

  get(key) {
    return this.#known.get(key);
  }

  get shown() {
    return this.#shown;
  }

  /** Whether the page follows every market there is, and not only those that it shows. */
  get hearsAll() {
    return this.#known.size <= HEARD_MAX;
  }

  /** Reads what there is. */
  async load() {
    const lists = await Promise.all(PRODUCTS.map(marketsOf));
    const known = lists.flat().map((market) => {
      const lastHour = this.#known.get(market.key)?.lastHour ?? new LastHour();
      return [market.key, { ...market, lastHour }];
    });
    this.#known = new Map(known);
    rank(this.#known);
    this.#choose();
    await this.loadCandles(this.#shown);
  }

  /** Forgets what may never have been. */
  forget() {
    for (const market of this.#known.values()) market.lastHour = new LastHour();
  }

  async loadCandles(markets = this.#shown) {
    const loaded = markets.map(async ({ key, product, market }) => {
      const candles = await read(`/v2/${product}/kline?market=${encodeURIComponent(market)}&period=1min&limit=60`);
      const known = this.#known.get(key);
      if (known === undefined) return;
      known.lastHour.read(candles);
      known.hasCandles = true;
    });
    await Promise.all(loaded);
    this.paint();
  }

  /** A ticker has come; false when it is of a market that nobody knows yet. */
  took(product, state) {
    const market = this.#known.get(`${product}/${state.market}`);
    if (market === undefined) return false;
    market.ticker = state;
    market.index = state.index_price ?? market.index;
    if (hasTraded(market)) market.lastHour.grow(this.#clock.now, Number(state.last));
    this.#paintOne(market);
    return true;
  }

  tookIndex(product, { market: name, index_price: price }) {
    const market = this.#known.get(`${product}/${name}`);
    if (market === undefined) return;
    market.index = price;
    this.#paintOne(market);
  }

  paint() {
    for (const market of this.#shown) this.#paintOne(market);
  }

  #paintOne({ key }) {
    const row = this.#rows.get(key);
    if (row !== undefined) paintSoon(row.paint);
  }

  #select(key) {
    if (key === undefined || key === this.selected) return;
    this.selected = key;
    this.#mark();
    this.#changed();
  }

  #choose() {
    const all = [...this.#known.values()];
    const sought = at("find").value.trim().toUpperCase();
    const found = sought === "" ? all : all.filter(({ market }) => market.toUpperCase().includes(sought));
    this.#shown = found.slice(0, ROWS_MAX);
    this.#sayMore(all.length, found.length, sought);
    if (!this.#known.has(this.selected)) this.selected = this.#shown[0]?.key ?? all[0]?.key;
    this.#show(sought);
    const unknown = this.#shown.filter(({ hasCandles }) => !hasCandles);
    if (sought !== "" && unknown.length > 0) this.loadCandles(unknown).catch(() => {});
    this.#changed();
  }

  #sayMore(all, found, sought) {
    const count = (number) => number.toLocaleString("en");
    at("finding").hidden = all <= ROWS_MAX;
    const text =
      all <= ROWS_MAX
        ? ""
        : sought === ""
          ? `These are the ${ROWS_MAX} most traded markets; there are ${count(all - ROWS_MAX)} more.`
          : `${count(found)} of ${count(all)} markets have “${sought}” in their ` +
            `name${found > ROWS_MAX ? `; the ${ROWS_MAX} most traded of them are shown` : ""}.`;
    say(at("more"), text);
  }

  #show(sought) {
    const before = this.#rows;
    this.#rows = new Map(
      this.#shown.map((market) => {
        const row = before.get(market.key) ?? this.#rowOf(market);
        return [market.key, row];
      }),
    );
    const text = sought === "" ? "No market is listed yet." : "No market has that in its name.";
    const none = element("tr", {}, [element("td", { colspan: "8", class: "quiet" }, text)]);
    const rows = [...this.#rows.values()].map(({ row }) => row);
    const isSame = rows.length > 0 && rows.length === at("markets").rows.length;
    if (!isSame || rows.some((row, index) => at("markets").rows[index] !== row)) {
      const focused = document.activeElement;
      at("markets").replaceChildren(...(rows.length > 0 ? rows : [none]));
      if (at("markets").contains(focused)) focused.focus();
    }
    this.#mark();
    this.paint();
  }

  #mark() {
    for (const [key, { row }] of this.#rows) {
      if (key === this.selected) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  #rowOf({ key, market: name }) {
    const note = element("span", { class: "note" }, "");
    const { svg, draw } = sparkline();
    const cell = (content = "–", type = "number") => element("td", { class: type }, content);
    const [last, change, high, low, volume, index] = Array.from({ length: 6 }, () => cell());
    const head = element("td", {}, [element("button", { type: "button", class: "name" }, name), note]);
    const row = element("tr", {}, [head, last, change, cell([svg], "chart"), high, low, volume, index]);
    row.dataset.market = key;
    const paint = () => {
      const market = this.#known.get(key);
      if (market === undefined) return;
      const { ticker } = market;
      const traded = hasTraded(market);
      say(note, notesOf(market));
      say(last, traded ? ticker.last : "–");
      paintChange(change, traded ? ticker : undefined);
      say(high, traded ? ticker.high : "–");
      say(low, traded ? ticker.low : "–");
      say(volume, traded ? `${compact(ticker.volume)} ${volumeCcyOf(market)}` : "–");
      say(index, market.index ?? "–");
      draw(market.lastHour.path(this.#clock.now));
    };
    return { row, paint };
  }
}

/** The markets of a product, each with its ticker and index. */
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

function byMarket(rows) {
  return new Map(rows.map((row) => [row.market, row]));
}

/**
 * Brings the most traded ones to the front where there are more than are shown; otherwise they stand as they were
 * listed.
 */
function rank(known) {
  if (known.size <= ROWS_MAX) return;
  const ranked = [...known].map((entry) => ({ entry, turnover: turnoverOf(entry[1], known) }));
  ranked.sort((one, other) => other.turnover - one.turnover);
  known.clear();
  for (const { entry } of ranked) known.set(...entry);
}

/** What was traded in 24 hours, in dollars by index; enough to compare by. */
function turnoverOf(market, known) {
  const { ticker, quote_ccy: quote } = market;
  if (ticker === undefined) return 0;
  if (market.contract_type === "inverse") return Number(ticker.volume);
  const price = DOLLARS.includes(quote) ? 1 : Number(known.get(`spot/${quote}USDT`)?.index ?? 0);
  return Number(ticker.value) * price;
}

function hasTraded({ ticker }) {
  return ticker !== undefined && Number(ticker.last) > 0;
}

/** Words beside a market's name: that it is a perpetual, and what keeps it from trading. */
function notesOf({ product, status }) {
  const words = [product === "futures" ? "perpetual" : "", status === "online" ? "" : status.replaceAll("_", " ")];
  return words.filter((word) => word !== "").join(", ");
}

/** Inverse contracts are counted in the quote currency, one each. */
function volumeCcyOf({ contract_type, base_ccy, quote_ccy }) {
  return contract_type === "inverse" ? quote_ccy : base_ccy;
}

/** An arrow besides the colour, for those who cannot tell the colours apart. */
function paintChange(cell, ticker) {
  const change =
    ticker !== undefined && Number(ticker.open) > 0 ? (Number(ticker.last) / Number(ticker.open) - 1) * 100 : 0;
  const direction = change > 0 ? "up" : change < 0 ? "down" : "";
  const arrow = { up: "▲ ", down: "▼ ", "": "" }[direction];
  cell.className = `number ${direction}`;
  say(cell, ticker === undefined ? "–" : `${arrow}${Math.abs(change).toFixed(2)} %`);
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

function compact(text) {
  return COMPACT.format(Number(text));
}
