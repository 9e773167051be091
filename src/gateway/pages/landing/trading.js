// @ts-nocheck This runs in the browser; the types of the project are Node's.
/* The book of the market that is selected, and its latest deals. */
import { at, element, paintSoon, say } from "./elements.js";

export const LEVELS = 10;
const DEALS = 10;

export class Trading {
  #key;
  #depth;
  #deals = [];

  /** Begins with nothing: the venue sends all of it at once. */
  show(market) {
    if (market?.key === this.#key) return;
    this.#key = market?.key;
    this.forget();
    this.paint();
    if (market === undefined) return;
    const { product, market: name } = market;
    const title = product === "futures" ? `${name} perpetual` : name;
    say(at("book-title"), `Order book of ${title}`);
    say(at("deals-title"), `Latest deals in ${title}`);
    at("trade").href = `/trade/${product}/${encodeURIComponent(name)}`;
    at("trade").hidden = false;
  }

  forget() {
    this.#depth = undefined;
    this.#deals = [];
  }

  tookDepth(product, { market, depth }) {
    if (`${product}/${market}` !== this.#key) return;
    this.#depth = depth;
    paintSoon(this.#paintBook);
  }

  /** Newest first; what has come before comes again after a gap. */
  tookDeals(product, { market, deal_list: deals }) {
    if (`${product}/${market}` !== this.#key) return;
    const newest = this.#deals[0]?.deal_id ?? 0;
    this.#deals = [...deals.filter(({ deal_id }) => deal_id > newest), ...this.#deals].slice(0, DEALS);
    paintSoon(this.#paintDeals);
  }

  paint() {
    paintSoon(this.#paintBook);
    paintSoon(this.#paintDeals);
  }

  #paintBook = () => {
    const { bids = [], asks = [] } = this.#depth ?? {};
    paintLevels(at("bids"), bids.slice(0, LEVELS), "up");
    paintLevels(at("asks"), asks.slice(0, LEVELS), "down");
  };

  #paintDeals = () => {
    const rows = this.#deals.map(({ created_at, side, price, amount }) =>
      element("li", {}, [
        element("span", { class: "field quiet" }, new Date(created_at).toISOString().slice(11, 19)),
        element("span", { class: `field right ${side === "buy" ? "up" : "down"}` }, price),
        element("span", { class: "field right" }, amount),
      ]),
    );
    at("deals").replaceChildren(...orNothing(rows, "No deals yet."));
  };
}

function paintLevels(list, levels, direction) {
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
