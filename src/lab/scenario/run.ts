import type { Command } from "../../engine/command.ts";
import { cycleOf } from "../../engine/futures/funding/cycle.ts";
import { atMark, cashOf, marginOf, positionsOf } from "../../engine/futures/positions/account-sums.ts";
import { LIQUIDATOR } from "../../engine/futures/positions/futures-account.ts";
import { rowOf } from "../../engine/futures/positions/futures-seat.ts";
import { CELL, cellKey, VENUE } from "../../engine/ledger/cell.ts";
import type { Asset } from "../../engine/listing/asset.ts";
import type { ListMarket } from "../../engine/listing/command-schemas.ts";
import type { Market } from "../../engine/listing/market.ts";
import { formatDecimal, parseDecimal } from "../../engine/money/decimal.ts";
import { NONE } from "../../engine/trading/order.ts";
import { orderOf } from "./order-line.ts";
import { type Scenario, ScenarioFault, type ScenarioUser, type Step } from "./scenario.ts";
import { Stage } from "./stage.ts";
import { type Entry, FUND, Transcript } from "./transcript.ts";

/** A source repeats its price this often, well before the index would drop it. */
const SPEAK_EVERY_MS = 5_000;

/** How a scenario went. */
export interface Played {
  readonly entries: readonly Entry[];
  /** The result of each futures account, by user and currency. */
  readonly ends: readonly End[];
  readonly money: ReturnType<Stage["balance"]>;
  /** Expectations that did not come true, as sentences. */
  readonly missed: readonly string[];
  readonly commands: number;
}

/** The money that a user put in, has, and holds at the end; decimals of the currency. */
export interface End {
  readonly who: string;
  readonly ccy: string;
  readonly paidIn: string;
  readonly cash: string;
  readonly margin: string;
  readonly unrealized: string;
  readonly change: string;
}

/**
 * Plays a scenario. Throws ScenarioFault when it cannot be played, and Error when the engine is not sound after a
 * command.
 */
export function play(scenario: Scenario): Played {
  return new Play(scenario).run();
}

