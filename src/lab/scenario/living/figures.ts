/** Figures of a bot's account, by the names that docs/guides/scenarios.md lists, and how they are compared. */
import { parseSignedDecimal } from "../../../engine/money/decimal.ts";
import { ScenarioFault } from "../scenario.ts";
import type { ApiCaller, OperatorLink } from "./venue-link.ts";

type Row = Readonly<Record<string, unknown>>;

/** Decimals that are compared as numbers; no currency of a venue has more. */
const SCALE = 18;
const WANTED = /^(<=|>=|!=|<|>|=)?\s*(.+)$/s;

export interface FiguresOptions {
  readonly operator: OperatorLink;
  /** Reads the bot's own lists. */
  readonly reader: ApiCaller;
  readonly botId: number;
  /** Requests that the scenario itself had refused. */
  readonly ownRefused: () => number;
  /** Names of the futures markets that the scenario is about. */
  readonly contracts: readonly string[];
}

export class Figures {
  readonly #options: FiguresOptions;
  #refusedBefore = 0;
  #liquidatedBefore = 0;

  constructor(options: FiguresOptions) {
    this.#options = options;
  }

  /** From here on refusals and liquidations count. */
  async begin(): Promise<void> {
    this.#refusedBefore = await this.#refused();
    this.#liquidatedBefore = await this.#liquidated();
  }

  async of(name: string): Promise<string> {
    const [kind = "", ...rest] = name.split(" ");
    const about = rest.join(" ");
    switch (kind) {
      case "balance":
      case "available":
        return this.#balance(
          "/v2/assets/spot/balance",
          about,
          kind === "balance" ? ["available", "frozen"] : ["available"],
        );
      case "futures":
        return this.#balance("/v2/assets/futures/balance", about, ["available", "frozen", "margin", "unrealized_pnl"]);
      case "orders":
        return String(await this.#orders(about));
      case "position":
        return this.#position(contractOf(about));
      case "withdrawals":
        return String(await this.#withdrawals(about));
      case "liquidated":
        return String((await this.#liquidated()) - this.#liquidatedBefore);
      case "refused":
        return String((await this.#refused()) - this.#refusedBefore);
      default:
        throw new ScenarioFault(`There is no figure ${name}.`);
    }
  }

  /** The sum of some fields of a currency's row, as a decimal. */
  async #balance(path: string, ccy: string, fields: readonly string[]): Promise<string> {
    const rows = await this.#read(path);
    const row = rows.find((each) => each["ccy"] === ccy);
    const units = fields.reduce((sum, field) => sum + unitsOf(String(row?.[field] ?? "0")), 0n);
    return decimalOf(units);
  }

  async #orders(market: string): Promise<number> {
    const { botId, operator } = this.#options;
    const name = market.replace(/ futures$/, "");
    const query = market === "" ? "" : `&market=${encodeURIComponent(name)}`;
    const { orders } = await operator.call("GET", `/admin/orders?user_id=${botId}&limit=1000${query}`);
    const type = market.endsWith(" futures") ? "FUTURES" : undefined;
    const fits = (row: Row) => market === "" || (row["market_type"] === "FUTURES") === (type !== undefined);
    return (orders as Row[]).filter(fits).length;
  }

  async #position(market: string): Promise<string> {
    const { botId, operator } = this.#options;
    const path = `/admin/positions?user_id=${botId}&market=${encodeURIComponent(market)}`;
    const { positions } = await operator.call("GET", path);
    const held = (positions as Row[]).map(
      (row) => `${row["side"]} ${decimalOf(unitsOf(String(row["open_interest"])))}`,
    );
    return held.length === 0 ? "none" : held.join(", ");
  }

  async #withdrawals(status: string): Promise<number> {
    const query = status === "" ? "" : `&status=${encodeURIComponent(status)}`;
    const { botId, operator } = this.#options;
    const { withdrawals } = await operator.call("GET", `/admin/withdrawals?user_id=${botId}${query}`);
    return (withdrawals as Row[]).length;
  }

  async #liquidated(): Promise<number> {
    let count = 0;
    for (const market of this.#options.contracts) {
      const rows = await this.#read(`/v2/futures/finished-position?market=${market}&market_type=FUTURES&limit=100`);
      count += rows.filter((row) => row["finished_type"] === "liq" || row["finished_type"] === "adl").length;
    }
    return count;
  }

  /** Answers of the API other than OK, of all clients but the scenario itself. */
  async #refused(): Promise<number> {
    const text = await this.#options.operator.text("GET", "/metrics");
    let count = 0;
    for (const [, labels = "", value] of text.matchAll(/^bourse_http_answers_total\{([^}]*)\} (\d+)/gm)) {
      const code = /code="(-?\d+)"/.exec(labels)?.[1];
      if (code !== "0" && code !== "-1") count += Number(value);
    }
    return count - this.#options.ownRefused();
  }

  async #read(path: string): Promise<readonly Row[]> {
    const { code, message, data } = await this.#options.reader.send("GET", path);
    if (code !== 0) throw new Error(`${path} is refused with code ${code}: ${message}`);
    return data as Row[];
  }
}

/** Whether a figure is as it is wanted: "0", ">= 1", "none". Decimals are compared as numbers. */
export function isAsWanted(found: string, wanted: string): boolean {
  const [, sign = "=", value = ""] = WANTED.exec(wanted.trim()) ?? [];
  const [one, other] = [parseSignedDecimal(found, SCALE), parseSignedDecimal(value.trim(), SCALE)];
  const isSame = one === undefined || other === undefined ? found === value.trim() : one === other;
  if (sign === "=") return isSame;
  if (sign === "!=") return !isSame;
  if (one === undefined || other === undefined) return false;
  if (sign === "<=") return one <= other;
  if (sign === ">=") return one >= other;
  if (sign === "<") return one < other;
  return one > other;
}

/** The name of a futures market, whose figures may be asked for with or without its kind. */
function contractOf(market: string): string {
  return market.replace(/ futures$/, "");
}

function unitsOf(text: string): bigint {
  return parseSignedDecimal(text, SCALE) ?? 0n;
}

/** Without zeros that say nothing. */
function decimalOf(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE + 1, "0");
  const fraction = digits.slice(-SCALE).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -SCALE)}${fraction === "" ? "" : `.${fraction}`}`;
}
