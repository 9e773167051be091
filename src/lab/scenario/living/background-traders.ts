/** The users of a scenario's own: they keep books around an index and place the orders that the file says. */
import { ScenarioFault } from "../scenario.ts";
import type { Funds, LivingScenario } from "./living-scenario.ts";
import { ApiCaller, type OperatorLink } from "./venue-link.ts";

const ORDER = /^(\S+) (buy|sell) (\S+) (\S+?)( futures)?(?: @ (\S+))?$/;
const ORDER_RULE = "An order reads USER buy|sell AMOUNT MARKET [futures] [@ PRICE].";

/** A market as a scenario names it: "BTCUSDT", or "BTCUSDT futures". */
export interface MarketRef {
  readonly name: string;
  readonly isFutures: boolean;
}

export function marketRef(text: string): MarketRef {
  return { name: text.replace(/ futures$/, ""), isFutures: text.endsWith(" futures") };
}

/** Gives a user money, in spot and from there in futures where it is for that. */
export async function fund(operator: OperatorLink, userId: number, funds: Funds, caller: ApiCaller): Promise<void> {
  const note = "a scenario";
  for (const [ccy, amount] of [...Object.entries(funds.spot), ...Object.entries(funds.futures)]) {
    const { status } = await operator.call("POST", "/admin/deposits", { user_id: userId, ccy, amount, note });
    if (status === "pending")
      throw new ScenarioFault(
        `${amount} ${ccy} wait for a second operator: play on a venue without four-eyes, or with a higher bound.`,
      );
  }
  for (const [ccy, amount] of Object.entries(funds.futures)) {
    const body = { from_account_type: "SPOT", to_account_type: "FUTURES", ccy, amount };
    await must(caller, "/v2/assets/transfer", body);
  }
}

export class BackgroundTraders {
  readonly #operator: OperatorLink;
  readonly #scenario: LivingScenario;
  readonly #apiUrl: string;
  readonly #callers = new Map<string, ApiCaller>();
  /** Decimals of prices by market. */
  readonly #decimals = new Map<string, number>();
  /** The prices that the books stand around now, so that they are not made anew for nothing. */
  readonly #quoted = new Map<string, string>();
  readonly #premiums = new Map<string, number>();
  readonly #withdrawn = new Set<string>();

  constructor(operator: OperatorLink, apiUrl: string, scenario: LivingScenario) {
    this.#operator = operator;
    this.#apiUrl = apiUrl;
    this.#scenario = scenario;
  }

  get refused(): number {
    return [...this.#callers.values()].reduce((sum, { refused }) => sum + refused, 0);
  }

  /** Makes its users, with what they have. Names of users stay for ever, so those that are there already go on. */
  async enter(): Promise<void> {
    for (const [name, funds] of Object.entries(this.#scenario.traders)) {
      const { users } = await this.#operator.call("GET", `/admin/users?name=${encodeURIComponent(name)}`);
      const known = (users as { name: string; user_id: number }[]).find((user) => user.name === name);
      const { user_id } = known ?? (await this.#operator.call("POST", "/admin/users", { name }));
      const key = await this.#operator.call("POST", "/admin/api-keys", { user_id });
      const caller = new ApiCaller(this.#apiUrl, {
        accessId: String(key["access_id"]),
        secret: String(key["secret_key"]),
      });
      this.#callers.set(name, caller);
      await fund(this.#operator, Number(user_id), funds, caller);
    }
    for (const [market, { by }] of Object.entries(this.#scenario.quotes)) {
      this.#callerOf(by);
      const { name, isFutures } = marketRef(market);
      const found = await this.#operator.call(
        "GET",
        `/admin/markets/${name}?market_type=${isFutures ? "FUTURES" : "SPOT"}`,
      );
      this.#decimals.set(market, Number(found["quote_ccy_precision"]));
    }
  }

  /** Takes back its orders and its keys, as far as the venue still knows them: it may have gone back meanwhile. */
  async leave(): Promise<void> {
    for (const caller of this.#callers.values()) {
      for (const market of Object.keys(this.#scenario.quotes))
        await this.#cancel(caller, marketRef(market)).catch(() => {});
      await this.#operator.call("DELETE", `/admin/api-keys/${caller.accessId}`).catch(() => {});
    }
  }

  async place(line: string): Promise<void> {
    const [, user = "", side, amount, name = "", futures, price] = ORDER.exec(line.trim()) ?? [];
    if (side === undefined) throw new ScenarioFault(`${line}: ${ORDER_RULE}`);
    const isFutures = futures !== undefined;
    const type = price === undefined ? "market" : "limit";
    const order = { market: name, market_type: isFutures ? "FUTURES" : "SPOT", side, type, amount };
    // What a market order buys is said in the base currency, as it is of one that sells.
    const ccy = isFutures || price !== undefined ? {} : { ccy: name.replace(/USDT$/, "") };
    const body = { ...order, ...ccy, ...(price === undefined ? {} : { price }) };
    const { code, message } = await this.#callerOf(user).send(
      "POST",
      `/v2/${isFutures ? "futures" : "spot"}/order`,
      body,
    );
    // The market may just be closed, which is what the scenario is about.
    if (code !== 0) throw new ScenarioFault(`${line}: refused with code ${code}: ${message}`);
  }

  setPremium(market: string, share: number): void {
    this.#premiums.set(market, share);
  }

  async withdraw(market: string): Promise<void> {
    this.#withdrawn.add(market);
    const quotes = this.#scenario.quotes[market];
    if (quotes !== undefined) await this.#cancel(this.#callerOf(quotes.by), marketRef(market));
  }

  /** Moves the books around these prices of the index. */
  async quote(prices: ReadonlyMap<string, number>): Promise<void> {
    for (const [market, { by, levels, gap, amount }] of Object.entries(this.#scenario.quotes)) {
      const index = prices.get(market);
      if (index === undefined || this.#withdrawn.has(market)) continue;
      const middle = index * (1 + (this.#premiums.get(market) ?? 0));
      const decimals = this.#decimals.get(market) ?? 2;
      const text = middle.toFixed(decimals);
      if (this.#quoted.get(market) === text) continue;
      const ref = marketRef(market);
      const caller = this.#callerOf(by);
      await this.#cancel(caller, ref);
      const orders = Array.from({ length: levels }, (_, level) => level + 1).flatMap((level) =>
        (["buy", "sell"] as const).map((side) => ({
          market: ref.name,
          market_type: ref.isFutures ? "FUTURES" : "SPOT",
          side,
          type: "limit",
          amount,
          price: (middle * (1 + (side === "buy" ? -1 : 1) * gap * level)).toFixed(decimals),
        })),
      );
      await caller.send("POST", `/v2/${ref.isFutures ? "futures" : "spot"}/batch-order`, { orders });
      this.#quoted.set(market, text);
    }
  }

  async #cancel(caller: ApiCaller, { name, isFutures }: MarketRef): Promise<void> {
    const body = { market: name, market_type: isFutures ? "FUTURES" : "SPOT" };
    await caller.send("POST", `/v2/${isFutures ? "futures" : "spot"}/cancel-all-order`, body);
  }

  #callerOf(name: string): ApiCaller {
    const caller = this.#callers.get(name);
    if (caller === undefined) throw new ScenarioFault(`There is no user ${name} under "crowd".`);
    return caller;
  }
}

async function must(caller: ApiCaller, path: string, body: object): Promise<void> {
  const { code, message } = await caller.send("POST", path, body);
  if (code !== 0) throw new ScenarioFault(`${path} is refused with code ${code}: ${message}`);
}