class Play {
  readonly #scenario: Scenario;
  readonly #stage: Stage;
  readonly #transcript: Transcript;
  readonly #users = new Map<string, number>();
  /** The prices that the sources of a market state, in ticks, and when they stated them last. */
  readonly #prices = new Map<string, bigint>();
  readonly #spokenAt = new Map<string, number>();
  readonly #silent = new Map<string, readonly string[]>();
  readonly #astray = new Map<string, Readonly<Record<string, string>>>();
  readonly #missed: string[] = [];

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    const names = ["", ...Object.keys(scenario.users)];
    names.forEach((name, id) => {
      if (id > 0) this.#users.set(name, id);
    });
    this.#transcript = new Transcript(names, () => this.#stage.state);
    this.#stage = new Stage(scenario.startMs, (events) => this.#transcript.hear(events));
  }

  run(): Played {
    this.#prepare();
    this.#scenario.steps.forEach((step, at) => {
      inPlace(`Step ${at + 1}`, () => this.#do(step));
    });
    return {
      entries: this.#transcript.entries,
      ends: this.#ends(),
      money: this.#stage.balance(),
      missed: this.#missed,
      commands: this.#stage.commands,
    };
  }

  #prepare(): void {
    const { assets, markets, insurance, users } = this.#scenario;
    for (const [ccy, scale] of Object.entries(assets)) {
      inPlace(`assets.${ccy}`, () => this.#stage.play({ kind: "list_asset", ccy, scale }));
    }
    for (const { market, sources, settings } of markets) {
      const indexSources = Object.entries(sources).map(([exchange, weight]) => ({ exchange, weight }));
      const listing = { kind: "list_market", marketType: "FUTURES", market, indexSources, ...settings };
      inPlace(`The market ${market}`, () => this.#stage.play(listing as unknown as ListMarket));
    }
    for (const [ccy, amount] of Object.entries(insurance)) {
      const deposit = { kind: "deposit", cell: "sys:ins_futures", ccy, amount, note: "insurance" } as const;
      inPlace(`insurance.${ccy}`, () => this.#stage.play(deposit));
    }
    for (const [name, user] of Object.entries(users)) inPlace(`users.${name}`, () => this.#admit(name, user));
  }

  #admit(name: string, { funds, hedge, markets }: ScenarioUser): void {
    const userId = this.#userId(name);
    this.#stage.play({ kind: "create_user", name });
    for (const [ccy, amount] of Object.entries(funds)) {
      inPlace(`funds.${ccy}`, () => {
        this.#stage.play({ kind: "deposit", userId, ccy, amount, note: "funds" });
        this.#stage.play({ kind: "transfer", userId, from: "SPOT", to: "FUTURES", ccy, amount });
      });
    }
    if (hedge) this.#stage.play({ kind: "change_futures_settings", userId, positionMode: "hedge" });
    for (const [market, text] of Object.entries(markets)) {
      inPlace(`markets.${market}`, () => {
        const [marginMode = "", leverage = ""] = text.split(" ");
        const marketId = this.#market(market).id;
        this.#stage.play({ kind: "set_leverage", userId, marketId, marginMode, leverage: Number(leverage) });
      });
    }
  }

  #do(step: Step): void {
    switch (step.do) {
      case "note":
        this.#transcript.entries.push({ timeMs: this.#stage.timeMs, who: "", market: "", what: step.text, money: "" });
        break;
      case "orders":
        for (const line of step.orders) inPlace(line, () => this.#stage.play(this.#order(line)));
        break;
      case "cancel": {
        const [user = "", market = ""] = step.whose.split(" ");
        const marketId = this.#market(market).id;
        this.#stage.play({ kind: "cancel_all_orders", userId: this.#userId(user), marketId, account: "futures" });
        break;
      }
      case "astray":
        this.#astray.clear();
        for (const [market, prices] of Object.entries(step.prices)) {
          this.#mustBeSources(market, Object.keys(prices));
          this.#astray.set(market, prices);
        }
        this.#speak(Object.keys(step.prices));
        break;
      case "silence":
        this.#silent.clear();
        for (const [market, sources] of Object.entries(step.sources)) {
          this.#mustBeSources(market, sources);
          this.#silent.set(market, sources);
        }
        break;
      case "pass":
        this.#pass(step);
        break;
      case "expect":
        for (const [figure, wanted] of Object.entries(step.figures)) {
          const found = this.#figure(figure);
          if (found !== wanted) this.#missed.push(`${figure} should be ${wanted} and is ${found}.`);
        }
    }
  }

  #order(line: string): Command {
    return orderOf(line, { userId: (name) => this.#userId(name), market: (name) => this.#market(name) });
  }

  /** Advances time tick by tick; on each prices move a little further and the sources speak. */
  #pass({ ms, tickMs, index }: Extract<Step, { do: "pass" }>): void {
    const stage = this.#stage;
    const from = stage.timeMs;
    const paths = Object.entries(index).map(([name, text]) => {
      const to = parseDecimal(text, this.#market(name).pricePrecision);
      if (to === undefined)
        throw new ScenarioFault(
          `The price ${text} of ${name} is no decimal with at most ${this.#market(name).pricePrecision} decimals.`,
        );
      return { name, to, start: this.#prices.get(name) ?? to };
    });
    for (;;) {
      const passed = stage.timeMs - from;
      for (const { name, to, start } of paths) {
        this.#prices.set(name, ms === 0 ? to : start + ((to - start) * BigInt(passed)) / BigInt(ms));
      }
      this.#speak(paths.map(({ name }) => name));
      if (passed >= ms) return;
      stage.timeMs = Math.min(stage.timeMs + tickMs, from + ms);
      stage.play({ kind: "tick" });
    }
  }

  /** The sources of the named markets say their price, and others repeat theirs when it is time. */
  #speak(moved: readonly string[]): void {
    for (const { market, sources } of this.#scenario.markets) {
      const price = this.#prices.get(market);
      const isDue = this.#stage.timeMs - (this.#spokenAt.get(market) ?? 0) >= SPEAK_EVERY_MS;
      if (price === undefined || !(isDue || moved.includes(market))) continue;
      const silent = this.#silent.get(market) ?? [];
      const own = this.#astray.get(market);
      const shown = formatDecimal(price, this.#market(market).pricePrecision);
      const said = Object.keys(sources)
        .filter((exchange) => !silent.includes(exchange))
        .map((exchange) => ({ exchange, price: own?.[exchange] ?? shown }));
      this.#spokenAt.set(market, this.#stage.timeMs);
      if (said.length > 0) {
        this.#stage.play({ kind: "set_index_prices", market, marketType: "FUTURES", sources: said });
      }
    }
  }

  #mustBeSources(market: string, names: readonly string[]): void {
    const { sources = {} } = this.#scenario.markets.find((one) => one.market === this.#market(market).name) ?? {};
    const odd = names.find((name) => sources[name] === undefined);
    if (odd !== undefined) throw new ScenarioFault(`${market} has no source ${odd}.`);
  }

  /** A figure by its name, as docs/guides/scenarios.md lists them. */
  #figure(name: string): string {
    const { state } = this.#stage;
    const [kind = "", first = "", second = ""] = name.split(" ");
    switch (kind) {
      case "index":
        return formatDecimal(this.#market(first).index.price, this.#market(first).pricePrecision);
      case "mark":
        return formatDecimal(state.futures.live.mark(this.#market(first).id), this.#market(first).pricePrecision);
      case "interval":
        return `${cycleOf(state, this.#market(first)).watch.intervalH}h`;
      case "fund":
        return formatDecimal(this.#fund(this.#asset(first)), this.#asset(first).scale);
      case "cash":
        return this.#cash(this.#userId(first), second);
      case "position":
        return this.#position(this.#userId(first), this.#market(second));
      case "happened":
        return String(
          this.#transcript.entries.filter(({ what }) => what.includes(name.slice("happened ".length))).length,
        );
      default:
        throw new ScenarioFault(`There is no figure ${name}.`);
    }
  }

  /** Units that the insurance fund of a currency holds. */
  #fund({ id }: Asset): bigint {
    const { ledger } = this.#stage.state;
    const cell = ledger.find(cellKey(CELL.insurance_futures, VENUE, id));
    return cell < 0 ? 0n : ledger.available(cell);
  }

  #cash(userId: number, ccy: string): string {
    const asset = this.#asset(ccy);
    const account = this.#stage.state.futures.accounts.find(userId, asset.id);
    return formatDecimal(account === NONE ? 0n : cashOf(this.#stage.state, account), asset.scale);
  }

  /** "long 0.5", "short 2", both with a comma, or "none". */
  #position(userId: number, market: Market): string {
    const { state } = this.#stage;
    const row = rowOf(state, userId, market.id);
    const held = [false, true].flatMap((isShort) => {
      const slot = row === NONE ? NONE : state.futures.seats.position(row, isShort);
      if (slot === NONE) return [];
      return [
        `${isShort ? "short" : "long"} ${formatDecimal(state.futures.positions.amount(slot), market.amountPrecision)}`,
      ];
    });
    return held.length === 0 ? "none" : held.join(", ");
  }

  #ends(): End[] {
    const { state } = this.#stage;
    const ends: End[] = [];
    for (const [who, userId] of [...this.#users, [FUND, LIQUIDATOR] as const]) {
      for (const asset of state.assets) {
        const { id, ccy, scale } = asset;
        const account = state.futures.accounts.find(userId, id);
        const funds = userId === LIQUIDATOR ? this.#scenario.insurance : this.#scenario.users[who]?.funds;
        const paidIn = parseDecimal(funds?.[ccy] ?? "0", scale) ?? 0n;
        if (account === NONE && (userId !== LIQUIDATOR || (paidIn === 0n && this.#fund(asset) === 0n))) continue;
        const cash = userId === LIQUIDATOR ? this.#fund(asset) : cashOf(state, account);
        let margin = 0n;
        let unrealized = 0n;
        for (const slot of account === NONE ? [] : positionsOf(state, account)) {
          margin += marginOf(state, slot);
          unrealized += atMark(state, slot).unrealized;
        }
        const show = (units: bigint) => formatDecimal(units, scale);
        const change = cash + margin + unrealized - paidIn;
        ends.push({
          who,
          ccy,
          paidIn: show(paidIn),
          cash: show(cash),
          margin: show(margin),
          unrealized: show(unrealized),
          change: show(change),
        });
      }
    }
    return ends;
  }

  #userId(name: string): number {
    const id = this.#users.get(name);
    if (id === undefined) throw new ScenarioFault(`There is no user ${name}.`);
    return id;
  }

  #market(name: string): Market {
    const market = this.#stage.state.futuresByName.get(name);
    if (market === undefined) {
      throw new ScenarioFault(name === "" ? "The name of a market is missing." : `There is no market ${name}.`);
    }
    return market;
  }

  #asset(ccy: string): Asset {
    const asset = this.#stage.state.assetByCcy.get(ccy);
    if (asset === undefined) throw new ScenarioFault(`There is no currency ${ccy}.`);
    return asset;
  }
}

/** Does `work`, and says where in the file it was when it finds a fault. */
function inPlace(place: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ScenarioFault)) throw error;
    throw new ScenarioFault(`${place}: ${error.message}`, { cause: error });
  }
}
