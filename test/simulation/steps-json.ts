/** Steps as JSON, which knows no bigint: "5n" stands for one. */
export function stepsToJson(steps: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(steps, (_, value) => (typeof value === "bigint" ? `${value}n` : value)));
}

export function stepsFromJson(json: unknown): unknown[] {
  return JSON.parse(JSON.stringify(json), (_, value) =>
    typeof value === "string" && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  ) as unknown[];
}
