/** One figure of a bench. `gate` is the least (or, with `atMost`, the most) that is accepted. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit?: string;
  readonly gate?: number;
  readonly goal?: number;
  readonly atMost?: boolean;
}

/** Prints a table for people and, with `--json`, one line for machines. A missed gate makes the exit code 1. */
export function report(bench: string, figures: readonly Figure[]): void {
  const width = Math.max(...figures.map((figure) => figure.name.length));
  for (const figure of figures) {
    const wanted = [
      figure.gate === undefined ? "" : `gate ${figure.atMost ? "≤" : "≥"} ${shown(figure.gate)}`,
      figure.goal === undefined ? "" : `goal ${figure.atMost ? "≤" : "≥"} ${shown(figure.goal)}`,
    ].filter((text) => text !== "");
    const verdict = wanted.length === 0 ? "" : `   ${wanted.join(", ")}${met(figure) ? "" : "   MISSED"}`;
    console.log(
      `${figure.name.padEnd(width)}  ${shown(figure.value).padStart(12)} ${(figure.unit ?? "").padEnd(10)}${verdict}`,
    );
  }
  if (process.argv.includes("--json")) {
    const values = Object.fromEntries(figures.map(({ name, value }) => [name.replaceAll(/[^a-z0-9]+/gi, "_"), value]));
    console.log(JSON.stringify({ bench, ...values }));
  }
  if (!figures.every(met)) process.exitCode = 1;
}

/** The value at `share` (0..1) of an ascending list. */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0;
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((left, right) => left - right),
    0.5,
  );
}

function met(figure: Figure): boolean {
  if (figure.gate === undefined) return true;
  return figure.atMost ? figure.value <= figure.gate : figure.value >= figure.gate;
}

function shown(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
