/** Values that the rules of a contract take, and values that they refuse. */
import { boundOf, type Param, type ValueRule, type Vocabulary } from "../../src/gateway/request/rules.ts";

/** A rule, and whether it is of a parameter that only ever comes as text. */
export interface Ruled {
  readonly rule: ValueRule;
  readonly isText: boolean;
  /** Values that are no truth values in the generation. */
  readonly wrongTruths: readonly unknown[];
}

/** Values that are just right. */
export function extremesOf(vocabulary: Vocabulary, param: Pick<Param, "type" | "enum" | "min" | "max">): unknown[] {
  const isList = param.type.startsWith("array<");
  if (param.enum) return vocabulary.enums.get(param.enum)?.values.map(({ value }) => (isList ? [value] : value)) ?? [];
  if (param.type !== "int") return [];
  return [boundOf(vocabulary, param.min), boundOf(vocabulary, param.max)].filter((bound) => bound !== undefined);
}

/** Values that break the rule: of a wrong type, no choice, out of bounds, of another form. */
export function wrongValuesOf(vocabulary: Vocabulary, { rule, isText, wrongTruths }: Ruled): unknown[] {
  const min = boundOf(vocabulary, rule.min);
  const max = boundOf(vocabulary, rule.max);
  const maxItems = boundOf(vocabulary, rule.max_items);
  const tooMany = maxItems === undefined ? [] : [Array(maxItems + 1).fill(1)];
  if (rule.form === "market_list") return [Array(11).fill("BTCUSDT").join(), "NOPE"];
  if (rule.form === "id_list") return ["x", "1,x", "0", ...tooMany.map((list) => list.join())];
  if (rule.type.startsWith("array<")) {
    const tooFew = boundOf(vocabulary, rule.min_items) === 0 ? [] : [[]];
    return [{}, "x", 1, ...tooFew, ...tooMany];
  }
  const wrong: unknown[] = isText ? [] : [...(rule.type === "object" ? [] : [{}]), [], [1]];
  if (rule.enum) return [...wrong, "no_such_value", "\u0000"];
  switch (rule.type) {
    case "int":
      wrong.push("x", "-1", "1.5", "9007199254740992");
      if (min !== undefined && min > 0) wrong.push(min - 1);
      if (max !== undefined) wrong.push(max + 1);
      break;
    case "decimal":
      wrong.push("x", rule.form === "signed_decimal" ? "--1" : "-1", "1e5", "1".repeat(20), `0.${"1".repeat(19)}`);
      break;
    case "bool":
      wrong.push(...wrongTruths);
      break;
    default:
      wrong.push("x".repeat(257));
      if (rule.form === "market" || rule.form === "ccy") wrong.push("NOPE", "\u0000");
  }
  return wrong;
}
