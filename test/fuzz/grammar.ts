/**
 * Parameters of an endpoint as an honest client would send them, made from the contract's rules, and ways to spoil
 * them.
 */
import { boundOf, type ValueRule, type Vocabulary } from "../../src/gateway/request/rules.ts";
import type { Chance } from "./chance.ts";
import { oddJson, oddText } from "./odd-values.ts";
import type { World } from "./world.ts";

/** A parameter and its value, as JSON text in a body and as plain text in a query. Names may repeat. */
export type Pair = readonly [name: string, value: string];

/** Where parameters go. */
export interface Place {
  /** Everything is text there. */
  readonly inQuery: boolean;
  /** The markets that are sound there. */
  readonly markets: readonly string[];
}

export class Grammar {
  readonly #contract: Vocabulary;
  readonly #world: World;
  readonly #chance: Chance;

  constructor(contract: Vocabulary, world: World, chance: Chance) {
    this.#contract = contract;
    this.#world = world;
    this.#chance = chance;
  }

  /** Sound parameters, spoilt in none to three ways. */
  params(rules: readonly (ValueRule & { readonly required: boolean })[], place: Place): Pair[] {
    const chance = this.#chance;
    let pairs = rules
      .filter((param) => param.required || chance.is(0.5))
      .map((param): Pair => [param.name, this.#value(param, place)]);
    for (let times = chance.pick([0, 0, 1, 1, 1, 2, 3]); times > 0; times--) {
      pairs = this.#spoil(pairs, rules, place.inQuery);
    }
    return pairs;
  }

  #value(rule: ValueRule, place: Place): string {
    const item = /^array<(\w+)>$/.exec(rule.type)?.[1];
    if (item !== undefined) return this.#list(rule, item, place);
    const text = this.#text(rule, place);
    const isWord = rule.type === "bool" || rule.type === "object" || (rule.type === "int" && this.#chance.is(0.7));
    return place.inQuery || isWord ? text : JSON.stringify(text);
  }

  #list(rule: ValueRule, item: string, place: Place): string {
    const chance = this.#chance;
    const inBody = { ...place, inQuery: false };
    const record = this.#contract.records.get(item);
    const items = Array.from({ length: chance.pick([1, 1, 2, 3, 5]) }, () => {
      if (record === undefined) return this.#value({ ...rule, name: itemOf(rule.name), type: item }, inBody);
      let pairs = record.fields
        .filter((field) => !field.nullable || chance.is(0.4))
        .map((field): Pair => [field.name, this.#value(field, inBody)]);
      if (chance.is(0.3)) pairs = this.#spoil(pairs, record.fields, false);
      return chance.is(0.05) ? oddJson(chance) : objectText(pairs);
    });
    return `[${items.join()}]`;
  }

  #text(rule: ValueRule, { markets }: Place): string {
    const chance = this.#chance;
    const { name, form } = rule;
    if (rule.enum)
      return String(chance.pick(this.#contract.enums.get(rule.enum)?.values.map(({ value }) => value) ?? []));
    const market = () => (markets.length === 0 ? "BTCUSDT" : chance.pick(markets));
    if (form === "market_list") return Array.from({ length: 1 + chance.below(3) }, market).join();
    if (form === "id_list") return Array.from({ length: 1 + chance.below(4) }, () => this.#id(itemOf(name))).join();
    if (form === "market" || name === "market") return market();
    if (form === "client_id") return `c${chance.below(5)}`;
    if (form === "ccy" || name === "ccy") return chance.pick(["USDT", "BTC", "ETH"]);
    switch (rule.type) {
      case "bool":
        return String(chance.is(0.5));
      case "object":
        return "{}";
      case "decimal":
        return name.includes("price")
          ? `${chance.pick([2_500, 59_000, 60_000])}.${chance.below(100)}`
          : name === "leverage"
            ? chance.pick(["3", "10", "20"])
            : `${chance.below(2)}.${1 + chance.below(999)}`;
      case "int":
        return this.#whole(rule);
      default:
        // A password has to be a good one.
        return chance.pick(name === "password" ? ["Fuzz1234"] : ["fuzz-sub", "fuzz-a", "text", "192.0.2.1"]);
    }
  }

  #whole({ name, min, max }: ValueRule): string {
    const chance = this.#chance;
    if (name === "id" || name.endsWith("_id")) return String(this.#id(name));
    if (name.endsWith("_time")) return String(this.#world.nowMs - chance.below(100_000_000));
    const least = boundOf(this.#contract, min) ?? 0;
    return String(Math.min(least + chance.below(20), boundOf(this.#contract, max) ?? Number.MAX_SAFE_INTEGER));
  }

  #id(name: string): number {
    return this.#world.id(this.#chance, name);
  }

  #spoil(pairs: readonly Pair[], rules: readonly ValueRule[], inQuery: boolean): Pair[] {
    const chance = this.#chance;
    const spoilt = [...pairs];
    const at = chance.below(Math.max(1, spoilt.length));
    const [name, value] = spoilt[at] ?? [chance.pick(rules)?.name ?? "market", ""];
    const odd = () => (inQuery ? oddText(chance) : oddJson(chance));
    switch (chance.below(9)) {
      case 0:
        spoilt.splice(at, 1);
        break;
      case 1:
        spoilt.splice(chance.below(spoilt.length + 1), 0, [name, odd()]);
        break;
      case 2:
        spoilt.push([chance.pick(["__proto__", "constructor", "prototype", "toString", "length"]), odd()]);
        break;
      case 3:
        spoilt[at] = [
          name,
          this.#atAnEdge(
            rules.find((rule) => rule.name === name),
            inQuery,
          ),
        ];
        break;
      case 4:
        spoilt[at] = [name, neighbour(chance, value)];
        break;
      case 5:
        spoilt[at] = [neighbour(chance, name), value];
        break;
      default:
        spoilt[at] = [name, odd()];
    }
    return spoilt;
  }

  /** A number at a bound of the rule or one step off. */
  #atAnEdge(rule: ValueRule | undefined, inQuery: boolean): string {
    const bounds = [rule?.min, rule?.max, rule?.min_items, rule?.max_items]
      .map((bound) => boundOf(this.#contract, bound))
      .filter((bound) => bound !== undefined);
    const edge = this.#chance.pick([0, 1, Number.MAX_SAFE_INTEGER, ...bounds]) + this.#chance.pick([-1, 0, 1]);
    return rule?.type.startsWith("array") && !inQuery
      ? `[${Array(Math.min(Math.max(edge, 0), 300))
          .fill(1)
          .join()}]`
      : `${edge}`;
  }
}

/** `order_ids` hold an `order_id` each, a `market_list` a `market`, and `batch_ids` are of orders. */
function itemOf(name: string): string {
  return name === "batch_ids" ? "order_id" : name.replace(/_list$|s$/, "");
}

/** Nearly the same text: another case, something in front, behind or missing. */
function neighbour(chance: Chance, text: string): string {
  const cut = chance.below(text.length + 1);
  return chance.pick([
    text.toUpperCase(),
    text.toLowerCase(),
    ` ${text}`,
    text.slice(0, cut) + text.slice(cut + 1),
    `${text.slice(0, cut)}_${text.slice(cut)}`,
    text + text,
  ]);
}

export function objectText(pairs: readonly Pair[]): string {
  return `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
}
