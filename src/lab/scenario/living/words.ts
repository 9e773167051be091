/** A scenario in words: what each step does, which markets it moves, and how long it may take. */
import type { LivingScenario, LivingStep } from "./living-scenario.ts";

const UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** Such as "1 h 30 min"; "no time" of 0. */
export function durationText(ms: number): string {
  const parts: string[] = [];
  let left = ms;
  for (const [size, word] of UNITS) {
    const count = Math.floor(left / size);
    if (count > 0) parts.push(`${count} ${word}`);
    left -= count * size;
  }
  return parts.length === 0 ? "no time" : parts.join(" ");
}

/** The action of a step, as a sentence. */
export function stepText(step: LivingStep): string {
  switch (step.do) {
    case "note":
      return step.text;
    case "orders":
      return `The background traders order: ${step.orders.join("; ")}.`;
    case "silence":
      return step.markets.length === 0
        ? "All sources of indexes speak again."
        : `No source speaks of ${step.markets.join(", ")}.`;
    case "premium":
      return `${listed(step.shares, premiumText)}.`;
    case "withdraw":
      return `The book of ${step.markets.join(", ")} is taken back.`;
    case "operator":
      return `The operator does ${step.calls.map(({ method, path }) => `${method} ${path}`).join(", ")}.`;
    case "until":
      return `At most ${durationText(step.withinMs)} pass until ${listed(step.figures, wantedText)}.`;
    case "expect":
      return `Expected is ${listed(step.figures, wantedText)}.`;
    case "pass":
      return passText(step);
  }
}

function passText({ ms, index, recorded }: Extract<LivingStep, { do: "pass" }>): string {
  const moves = [
    ...Object.entries(index).map(([market, price]) => `the index of ${market} goes to ${price}`),
    ...Object.entries(recorded).map(([market, file]) => `the index of ${market} goes as ${file} says`),
  ].join(", ");
  const time = ms === 0 ? "" : `${durationText(ms)} pass`;
  const sentence = [time, moves].filter((part) => part !== "").join(", in which ");
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** The expectation of a figure: "liquidated = 0". */
export function wantedText(figure: string, wanted: string): string {
  return `${figure} ${/^[<>=!]/.test(wanted) ? wanted : `= ${wanted}`}`;
}

function listed<Value>(of: Readonly<Record<string, Value>>, text: (name: string, value: Value) => string): string {
  return Object.entries(of)
    .map(([name, value]) => text(name, value))
    .join(", ");
}

function percent(share: number): string {
  return `${Number((Math.abs(share) * 100).toFixed(4))} %`;
}

/** Names of all markets whose prices it makes, without their kind. */
export function marketsOf({ quotes, steps }: LivingScenario): readonly string[] {
  const named = steps.flatMap((step) => {
    if (step.do === "pass") return [...Object.keys(step.index), ...Object.keys(step.recorded)];
    if (step.do === "premium") return Object.keys(step.shares);
    return step.do === "silence" || step.do === "withdraw" ? step.markets : [];
  });
  const names = [...Object.keys(quotes), ...named].map((market) => market.replace(/ futures$/, ""));
  return [...new Set(names)].sort();
}

/** The venue's time that it takes at most, ms; what recorded prices take beyond is not in it. */
export function longestMs({ steps }: LivingScenario): number {
  return steps.reduce((sum, step) => {
    if (step.do === "pass") return sum + step.ms;
    return step.do === "until" ? sum + step.withinMs : sum;
  }, 0);
}

function premiumText(market: string, share: number): string {
  return `The book of ${market} stands ${percent(share)} ${share < 0 ? "below" : "above"} the index`;
}
